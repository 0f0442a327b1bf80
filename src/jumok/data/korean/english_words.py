"""English forms: verbs, numbers, articles, pronouns."""

from __future__ import annotations

from functools import cache

from jumok.data.korean.lexicon import rows

_PAST = {row[0]: row[1] for row in rows("irregular.txt")}
_DOUBLING = ("get", "sit", "cut", "run", "swim", "set", "shop")

SUBJECTS = {"I": "I", "we": "we", "he": "he", "she": "she", "it": "it", "they": "they"}
POSSESSIVES = {"I": "my", "we": "our", "he": "his", "she": "her", "it": "its", "they": "their"}

_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)

FUNCTION_WORDS = frozenset(("a", "an", "the", "to", "for", "from", "on", "in", "at", "of", "up", "down")) | frozenset(
    ("with", "by", "as", "off", "be", "during", "one's")
)
"""Words that English verbs and phrases carry along: a link to one of them is possible, not sure."""


def number(value: int) -> str:
    """A number up to ninety-nine in words.

    >>> number(3), number(30), number(45)
    ('three', 'thirty', 'forty-five')
    """
    if value <= 20:
        return _NUMBERS[value]
    tens = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")[value // 10 - 2]
    return f"{tens}-{_NUMBERS[value % 10]}" if value % 10 else tens


def article(following: str) -> str:
    """The indefinite article before a word.

    >>> article("umbrella"), article("book"), article("one-piece")
    ('an', 'a', 'a')
    """
    return "an" if following[0] in "aeiouAEIOU" and not following.startswith(("one", "uni", "use")) else "a"


@cache
def verb(base: str, form: str) -> str:
    """A verb as `s` (he reads), `past` or `ing`.

    >>> verb("carry", "s"), verb("carry", "past"), verb("swim", "ing"), verb("lie", "ing"), verb("write", "ing")
    ('carries', 'carried', 'swimming', 'lying', 'writing')
    """
    hissing = base.endswith(("s", "x", "ch", "sh", "o"))
    after_consonant = base.endswith("y") and base[-2] not in "aeiou"
    if form == "s":
        if base == "have":
            return "has"
        return base + "es" if hissing else base[:-1] + "ies" if after_consonant else base + "s"
    if form == "past":
        regular = base + "d" if base.endswith("e") else base[:-1] + "ied" if after_consonant else base + "ed"
        return _PAST.get(base, regular)
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith("ee") and base != "be":
        return base[:-1] + "ing"
    return base + base[-1] + "ing" if base in _DOUBLING else base + "ing"


def be(who: str, tense: str) -> str:
    """The form of "be" for a subject.

    >>> be("I", "present"), be("they", "past"), be("she", "present")
    ('am', 'were', 'is')
    """
    many = who in ("we", "they")
    if tense == "past":
        return "were" if many else "was"
    return "am" if who == "I" else "are" if many else "is"


def singular(who: str) -> bool:
    """Whether the verb takes -s."""
    return who not in ("I", "we", "they")
