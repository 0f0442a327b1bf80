"""The part of speech of an English word of the language, for figures by kind of word."""

from __future__ import annotations

from functools import cache

from jumok.data.korean.english_words import POSSESSIVES, SUBJECTS, verb
from jumok.data.korean.lexicon import lexicon, rows

_CLOSED = {
    "article": "a an the this that these those",
    "pronoun": " ".join([*SUBJECTS.values(), *POSSESSIVES.values(), "me us him them who which where there it"]),
    "preposition": "in on at to from with by for of behind under next front during as off up down into before after"
    " than",
    "conjunction": "and but or because if when while soon then even though so",
    "auxiliary": "am is are was were be been being do does did will can could not has have had want wants wanted start"
    " starts started decide decides decided",
    "time": "hour hours o'clock half past time",
    "adjective": "tired sleepy busy hungry thirsty full bored dirty happy good",
    "adverb": "very",
}


def part_of_speech(word: str) -> str:
    """noun, verb, adjective, adverb, name, number, time, or one of the kinds of small words; "other" where unknown.

    A word with several uses has one label: small words first, then nouns, verbs, adjectives, adverbs.

    >>> [part_of_speech(word) for word in "The tall boy quickly ate three apples.".split()]
    ['article', 'adjective', 'noun', 'adverb', 'verb', 'number', 'noun']
    """
    bare = word.strip(".,?!")
    return _known().get(bare) or _known().get(bare.lower()) or "other"


@cache
def _known() -> dict[str, str]:
    words = lexicon()
    found: dict[str, str] = {}

    def add(text: str, label: str) -> None:
        for part in text.split():
            found.setdefault(part, label)

    for label, texts in _CLOSED.items():
        add(texts, label)
    add("one two three four five six seven eight nine ten eleven twelve thirty", "number")
    for noun in words.nouns:
        label = "name" if "name" in noun.classes else "noun"
        for text in (noun.english, noun.plural, noun.piece):
            add(text, label)
    for row in rows("times.txt"):
        add(row[1], "time")
    for frame in words.frames:
        head, *rest = frame.english.split()
        if frame.part == "adjective":
            add(" ".join(rest or [head]), "adjective")
            continue
        for form in (head, *(verb(head, kind) for kind in ("s", "past", "ing"))):
            add(form, "verb")
        add(" ".join(rest), "noun")
    for adjective in words.adjectives:
        add(f"{adjective.english} {adjective.comparative}", "adjective")
    for row in rows("adverbs.txt"):
        add(row[1], "adverb")
    return found
