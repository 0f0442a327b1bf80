"""BPE dropout (Provilkov et al. 2020): a word is cut in another way each time, as merges are left out by chance.

In each step every merge that could be made is left out with the same chance; of the others the first that BPE learned
is made; where none is left the word stays as it is. The `tokenizers` library has this too, but cannot be given a seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jumok.data import mixing
from jumok.data.tokenization import pieces
from jumok.data.tokenization.tokenizer import Tokenizer

_BLOCK = 512  # random numbers made at once, about what a sentence takes
_REMEMBERED = 200_000  # words
_NEVER = 1 << 62


class _Word(NamedTuple):
    """A word before and after all its merges. chances: how many merges could be left out on the way."""

    letters: tuple[tuple[int, ...], ...]  # one sequence for each part that BPE does not join with another
    ids: tuple[int, ...]
    chances: int


class BpeDropout:
    """Segments text by the merges of a tokenizer, each left out with the chance `rate`."""

    def __init__(self, tokenizer: Tokenizer, rate: float) -> None:
        if tokenizer.kind != "bpe":
            raise ValueError(f"tokenizer.dropout needs a tokenizer of kind bpe, and this one is {tokenizer.kind}")
        self.rate = rate
        self._ids = tokenizer.ids()
        self._base = tokenizer.size
        merges = tokenizer.merges()
        self._ranks = {self._ids[a] * self._base + self._ids[b]: rank for rank, (a, b) in enumerate(merges)}
        self._made = [self._ids[a + b] for a, b in merges]
        self._words: dict[str, _Word] = {}

    def segment(self, text: str, key: int) -> list[int]:
        """The ids of `text`; which merges are left out follows from `key`."""
        drops = _drops(key, self.rate)
        ids: list[int] = []
        chance, drop = 0, next(drops)
        for spelt in text.split(" "):
            word = self._words.get(spelt) or self._look_up(spelt)
            if chance + word.chances <= drop:  # nothing is left out
                ids += word.ids
                chance += word.chances
                continue
            for letters in word.letters:
                symbols = list(letters)
                chance, drop = self._merge(symbols, chance, drop, drops)
                ids += symbols
        return ids

    def _merge(self, symbols: list[int], chance: int, drop: int, drops: Iterator[int]) -> tuple[int, int]:
        """Merge symbols in place; returns the number of the next chance, and of the next that is missed."""
        made, none = self._made, len(self._made)
        ranks = [self._rank(left, right) for left, right in pairwise(symbols)]
        while (could := len(ranks) - ranks.count(none)) > 0:
            if chance + could <= drop:  # none of them is left out
                best = min(ranks)
                place = ranks.index(best)
                chance += could
            else:
                best = none
                for left, rank in enumerate(ranks):
                    if rank == none:
                        continue
                    if chance == drop:
                        drop = next(drops)
                    elif rank < best:
                        best, place = rank, left
                    chance += 1
                if best == none:
                    break
            symbols[place : place + 2] = [made[best]]
            del ranks[place]
            if place:
                ranks[place - 1] = self._rank(symbols[place - 1], symbols[place])
            if place < len(ranks):
                ranks[place] = self._rank(symbols[place], symbols[place + 1])
        return chance, drop

    def _rank(self, left: int, right: int) -> int:
        """The place of a merge in the order of learning; past the last one where there is no such merge."""
        return self._ranks.get(left * self._base + right, len(self._made))

    def _look_up(self, spelt: str) -> _Word:
        letters, ids, chances = [], [], 0
        for part in pieces.cut("bpe", spelt):
            symbols = [self._ids.get(character, pieces.UNKNOWN) for character in part]
            letters.append(tuple(symbols))
            chances, _ = self._merge(symbols, chances, _NEVER, iter(()))
            ids += symbols
        word = _Word(tuple(letters), tuple(ids), chances)
        if len(self._words) < _REMEMBERED:
            self._words[spelt] = word
        return word


def _drops(key: int, rate: float) -> Iterator[int]:
    """Which of endless chances, numbered from 0, are missed; number `i` of the stream `key` decides chance `i`."""
    below = np.uint64(int(rate * 2.0**64))
    if not below:
        yield _NEVER
    start = 0
    while True:
        missed = np.flatnonzero(mixing.stream(key, _BLOCK, start) < below)
        yield from (missed + start).tolist()
        start += _BLOCK
