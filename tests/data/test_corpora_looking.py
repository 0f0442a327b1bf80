"""A look at a corpus: what it counts is there, and what it suggests suits."""

from __future__ import annotations

import pytest

from jumok.data.corpora.looking import look
from jumok.data.corpora.rows import TextPair
from jumok.data.corpora.scripts import SCRIPTS, letters, main_script

TEXTS = {
    "Latin": "Das Mädchen liest ein Buch über die Straße.",
    "Hangul": "나는 YouTube에서 영상을 봤다.",
    "Kana": "東京へ行きました。",
    "Han": "我昨天去了學校。",
    "Cyrillic": "Я читаю книгу.",
    "Greek": "Διαβάζω ένα βιβλίο.",
    "Arabic": "أنا أقرأ كتابا.",
    "Hebrew": "אני קורא ספר.",
    "Thai": "ฉันอ่านหนังสือ",
    "Devanagari": "मैं किताब पढ़ता हूँ।",
    "none": "12 + 3 = 15 !?",
}


@pytest.mark.parametrize("script", TEXTS)
def test_scripts_are_told_apart(script: str) -> None:
    assert main_script(letters([TEXTS[script]]).sum(0)) == script


def test_many_texts_are_counted_like_each_alone() -> None:
    together = letters(["", *TEXTS.values(), ""])
    alone = [letters([text])[0].tolist() for text in ["", *TEXTS.values(), ""]]
    assert together.tolist() == alone
    assert together.shape == (len(TEXTS) + 2, len(SCRIPTS))


def test_what_is_counted_is_there() -> None:
    found = look(TextPair(" ".join(["나는"] * words), "a b c") for words in range(1, 101))
    assert found.pairs == 100
    assert found.source.words == 5050
    assert found.source.characters == sum(3 * words - 1 for words in range(1, 101))
    assert (found.source.mean_words, found.source.words_95, found.source.max_words) == (50.5, 95, 100)
    assert (found.target.words, found.target.words_95, found.target.different_words) == (300, 3, 3)
    assert (found.source.script, found.source.language) == ("Hangul", "Korean")
    assert (found.target.script, found.target.language) == ("Latin", None)
    assert not found.joint


def corpus(pairs: int, words: int) -> list[TextPair]:
    return [TextPair(f"wort{number % words} haus", f"word{number % words} house") for number in range(pairs)]


def test_suggestions_grow_with_the_corpus_and_stay_within_it() -> None:
    tiny, small, larger = (look(corpus(pairs, 5000)) for pairs in (100, 3000, 60_000))
    assert (tiny.tokenizer, small.tokenizer) == ("character", "bpe")
    assert tiny.tokenizer_size <= small.tokenizer_size < larger.tokenizer_size
    assert look(corpus(60_000, 300)).tokenizer_size <= 602
    assert (tiny.held_out, small.held_out) == (0.1, 0.1)
    assert larger.held_out * larger.pairs == pytest.approx(1000, rel=0.3)
    assert small.joint


def test_text_without_blanks_gets_unigram() -> None:
    pairs = [TextPair(f"我昨天去了學校{number}", f"I went {number}") for number in range(600)]
    assert look(pairs).tokenizer == "unigram"


def test_the_longest_sentences_are_allowed_for() -> None:
    found = look(TextPair("wort " * words, "x " * words) for words in range(1, 101))
    assert 100 <= found.max_length <= 250
