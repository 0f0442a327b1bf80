"""BPE dropout: the cuts of the library where nothing is left out, the cuts of a plain loop where something is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from jumok.data import mixing
from jumok.data.korean import Korean
from jumok.data.tokenization import BpeDropout, Tokenizer, TokenizerSettings, pieces

TEXTS = [
    *(side for pair in Korean(5).pairs(250, 3, 30) for side in (pair.source, pair.target)),
    *("Donaudampfschifffahrtsgesellschaft, Straßenbahnhaltestellen; 1.234,5 <pad> ▁", "aaaaaaa aaa aa a", "a b") * 5,
]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(TEXTS, TokenizerSettings(size=1100), "here")


def test_without_dropout_it_is_the_segmentation_of_the_library(tokenizer: Tokenizer) -> None:
    plain = BpeDropout(tokenizer, 0.0)
    for text in [*TEXTS, "Bahnhofstraße 🦆 x🦆y 핥는다 aaaaaaaaaaaaa", "", "a  b"]:
        assert plain.segment(text, 0) == (tokenizer.encode(text) if text else plain.segment("", 1))


def test_every_segmentation_reads_the_same(tokenizer: Tokenizer) -> None:
    for rate in (0.1, 0.5, 0.99):
        dropout = BpeDropout(tokenizer, rate)
        for key, text in enumerate(TEXTS):
            assert tokenizer.decode(dropout.segment(text, key)) == text


def plain_loop(tokenizer: Tokenizer, text: str, missed: Iterator[bool]) -> list[int]:
    """The definition: in each step all merges that could be made are drawn for; of the rest the first is made."""
    ranks = {pair: rank for rank, pair in enumerate(tokenizer.merges())}
    ids = []
    for word in text.split(" "):
        for part in pieces.cut("bpe", word):
            symbols = [*part]
            while True:
                could = [(ranks[pair], at) for at, pair in enumerate(pairwise(symbols)) if pair in ranks]
                left = [merge for merge in could if not next(missed)]
                if not left:
                    break
                _, at = min(left)
                symbols[at : at + 2] = ["".join(symbols[at : at + 2])]
            ids += [tokenizer.ids().get(symbol, Tokenizer.UNKNOWN) for symbol in symbols]
    return ids


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.5, 0.9])
def test_it_equals_the_plain_loop(rate: float, tokenizer: Tokenizer) -> None:
    dropout = BpeDropout(tokenizer, rate)
    for key, text in enumerate(TEXTS[::3]):
        draws = mixing.stream(mixing.key(key), 40_000) < int(rate * 2**64)
        assert dropout.segment(text, mixing.key(key)) == plain_loop(tokenizer, text, iter(draws.tolist()))


def test_the_cut_follows_from_the_key_alone(tokenizer: Tokenizer) -> None:
    text = TEXTS[0]
    keys = [mixing.key(1, epoch) for epoch in range(30)]
    alone = [BpeDropout(tokenizer, 0.1).segment(text, key) for key in keys]
    company = BpeDropout(tokenizer, 0.1)
    for other in TEXTS:
        company.segment(other, 7)
    assert [company.segment(text, key) for key in keys] == alone
    assert len({tuple(ids) for ids in alone}) > 5


def test_merges_are_left_out_as_often_as_asked() -> None:
    """Each of these words is one merge, of its space and its letter."""
    text = "a b c d e f g h i j"
    tokenizer = Tokenizer.train([text] * 2, TokenizerSettings(size=25), "here")
    assert len(tokenizer.encode(text)) == 10
    cuts = sum(len(BpeDropout(tokenizer, 0.25).segment(text, mixing.key(number))) - 10 for number in range(2_000))
    assert abs(cuts / 20_000 - 0.25) < 0.015


def test_only_bpe_has_merges_to_leave_out() -> None:
    words = Tokenizer.train(TEXTS, TokenizerSettings(kind="word"), "here")
    with pytest.raises(ValueError, match=r"tokenizer\.dropout needs a tokenizer of kind bpe, and this one is word"):
        BpeDropout(words, 0.1)
