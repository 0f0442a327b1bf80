"""A look at a corpus: its size, its lengths, its scripts, and the settings that suit it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from jumok.data.corpora.rows import TextPair
from jumok.data.corpora.scripts import LANGUAGES, SCRIPTS, letters, main_script

_AT_ONCE = 2000
_WORDS_KEPT = 50_000
_UNSPACED = ("Han", "Kana", "Thai", "Khmer")
_LETTERS_A_TOKEN = {"Hangul": 1.6, "Han": 1.3, "Kana": 1.5}


def letters_a_token(script: str) -> float:
    """About how many characters a subword of this script has."""
    return _LETTERS_A_TOKEN.get(script, 4.0)


class SideLook(NamedTuple):
    """One side of a corpus. Words are what blanks separate; `different_words` stops at 50,000."""

    words: int
    characters: int
    mean_words: float
    words_95: int
    max_words: int
    different_words: int
    script: str
    language: str | None
    tokens_99: int
    """About how many subwords the sentence has that only one in a hundred is longer than."""


class CorpusLook(NamedTuple):
    """A corpus: its pairs and its sides, and what suits it."""

    pairs: int
    source: SideLook
    target: SideLook

    @property
    def joint(self) -> bool:
        """Whether one tokenizer for both sides makes sense: they write with the same letters."""
        return self.source.script == self.target.script

    @property
    def tokenizer(self) -> str:
        """The kind of tokenizer: unigram where a side writes without blanks, characters for very little text."""
        if self.pairs < 500:
            return "character"
        return "unigram" if {self.source.script, self.target.script} & set(_UNSPACED) else "bpe"

    @property
    def tokenizer_size(self) -> int:
        """The size of the vocabulary: more for more text, and never more than the text has words."""
        steps = ((20_000, 2000), (50_000, 4000), (500_000, 8000), (2_000_000, 16_000))
        size = next((size for pairs, size in steps if self.pairs < pairs), 32_000)
        sides = (self.source, self.target)
        if any(side.script in _UNSPACED for side in sides):
            return size
        words = (
            sum(side.different_words for side in sides) if self.joint else min(side.different_words for side in sides)
        )
        return max(100, min(size, words // 100 * 100))

    @property
    def max_length(self) -> int:
        """The most tokens a side: half as much again as all but one sentence in a hundred have, and at most 250."""
        longest = max(self.source.tokens_99, self.target.tokens_99)
        return min(250, math.ceil(longest * 1.5 / 10) * 10)

    @property
    def held_out(self) -> float:
        """The share to hold out: a tenth of a small corpus, about a thousand pairs of a large one."""
        return float(f"{min(0.1, 1000 / self.pairs):.1g}")


@dataclass
class _Tally:
    """Counts over the texts of one side."""

    characters: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    sizes: Counter[int] = field(default_factory=Counter)
    words: set[str] = field(default_factory=set)
    letters: np.ndarray = field(default_factory=lambda: np.zeros(len(SCRIPTS), dtype=np.int64))

    def add(self, texts: list[str]) -> None:
        self.characters += sum(map(len, texts))
        self.lengths.update(text.count(" ") + 1 for text in texts)
        self.sizes.update(map(len, texts))
        self.letters += letters(texts).sum(0)
        if len(self.words) < _WORDS_KEPT:
            self.words.update(word for text in texts for word in text.split(" "))

    def look(self) -> SideLook:
        pairs, words = self.lengths.total(), sum(length * times for length, times in self.lengths.items())
        script = main_script(self.letters)
        return SideLook(
            words=words,
            characters=self.characters,
            mean_words=words / pairs,
            words_95=_reached(self.lengths, 0.95),
            max_words=max(self.lengths),
            different_words=min(len(self.words), _WORDS_KEPT),
            script=script,
            language=LANGUAGES.get(script),
            tokens_99=round(_reached(self.sizes, 0.99) / letters_a_token(script)),
        )


def look(corpus: Iterable[TextPair]) -> CorpusLook:
    """Read a corpus once, in constant memory, and say what is in it."""
    source, target = _Tally(), _Tally()
    for pairs in _batches(corpus):
        source.add([pair.source for pair in pairs])
        target.add([pair.target for pair in pairs])
    return CorpusLook(source.lengths.total(), source.look(), target.look())


def _batches(corpus: Iterable[TextPair]) -> Iterator[list[TextPair]]:
    pairs = iter(corpus)
    while batch := list(islice(pairs, _AT_ONCE)):
        yield batch


def _reached(counts: Counter[int], share: float) -> int:
    """The smallest length that at least this share of the sentences does not go beyond."""
    left = share * counts.total()
    for length in sorted(counts):
        left -= counts[length]
        if left <= 0:
            return length
    return max(counts)
