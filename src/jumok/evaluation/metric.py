"""What all text metrics share: a corpus's figure follows from sums over its sentences, so it has an interval."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from jumok.evaluation.languages import code_of, language_of
from jumok.evaluation.resampling import RESAMPLES, SEED, Numbers, middle, resampled
from jumok.evaluation.score import Score

References = Sequence[str] | Sequence[Sequence[str]]
"""One reference for each output, or several for each."""


@dataclass(frozen=True)
class Statistics:
    """What a metric keeps of every sentence.

    counts: `(sentences, counts)`, to be summed over sentences.
    values: the figures that follow from sums, `(n, counts)` to `(n,)`.
    """

    name: str
    counts: Numbers
    values: Callable[[Numbers], Numbers]
    signature: str

    def score(self, interval: bool = False) -> Score:
        """The figure of all sentences, with its bootstrap interval if asked for."""
        value = float(self.values(self.counts.sum(0, keepdims=True))[0])
        if not interval:
            return Score(self.name, value, self.signature)
        low, high = middle(self.values(resampled(self.counts)))
        return Score(self.name, value, _with_bootstrap(self.signature), low, high)

    def only(self, sentences: Sequence[int]) -> Statistics:
        """The statistics of some sentences."""
        return replace(self, counts=self.counts[list(sentences)])


class Metric(ABC):
    """A figure of outputs beside references; call it to get its `Score`."""

    def __call__(
        self, outputs: Sequence[str], references: References, language: str | None = None, interval: bool = False
    ) -> Score:
        """The score of a corpus.

        outputs: what a model said, one text a sentence.
        references: what it should have said, one text a sentence or a list of texts a sentence.
        language: the code of the target language; found from the script of the references where it is not given.
        interval: whether to add the 95 % bootstrap interval.
        """
        return self.statistics(outputs, references, language).score(interval)

    def statistics(self, outputs: Sequence[str], references: References, language: str | None = None) -> Statistics:
        """What the metric keeps of every sentence."""
        lists = checked(outputs, references)
        if language is not None:
            return self._statistics(list(outputs), lists, code_of(language))
        return self._statistics(list(outputs), lists, language_of(text for texts in lists for text in texts))

    @abstractmethod
    def _statistics(self, outputs: list[str], references: list[list[str]], language: str | None) -> Statistics:
        """The same, of texts that were checked."""


def checked(outputs: Sequence[str], references: References) -> list[list[str]]:
    """The references as a list for each output; what does not fit together is an error."""
    if isinstance(outputs, str) or isinstance(references, str):
        raise ValueError("outputs and references must be lists with a text for each sentence, not one text")
    if len(outputs) != len(references):
        raise ValueError(
            f"{len(outputs):,} outputs, but {len(references):,} references: give one text, or one list of texts,"
            " for each output"
        )
    if not len(outputs):
        raise ValueError("no outputs: there is nothing to score")
    lists = [[texts] if isinstance(texts, str) else list(texts) for texts in references]
    for number, (output, texts) in enumerate(zip(outputs, lists, strict=True), start=1):
        if not texts:
            raise ValueError(f"sentence {number} has no reference")
        if not all(isinstance(text, str) for text in (output, *texts)):
            raise ValueError(f"sentence {number}: output and references must be text")
    return lists


def _with_bootstrap(signature: str) -> str:
    """The signature with the resamples, where sacreBLEU puts them: behind the number of references."""
    first, _, rest = signature.partition("|")
    return f"{first}|bs:{RESAMPLES}|seed:{SEED}|{rest}"
