"""Learning a unigram tokenizer (Kudo 2018): pieces with probabilities; a text is cut in the likeliest way.

Starts from frequent substrings, learns their probabilities by expectation maximisation, takes away the quarter that the
text would miss least, and so on. (The trainer of the `tokenizers` library gives other pieces at every run.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import log
from typing import NamedTuple

import numpy as np

from jumok.data.tokenization.lattice import Floats, Ints, Lattice, Text

_LONGEST = 16  # characters of a piece
_LONGEST_STRING = 32  # longer strings are cut, so that their probability is never too small for a double
_STRINGS = 300_000  # the most frequent ones are learned from
_SEEDS = 10  # candidates for each piece that is wanted
_STEPS = 2  # of expectation maximisation between two prunings
_KEPT = 0.75
_LEAST = 0.01  # a piece counts as seen so often at least


class Piece(NamedTuple):
    """A piece and the logarithm of its probability."""

    text: str
    score: float


def learn_pieces(words: Mapping[str, int], alphabet: Sequence[str], size: int) -> list[Piece]:
    """`size` pieces, the alphabet among them, for words with these counts; fewer where the words give no more."""
    counts = _known_runs(words, frozenset(alphabet))
    strings = sorted(counts, key=lambda string: (-counts[string], string))[:_STRINGS]
    weights = np.array([counts[string] for string in strings], np.float64)
    pieces = [*alphabet, *_seeds(strings, weights, size * _SEEDS)]
    lengths = np.array([len(piece) for piece in pieces])
    lattice, own = Lattice.of(strings, pieces), Lattice.of(pieces, pieces)
    own = own.keep(own.pieces != own.owners)  # the ways to do without each piece
    whole = own.last  # the nodes at which each piece is complete
    used = lattice.expected(np.ldexp(1.0, -4 * lengths), weights)
    while True:
        for _ in range(_STEPS):
            used = lattice.expected(_chances(used, lengths), weights)
        if len(pieces) <= size:
            break
        chances = _chances(used, lengths)
        losses = used * np.log(chances / np.maximum(own.forward(chances, np.maximum)[whole], 1e-300))
        losses[: len(alphabet)] = np.inf
        kept = np.sort(np.argsort(-losses, kind="stable")[: max(size, int(len(pieces) * _KEPT))])
        lattice, own, whole = _with_pieces(lattice, kept), _with_pieces(own, kept), whole[kept]
        pieces, lengths, used = [pieces[place] for place in kept], lengths[kept], used[kept]
    return _scored(pieces, used)


def _known_runs(words: Mapping[str, int], alphabet: frozenset[str]) -> Counter[str]:
    """The words, cut where a character is not in the alphabet, and where they are very long."""
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for known, run in groupby(word, alphabet.__contains__):
            if known:
                joined = "".join(run)
                for start in range(0, len(joined), _LONGEST_STRING):
                    counts[joined[start : start + _LONGEST_STRING]] += count
    return counts


def _seeds(strings: Sequence[str], weights: Floats, most: int) -> list[str]:
    """The substrings that cover most of the text (frequency times length), seen twice at least.

    One that is always followed, or always preceded, by the same character is left out: the longer one stands for it.
    """
    text = Text(strings)
    places = np.arange(len(text.codes))
    hashes = np.zeros(len(places), np.uint64)
    before: tuple[Ints, Floats] = (
        places[:0],
        np.zeros(0),
    )  # where the substrings of one character less are, how frequent
    found: list[tuple[Ints, Ints, Floats]] = []
    for length in range(1, _LONGEST + 2):
        fits = text.left[places] >= length
        places = places[fits]
        hashes = text.lengthened(hashes[fits], places, length)
        _, firsts, kinds = np.unique(hashes, return_index=True, return_inverse=True)
        frequencies = np.bincount(kinds, weights[text.owners[places]], len(firsts)).astype(np.float64)
        at = np.zeros(len(text.codes) + 1)
        at[places] = frequencies[kinds]
        starts, frequency = before
        preceded = np.where(text.offsets[starts] > 0, at[starts - 1], 0.0)
        maximal = (at[starts] < frequency) & (preceded < frequency)
        if length > 2:
            starts = starts[maximal]
            found.append((starts, np.full(len(starts), length - 1), frequency[maximal]))
        often = frequencies >= 2
        before = places[firsts[often]], frequencies[often]
        places, hashes = places[often[kinds]], hashes[often[kinds]]
    starts, lengths, frequency = (np.concatenate(column) for column in zip(*found, strict=True))
    best = np.lexsort((starts, lengths, -frequency * lengths))[:most]
    return [text.substring(place, length) for place, length in zip(starts[best], lengths[best], strict=True)]


def _chances(used: Floats, lengths: Ints) -> Floats:
    """The probability of each piece, times 16 for each of its characters, which the ways to cut one string share."""
    seen: Floats = np.maximum(used, _LEAST)
    chances: Floats = np.ldexp(seen / seen.sum(), 4 * lengths)
    return chances


def _with_pieces(lattice: Lattice, kept: Ints) -> Lattice:
    """The lattice with these pieces alone, numbered anew."""
    numbers = np.full(int(lattice.pieces.max(initial=0)) + 1, -1)
    inside = kept[kept < len(numbers)]
    numbers[inside] = np.arange(len(inside))
    return lattice.keep(numbers[lattice.pieces] >= 0).renumbered(numbers)


def _scored(pieces: Sequence[str], used: Floats) -> list[Piece]:
    """Pieces with scores, the likeliest first; rounded, as the last bits of a logarithm depend on the machine."""
    seen = np.maximum(used, _LEAST)
    scores = [round(log(chance), 6) for chance in (seen / seen.sum()).tolist()]
    return sorted(
        (Piece(text, score) for text, score in zip(pieces, scores, strict=True)), key=lambda it: (-it.score, it.text)
    )
