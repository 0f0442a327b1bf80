"""The unigram trainer against a plain count over all ways to cut a string."""

from __future__ import annotations

from itertools import product
from math import exp

import numpy as np
import pytest

from jumok.data.korean import Korean
from jumok.data.tokenization import Tokenizer, TokenizerSettings
from jumok.data.tokenization.lattice import Lattice
from jumok.data.tokenization.unigram import learn_pieces

PIECES = [*"abc", "ab", "abc", "bc", "ca", "aba"]
STRINGS = ["abcab", "c", "cabaaba", "bbbb", "abc"]
CHANCES = np.array([0.2, 0.1, 0.15, 0.1, 0.2, 0.05, 0.1, 0.1])


def ways(string: str) -> list[list[int]]:
    """All rows of pieces that spell the string."""
    if not string:
        return [[]]
    return [
        [number, *rest]
        for number, piece in enumerate(PIECES)
        if string.startswith(piece)
        for rest in ways(string[len(piece) :])
    ]


def test_the_lattice_sums_over_all_ways() -> None:
    lattice = Lattice.of(STRINGS, PIECES)
    sums, best = lattice.forward(CHANCES), lattice.forward(CHANCES, np.maximum)
    backward = lattice.backward(CHANCES)
    for number, string in enumerate(STRINGS):
        chances = [np.prod(CHANCES[way]) for way in ways(string)]
        assert sums[lattice.last[number]] == pytest.approx(sum(chances))
        assert backward[lattice.first[number]] == pytest.approx(sum(chances))
        assert best[lattice.last[number]] == pytest.approx(max(chances))


def test_the_lattice_expects_pieces_as_often_as_all_ways_use_them() -> None:
    counts = np.array([3.0, 1.0, 2.0, 5.0, 1.0])
    expected = np.zeros(len(PIECES))
    for string, count in zip(STRINGS, counts, strict=True):
        chances = np.array([np.prod(CHANCES[way]) for way in ways(string)])
        for way, chance in zip(ways(string), chances / chances.sum(), strict=True):
            for piece in way:
                expected[piece] += chance * count
    np.testing.assert_allclose(Lattice.of(STRINGS, PIECES).expected(CHANCES, counts), expected)


def test_a_lattice_without_some_edges_is_that_of_fewer_pieces() -> None:
    lattice, kept = Lattice.of(STRINGS, PIECES), [0, 1, 2, 4, 7]
    numbers = np.full(len(PIECES), -1)
    numbers[kept] = range(len(kept))
    fewer = lattice.keep(np.isin(lattice.pieces, kept)).renumbered(numbers)
    whole = Lattice.of(STRINGS, [PIECES[place] for place in kept])
    counts = np.ones(len(STRINGS))
    assert fewer.expected(CHANCES[kept], counts).tolist() == whole.expected(CHANCES[kept], counts).tolist()


def test_words_that_are_there_often_become_pieces() -> None:
    stems, endings = ("walk", "talk", "jump", "look", "help"), ("", "s", "ed", "ing")
    words = {f" {stem}{ending}": 50 for stem, ending in product(stems, endings)}
    alphabet = sorted({character for word in words for character in word})
    pieces = learn_pieces(words, alphabet, len(alphabet) + 8)
    assert len(pieces) == len(alphabet) + 8
    assert {f" {stem}" for stem in stems} <= {piece.text for piece in pieces}
    assert sum(exp(piece.score) for piece in pieces) == pytest.approx(1.0, abs=1e-3)


def test_characters_that_are_not_known_cut_a_string_in_two() -> None:
    pieces = learn_pieces({"abab#abab": 3, "##": 2}, ["a", "b"], 9)
    assert all("#" not in piece.text for piece in pieces)
    assert "abab" in {piece.text for piece in pieces}


def test_a_string_of_any_length_is_learned_from() -> None:
    tokenizer = Tokenizer.train(["ab" * 5_000, "ㅋ" * 300], TokenizerSettings(kind="unigram", size=16), "here")
    assert tokenizer.decode(tokenizer.encode("ababㅋㅋ")) == "ababㅋㅋ"


def test_it_needs_hardly_more_pieces_than_bpe() -> None:
    texts = [side for pair in Korean(2).pairs(400) for side in (pair.source, pair.target)]
    lengths = {}
    for kind in ("bpe", "unigram"):
        tokenizer = Tokenizer.train(texts, TokenizerSettings(kind=kind, size=1000), "here")
        lengths[kind] = sum(map(len, tokenizer.encode_batch(texts)))
    assert lengths["unigram"] < lengths["bpe"] * 1.05
