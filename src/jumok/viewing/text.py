"""Labels as they are shown, and how wide they are before any font is known."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

FONTS = (
    "Pretendard, 'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic', NanumGothic, system-ui,"
    " sans-serif"
)
"""Families for pictures that carry text, not glyphs; each system has one of those that hold Hangul."""

SPACE = "▁"
"""Stands before a piece that begins a word."""
MADE_VISIBLE = {"\n": "⏎", "\r": "⏎", "\t": "⇥", " ": "␣"}
THIN = frozenset("iljtfrI.,:;!|'`()[]{}·")


def shown(label: str) -> str:
    """A label on one line, without letters that cannot be seen or that XML forbids.

    >>> shown("one\\ntwo\\x00"), shown(" ")
    ('one⏎two�', '␣')
    """
    if label in MADE_VISIBLE:
        return MADE_VISIBLE[label]
    return "".join(_shown(letter) for letter in label)


def pieces(labels: Sequence[str], words: Sequence[int]) -> tuple[str, ...]:
    """The labels of a side. The mark of a space before a word goes; a piece that goes on with a word gets a hyphen.

    >>> pieces(["▁읽", "은", "▁책", ".", "<end>"], [0, 0, 1, 1, -1])
    ('읽', '-은', '책', '.', '<end>')
    """
    if not any(label.startswith(SPACE) for label in labels):
        return tuple(shown(label) for label in labels)
    goes_on = [False, *(one == other != -1 for one, other in pairwise(words))]
    bare = [label.removeprefix(SPACE) or label for label in labels]
    return tuple(
        shown(f"-{text}" if on and text[0].isalnum() else text) for text, on in zip(bare, goes_on, strict=True)
    )


def ems(text: str, bold: bool = False) -> float:
    """The width of a text in units of its font's size, as most fonts have it: Hangul 1, Latin about a half.

    bold: bold letters, which are wider.

    >>> ems("주목"), round(ems("look"), 2)
    (2.0, 2.13)
    """
    return (1.15 if bold else 1.0) * sum(_ems(letter) for letter in text)


def widest(texts: Sequence[str]) -> float:
    """The width of the widest, in ems; 0 where there is none."""
    return max((ems(text) for text in texts), default=0.0)


def shortened(text: str, limit: float) -> str:
    """A text of at most `limit` ems; one that is longer ends with an ellipsis.

    >>> shortened("incomprehensibilities", 5.0)
    'incompr…'
    """
    if ems(text) <= limit:
        return text
    kept, width = "", 1.0
    for letter in text:
        width += _ems(letter)
        if width > limit:
            break
        kept += letter
    return kept + "…"


def figure(value: float) -> str:
    """A number for people: as many digits as it needs, four at most.

    >>> figure(0.25), figure(12.0), figure(1234.5)
    ('0.25', '12', '1,234.5')
    """
    digits = 4 if abs(value) < 10 else 1
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def length(value: float) -> str:
    """A length in pixels, with no more digits than can be seen.

    >>> length(12.0), length(1 / 3)
    ('12', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _shown(letter: str) -> str:
    if letter in MADE_VISIBLE and letter != " ":
        return MADE_VISIBLE[letter]
    kind = unicodedata.category(letter)
    joins = letter in "\u200c\u200d"  # they hold emoji and Indic letters together
    return "�" if kind in ("Cc", "Cn", "Cs", "Zl", "Zp") or (kind == "Cf" and not joins) else letter


def _ems(letter: str) -> float:
    if unicodedata.combining(letter) or letter in "\u200c\u200d\ufe0e\ufe0f" or "\U0001f3fb" <= letter <= "\U0001f3ff":
        return 0.0
    if unicodedata.east_asian_width(letter) in ("W", "F"):
        return 1.25 if ord(letter) >= 0x1F000 else 1.0
    if letter in THIN:
        return 0.33
    if letter in "mwMW@%▁…—":
        return 0.9
    return 0.7 if letter.isupper() else 0.6 if letter != " " else 0.3
