"""Other words for a place in a practice sentence: those that stood in its like beside the same word.

Nouns are exchanged for nouns with the same particle that some sentence has beside the same verb, verbs for verbs that
some sentence has beside the same noun; so what is offered is what the practice language says.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import NamedTuple

from jumok.data.hangul import final_sound
from jumok.data.korean import Korean

SENTENCES, LONGEST, MOST = 6000, 7, 12
PARTICLES = (
    ("에서", "에게", "까지", "부터", "처럼", "하고"),
    ("은", "는", "이", "가", "을", "를", "에", "도", "의", "로", "와", "과", "만"),
)
ALIKE = {"은": "는", "이": "가", "을": "를", "과": "와"}
"""Particles that differ only by the sound before them."""


class Others(NamedTuple):
    """What fits in place of the words from `first` to before `end`."""

    first: int
    end: int
    words: list[str]


def others(text: str, place: int) -> Others:
    """Words that fit in place of the word at `place`, counted from 0; the likeliest first, at most twelve.

    None are offered for words whose end says nothing, such as adverbs.
    """
    words = text.split()
    if not 0 <= place < len(words):
        raise ValueError(f"there is no word {place}: the text has {len(words)}, counted from 0")
    units = _units(words)
    number = min(place, len(units) - 1)  # the last unit may have two words
    unit, end = units[number], len(words) if number == len(units) - 1 else number + 1
    found: Counter[str] = Counter()
    if kind(unit):
        for companion in _companions(units, number):
            found.update(_seen()[kind(unit), companion])
    return Others(number, end, [other for other, _ in found.most_common(MOST + 1) if other != unit][:MOST])


def _units(words: list[str]) -> list[str]:
    """The words of a sentence; 둘 것이다 and its like count as one."""
    if len(words) > 1 and words[-1].startswith(("것", "거", "겁")):
        return [*words[:-2], f"{words[-2]} {words[-1]}"]
    return list(words)


def kind(word: str) -> str:
    """What a word is by its end: its particle, the end of a sentence, or neither.

    >>> kind("사과를"), kind("책을"), kind("샀다."), kind("어제")
    ('를', '를', '.', '')
    """
    if word.endswith("."):
        return "."
    for particles in PARTICLES:
        for particle in particles:
            stem = word.removesuffix(particle)
            if stem not in (word, "") and _fits(stem, particle):
                return ALIKE.get(particle, particle)
    return ""


def _fits(stem: str, particle: str) -> bool:
    """Whether a particle can follow a stem that ends so: 은, 이, 을 and 과 after a final sound, their like without."""
    if particle in ALIKE:
        return bool(final_sound(stem))
    return not final_sound(stem) if particle in ALIKE.values() else True


def _companions(words: list[str], place: int) -> list[str]:
    """The word that decides what fits: for a verb the noun before it, else the last word."""
    last = len(words) - 1
    if place != last:
        return [words[last]]
    return [word for word in reversed(words[:last]) if kind(word)][:1] or words[max(last - 1, 0) : last]


@cache
def _seen() -> dict[tuple[str, str], Counter[str]]:
    """Words by their kind and a word that they stood beside."""
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for pair in Korean(77).pairs(SENTENCES, max_words=LONGEST):
        units = _units(pair.source.split())
        for place, unit in enumerate(units):
            for companion in _companions(units, place):
                seen[kind(unit), companion][unit] += 1
    return seen
