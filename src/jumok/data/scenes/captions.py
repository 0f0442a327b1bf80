"""Clauses in words, English and Korean; every word knows what it says and of which objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jumok.data import hangul
from jumok.data.scenes.lexicon import words
from jumok.data.scenes.telling import Clause, Group, groups_of, place_of
from jumok.data.scenes.things import Thing

_NUMBERS = ("", "a", "two", "three", "four")
_ENGLISH = {
    "left": "to the left of",
    "right": "to the right of",
    "next": "next to",
    "above": "above",
    "below": "below",
    "on": "on",
    "between": "between",
}
_KOREAN = {
    "left": "왼쪽",
    "right": "오른쪽",
    "next": "옆",
    "above": "위",
    "below": "아래",
    "on": "위",
    "between": "사이",
}
_SIZES = {"small": ("작", "regular"), "large": ("크", "으")}
_FLOATED_IN = frozenset(("sky", "night", "air", "sea"))
_FIGURE_FIRST = frozenset(("left", "right", "next", "between"))


@dataclass(frozen=True)
class Word:
    """A word of a caption: what spaces separate.

    `role` is size, colour, number, noun or counter for words that say something of an object; `objects` are the numbers
    of these objects in the scene. Other words have neither.
    """

    text: str
    role: str = ""
    objects: tuple[int, ...] = ()


def _plain(text: str) -> list[Word]:
    return [Word(word) for word in text.split()]


def _with(phrase: list[Word], end: str) -> list[Word]:
    """The phrase with a particle or a mark at its end."""
    return [*phrase[:-1], replace(phrase[-1], text=hangul.attach(phrase[-1].text, end))]


def _says_colour(group: Group) -> bool:
    """A kind that has but one colour is told without it."""
    return group.of_kind.colours != (group.colour,)


def english(things: Sequence[Thing], clauses: Sequence[Clause]) -> tuple[Word, ...]:
    """The caption in English."""
    twice = _kinds_told_twice(things)
    told: list[Word] = []
    for number, clause in enumerate(clauses):
        figure = _english_phrase(clause.figure, False, twice)
        be = "are" if len(clause.figure.members) > 1 else "is"
        opening = clause.relation not in _FIGURE_FIRST and number == 0
        phrase = [*_plain(f"There {be}"), *figure] if opening else [*figure, Word(be)]
        if clause.lane:
            place = place_of(clause.lane, clause.figure.of_kind)
            phrase += _plain(words().lanes[place].english)
        else:
            phrase += _plain(_ENGLISH[clause.relation])
            for count, anchor in enumerate(clause.anchors):
                phrase += [Word("and")] if count else []
                phrase += _english_phrase(anchor, clause.known, twice)
        last = number == len(clauses) - 1
        told += [Word("and")] if last and number else []
        told += _with(phrase, "." if last else ",")
    first = told[0]
    return (replace(first, text=first.text[0].upper() + first.text[1:]), *told[1:])


def _kinds_told_twice(things: Sequence[Thing]) -> set[str]:
    kinds = [group.kind for group in groups_of(things)]
    return {kind for kind in kinds if kinds.count(kind) > 1}


def _english_phrase(group: Group, known: bool, twice: set[str]) -> list[Word]:
    count, kind = len(group.members), group.of_kind
    noun = Word(kind.plural if count > 1 else kind.name, "noun", group.members)
    if known and group.kind not in twice:
        return [Word("the"), noun]
    phrase = [Word(group.size, "size", group.members)] if group.size != "middle" else []
    phrase += [Word(group.colour, "colour", group.members)] if _says_colour(group) else []
    phrase.append(noun)
    if known:
        return [Word("the"), *phrase]
    if count > 1:
        return [Word(_NUMBERS[count], "number", group.members), *phrase]
    return [Word("an" if phrase[0].text[0] in "aeiou" else "a"), *phrase]


def korean(things: Sequence[Thing], clauses: Sequence[Clause]) -> tuple[Word, ...]:
    """The caption in Korean."""
    twice = _kinds_told_twice(things)
    told: list[Word] = []
    for number, clause in enumerate(clauses):
        at = "에는" if number else "에"
        kind = clause.figure.of_kind
        be = "있"
        if clause.lane:
            place = place_of(clause.lane, kind)
            told += _with(_plain(words().lanes[place].korean), at)
            if "floating" in kind.tags and place in _FLOATED_IN:
                be = "떠 있"
            elif "hanging" in kind.tags and place == "wall":
                be = "걸려 있"
        else:
            anchors = [_korean_phrase(anchor, clause.known, twice) for anchor in clause.anchors]
            for phrase in anchors[:-1]:
                told += _with(phrase, "과")
            told += [*anchors[-1], Word(_KOREAN[clause.relation] + at)]
        figure = _korean_phrase(clause.figure, False, twice, counts_one=True)
        told += _with(figure, "이")
        last = number == len(clauses) - 1
        told += _plain(f"{be}다." if last else f"{be}고,")
    return tuple(told)


def _korean_phrase(group: Group, known: bool, twice: set[str], counts_one: bool = False) -> list[Word]:
    count, kind = len(group.members), group.of_kind
    noun = Word(kind.korean, "noun", group.members)
    if known and group.kind not in twice:
        return [noun]
    phrase = [*_korean_adjectives(group), noun]
    uncounted = not counts_one or not kind.counter or "uncounted" in kind.tags
    if known or (count == 1 and uncounted):
        return phrase
    if count == 1 and kind.counter == "개":
        return [*phrase, Word(hangul.native(1, counter=False), "number", group.members)]
    number, counter = hangul.counted(count, kind.counter or "개").split()
    return [*phrase, Word(number, "number", group.members), Word(counter, "counter", group.members)]


def _korean_adjectives(group: Group) -> list[Word]:
    """작고 빨간, but 작은 초록색: an adjective takes 고 before another one only."""
    colour = words().colours[group.colour] if _says_colour(group) else None
    found = []
    if group.size in _SIZES:
        stem, kind = _SIZES[group.size]
        adjective = colour is not None and not colour.is_noun
        found.append(Word(hangul.conjugate(stem, kind, "고" if adjective else "(으)ㄴ"), "size", group.members))
    if colour is not None:
        found.append(Word(colour.before_noun, "colour", group.members))
    return found
