"""Captions beside several references: BLEU-1 to 4, ROUGE-L and CIDEr-D, as the caption challenge of COCO counts them.

Values are a hundred times those of `pycocoevalcap`, as papers print them, and equal to them up to rounding. All cut
text by `ptb_tokens`, BLEU at spaces too if asked. All are metrics, so they have intervals and can be compared.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jumok.core.files import write_whole
from jumok.evaluation.metric import Metric, References, Statistics, checked
from jumok.evaluation.ptb import ptb_tokens
from jumok.evaluation.resampling import Numbers
from jumok.evaluation.score import Score

Ngram = tuple[str, ...]

MARKS_COUNTED = ", marks counted"
_ORDERS = 4
_TINY, _SMALL = 1e-15, 1e-9
_KIND = "document-frequencies"


class _Caption(NamedTuple):
    """The words of a caption and of its references."""

    words: list[str]
    references: list[list[str]]


class CaptionBleu(Metric):
    """BLEU of n-grams up to `order` (Papineni et al. 2002), over the whole corpus, unsmoothed.

    brevity: whether captions that are shorter than their references are punished.
    marks: whether the full stop and its like are words, as where scores are taken of text that is only cut at spaces.
    """

    def __init__(self, order: int = 4, brevity: bool = True, marks: bool = False) -> None:
        if not 1 <= order <= _ORDERS:
            raise ValueError(f"order must be from 1 to {_ORDERS}, not {order}")
        self.order, self.brevity, self.marks = order, brevity, marks

    def _statistics(self, outputs: list[str], references: list[list[str]], language: str | None) -> Statistics:
        return self._of(_overlaps(_cut(outputs, references, self.marks)), references)

    def _of(self, counts: Numbers, references: list[list[str]]) -> Statistics:
        name = f"BLEU-{self.order}" + ("" if self.brevity else " without brevity penalty")
        details = f"order:{self.order}", f"brevity:{'yes' if self.brevity else 'no'}"
        signature = caption_signature(references, *details, marks=self.marks)
        return Statistics(name + MARKS_COUNTED * self.marks, counts, self._values, signature)

    def _values(self, sums: Numbers) -> Numbers:
        """`(n, [output length, reference length, matches of 4 orders, n-grams of 4 orders])` to `(n,)`."""
        matches, ngrams = sums[:, 2 : 2 + self.order], sums[:, 2 + _ORDERS : 2 + _ORDERS + self.order]
        values = np.exp(np.log((matches + _TINY) / (ngrams + _SMALL)).mean(1))
        ratio = (sums[:, 0] + _TINY) / (sums[:, 1] + _SMALL)
        penalty = np.exp(np.minimum(0, 1 - 1 / ratio)) if self.brevity else 1.0
        return np.asarray(100 * values * penalty, dtype=np.float64)


class LengthRatio(Metric):
    """How long the captions are beside the nearest of their references, in percent: 100 is as long."""

    def _statistics(self, outputs: list[str], references: list[list[str]], language: str | None) -> Statistics:
        return self._of(_overlaps(_cut(outputs, references)), references)

    def _of(self, counts: Numbers, references: list[list[str]]) -> Statistics:
        return Statistics("length ratio", counts[:, :2], _ratio, caption_signature(references))


class RougeL(Metric):
    """ROUGE-L (Lin 2004): the F score (beta 1.2) of the longest common subsequence, the mean over captions.

    Precision and recall are each those of the best reference.
    """

    def _statistics(self, outputs: list[str], references: list[list[str]], language: str | None) -> Statistics:
        return self._of(_cut(outputs, references), references)

    def _of(self, captions: list[_Caption], references: list[list[str]]) -> Statistics:
        return _mean("ROUGE-L", [_rouge(*caption) for caption in captions], caption_signature(references, "beta:1.2"))


@dataclass(frozen=True, eq=False)
class DocumentFrequencies:
    """In how many pictures' references each n-gram stands: what CIDEr-D weighs words by.

    Keep those of a large set, and a few captions can be scored on the same scale.
    """

    pictures: int
    counts: Mapping[Ngram, int]

    @classmethod
    def of(cls, references: Iterable[Sequence[str]]) -> DocumentFrequencies:
        """Those of the references of each picture."""
        cut = [[ptb_tokens(text) for text in texts] for texts in references]
        if not cut:
            raise ValueError("no references: there is nothing to count")
        return cls._of(cut)

    @classmethod
    def _of(cls, references: Sequence[list[list[str]]]) -> DocumentFrequencies:
        counts: Counter[Ngram] = Counter()
        for texts in references:
            counts.update({ngram for words in texts for ngram in _ngrams(words)})
        return cls(len(references), counts)

    def save(self, path: str | Path) -> None:
        """Write them as JSON."""
        counts = {" ".join(ngram): count for ngram, count in sorted(self.counts.items())}
        values = {"jumok": _KIND, "version": 1, "pictures": self.pictures, "counts": counts}
        write_whole(Path(path), json.dumps(values, ensure_ascii=False, separators=(",", ":")))

    @classmethod
    def load(cls, path: str | Path) -> DocumentFrequencies:
        """Read what `save` wrote."""
        try:
            values = json.loads(Path(path).read_text("utf-8"))
            if values["jumok"] != _KIND or values["version"] != 1:
                raise ValueError
            counts = {tuple(ngram.split(" ")): int(count) for ngram, count in values["counts"].items()}
            return cls(int(values["pictures"]), counts)
        except (KeyError, TypeError, AttributeError, ValueError):
            raise ValueError(f"{path}: no document frequencies; write them with DocumentFrequencies.save") from None


@dataclass(frozen=True, eq=False)
class CiderD(Metric):
    """CIDEr-D (Vedantam et al. 2015): how alike captions and references are in words that tell pictures apart.

    $$\\frac{10}{4} \\sum_{n=1}^{4} \\frac{1}{m} \\sum_{j=1}^{m} e^{-(l - l_j)^2 / 2 \\sigma^2}
    \\frac{\\min(g, g_j) \\cdot g_j}{\\|g\\| \\, \\|g_j\\|}$$

    with $g$ the counts of the caption's n-grams times $\\log(N / \\mathrm{df})$, $g_j$ those of reference $j$, $l$ the
    lengths and $\\sigma = 6$.

    frequencies: those of another set; without them they are of the references at hand, which must be many.
    """

    frequencies: DocumentFrequencies | None = None
    sigma: float = field(default=6.0, init=False)

    def _statistics(self, outputs: list[str], references: list[list[str]], language: str | None) -> Statistics:
        return self._of(_cut(outputs, references), references)

    def _of(self, captions: list[_Caption], references: list[list[str]]) -> Statistics:
        known = self.frequencies or DocumentFrequencies._of([caption.references for caption in captions])
        values = []
        for words, others in captions:
            own = _Weighted(words, known)
            values.append(10 * sum(own.like(_Weighted(other, known), self.sigma) for other in others) / len(others))
        of = "own" if self.frequencies is None else f"{known.pictures}-pictures"
        return _mean("CIDEr-D", values, caption_signature(references, f"idf:{of}", "sigma:6"))


caption_bleu = CaptionBleu()
rouge_l = RougeL()
cider_d = CiderD()


def caption_scores(
    outputs: Sequence[str],
    references: References,
    frequencies: DocumentFrequencies | None = None,
    interval: bool = False,
) -> list[Score]:
    """All caption scores at once: BLEU-1 to 4 with and without brevity penalty, length ratio, ROUGE-L, CIDEr-D."""
    texts = checked(outputs, references)
    captions = _cut(outputs, texts)
    counts = _overlaps(captions)
    statistics = [CaptionBleu(order, brevity)._of(counts, texts) for brevity in (True, False) for order in range(1, 5)]
    statistics += [LengthRatio()._of(counts, texts), rouge_l._of(captions, texts)]
    statistics.append(CiderD(frequencies)._of(captions, texts))
    return [one.score(interval) for one in statistics]


class _Weighted:
    """A caption as weights of its n-grams, by order."""

    def __init__(self, words: Sequence[str], known: DocumentFrequencies) -> None:
        self.weights: list[dict[Ngram, float]] = [{} for _ in range(_ORDERS)]
        pictures = math.log(known.pictures)
        for ngram, count in _ngrams(words).items():
            rarity = pictures - math.log(max(1, known.counts.get(ngram, 0)))
            self.weights[len(ngram) - 1][ngram] = count * rarity
        self.norms = [math.sqrt(sum(weight * weight for weight in weights.values())) for weights in self.weights]
        self.length = max(0, len(words) - 1)  # in pairs of words; a single word has none

    def like(self, other: _Weighted, sigma: float) -> float:
        """How alike two captions are, the mean over orders."""
        total = 0.0
        for own, norm, theirs, their_norm in zip(self.weights, self.norms, other.weights, other.norms, strict=True):
            shared = sum(min(weight, theirs[ngram]) * theirs[ngram] for ngram, weight in own.items() if ngram in theirs)
            total += shared / (norm * their_norm) if norm and their_norm else shared
        return total / _ORDERS * math.exp(-((self.length - other.length) ** 2) / (2 * sigma**2))


def caption_words(text: str, marks: bool = False) -> list[str]:
    """The words of a caption as scores count them, in lower case; with `marks`, whatever stands between spaces."""
    return text.lower().split() if marks else ptb_tokens(text)


def _cut(outputs: Sequence[str], references: Sequence[Sequence[str]], marks: bool = False) -> list[_Caption]:
    return [
        _Caption(caption_words(output, marks), [caption_words(text, marks) for text in texts])
        for output, texts in zip(outputs, references, strict=True)
    ]


def _ngrams(words: Sequence[str]) -> Counter[Ngram]:
    """How often each n-gram of up to four words is there."""
    return Counter(
        tuple(words[start : start + order])
        for order in range(1, _ORDERS + 1)
        for start in range(len(words) - order + 1)
    )


def _overlaps(captions: Sequence[_Caption]) -> Numbers:
    return np.array([_overlap(*caption) for caption in captions], dtype=np.float64)


def _overlap(words: Sequence[str], references: Sequence[Sequence[str]]) -> list[int]:
    """Length, length of the nearest reference, n-grams that a reference has as often, all n-grams, by order."""
    most: Counter[Ngram] = Counter()
    for reference in references:
        most |= _ngrams(reference)
    nearest = min((abs(len(reference) - len(words)), len(reference)) for reference in references)[1]
    matches = [0] * _ORDERS
    for ngram, count in _ngrams(words).items():
        matches[len(ngram) - 1] += min(count, most[ngram])
    return [len(words), nearest, *matches, *(max(0, len(words) - order) for order in range(_ORDERS))]


def _rouge(words: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    own = list(words) or [""]  # a caption without words counts as one empty word
    others = [list(reference) or [""] for reference in references]
    common = [_common(own, other) for other in others]
    precision = max(common) / len(own)
    recall = max(length / len(other) for length, other in zip(common, others, strict=True))
    return (1 + 1.2**2) * precision * recall / (recall + 1.2**2 * precision) if precision else 0.0


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(second) + 1)
    for word in first:
        before = row
        row = [0]
        for place, other in enumerate(second):
            row.append(before[place] + 1 if word == other else max(before[place + 1], row[-1]))
    return row[-1]


def _mean(name: str, values: Sequence[float], signature: str) -> Statistics:
    """The statistics of a score that is the mean over captions."""
    counts = np.stack([np.asarray(values, dtype=np.float64), np.ones(len(values))], axis=1)
    return Statistics(name, counts, _ratio, signature)


def _ratio(sums: Numbers) -> Numbers:
    return np.asarray(100 * sums[:, 0] / np.maximum(sums[:, 1], _SMALL), dtype=np.float64)


def caption_signature(references: Sequence[Sequence[str]], *more: str, marks: bool = False) -> str:
    """How captions were counted, in the form of sacreBLEU's signatures."""
    counts = {len(texts) for texts in references}
    number = counts.pop() if len(counts) == 1 else "var"
    return "|".join((f"nrefs:{number}", "case:lc", f"tok:{'space' if marks else 'ptb'}", *more))
