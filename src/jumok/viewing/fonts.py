"""Fonts that hold the letters of a picture, found among those that matplotlib knows; none of its settings change."""

from __future__ import annotations

import importlib.util
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PREFERRED = (
    *("DejaVu Sans", "Pretendard", "Noto Sans KR", "Noto Sans CJK KR", "Apple SD Gothic Neo"),
    *("Malgun Gothic", "NanumGothic", "NanumBarunGothic", "Noto Sans", "Segoe UI Symbol"),
)
"""Families in the order in which they are tried; DejaVu Sans comes with matplotlib. Then all others, by name."""

SHIPPED = "koreanize_matplotlib"
"""A package that ships NanumGothic; its folder is read, the package itself never imported (it changes settings)."""

NOT_FOR_READING = ("Last Resort", "STIXSize", "STIXNonUnicode", "cm", "LastResort")
"""Beginnings of families that draw a picture of a letter's kind, or formulas, in place of the letter."""

STAND_INS = {"▁": "_"}
"""Letters that look alike; a box for all others."""


@dataclass(frozen=True)
class Font:
    """A file, and the family that matplotlib knows it by."""

    name: str
    path: str
    shipped: bool = False


@dataclass(frozen=True)
class Fonts:
    """The fonts of one picture: the main one holds most of its letters, others fill in."""

    main: Font
    others: tuple[Font, ...] = ()

    @classmethod
    def holding(cls, texts: Iterable[str]) -> Fonts:
        """Fonts for all letters of `texts`; one warning names the letters that cannot be drawn."""
        texts = tuple(texts)
        left = {letter for text in texts for letter in text if letter != " "}
        known = list(_known())
        main = max(known, key=lambda font: len(left & _letters(font.path)))  # the first of equals
        left -= _letters(main.path)
        others = []
        for font in known:
            found = left & _letters(font.path)
            if found and not font.shipped:
                others.append(font)
                left -= found
        chosen = cls(main, tuple(others))
        lost = set[str]().union(*(chosen._lost(text) for text in texts))
        if lost:
            warnings.warn(_lacks(lost), UserWarning, stacklevel=2)
        return chosen

    def of(self, text: str) -> tuple[str, Any]:
        """A text and the font to set it in; letters that cannot be drawn became empty boxes."""
        from matplotlib.font_manager import FontProperties

        if self._draws(self.main, text) or (self.main.shipped and not self._alone(text)) or not self.others:
            return _held(text, _letters(self.main.path)), FontProperties(fname=self.main.path)
        if self.main.shipped:  # matplotlib does not list it, so it cannot share a text with others
            path = self._alone(text)[0].path
            return _held(text, _letters(path)), FontProperties(fname=path)
        families = (self.main, *self.others)
        letters = frozenset[str]().union(*(_letters(font.path) for font in families))
        return _held(text, letters), FontProperties(family=[font.name for font in families])

    def _lost(self, text: str) -> set[str]:
        """The letters of a text that are not drawn."""
        return {letter for letter in text if _is_seen(letter)} - {*self.of(text)[0], *STAND_INS}

    def _alone(self, text: str) -> list[Font]:
        """The other fonts that draw all of a text by themselves."""
        return [font for font in self.others if self._draws(font, text)]

    def _draws(self, font: Font, text: str) -> bool:
        letters = _letters(font.path)
        return all(letter in letters or STAND_INS.get(letter) in letters for letter in text if _is_seen(letter))


def _known() -> Iterator[Font]:
    """Regular upright fonts: those preferred, the shipped one, then all others."""
    by_family = dict(_regular())
    yield from (Font(name, by_family[name]) for name in PREFERRED if name in by_family)
    yield from _shipped()
    yield from (Font(name, path) for name, path in sorted(by_family.items()) if name not in PREFERRED)


def _regular() -> Iterator[tuple[str, str]]:
    """Every family with the file that matplotlib would take for its regular face."""
    from matplotlib.font_manager import fontManager

    for entry in reversed(fontManager.ttflist):
        regular = entry.weight in (400, "normal", "regular") and entry.stretch == "normal"
        if entry.style == "normal" and regular and not entry.name.startswith(NOT_FOR_READING):
            yield entry.name, entry.fname


def _shipped() -> Iterator[Font]:
    spec = importlib.util.find_spec(SHIPPED)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "fonts" / "NanumGothic.ttf"
        if path.is_file():
            yield Font("NanumGothic", str(path), shipped=True)


@cache
def _letters(path: str) -> frozenset[str]:
    """The letters that a font file draws; none where matplotlib cannot read it."""
    from matplotlib.ft2font import FT2Font

    try:
        return frozenset(map(chr, FT2Font(path).get_charmap()))
    except (OSError, RuntimeError):
        return frozenset()


def _is_seen(letter: str) -> bool:
    """Not spaces, nor joiners and variation selectors, which only change the letters beside them."""
    return letter != " " and unicodedata.category(letter) not in ("Cf", "Mn")


def _held(text: str, letters: frozenset[str]) -> str:
    """A text without what a font cannot draw."""
    return "".join(
        _stand_in(letter, letters) for letter in text if _is_seen(letter) or letter in letters or letter == " "
    )


def _stand_in(letter: str, letters: frozenset[str]) -> str:
    if letter in letters or letter == " ":
        return letter
    return next((other for other in STAND_INS.get(letter, "□") if other in letters), "?")


def _lacks(letters: set[str]) -> str:
    some = " ".join(sorted(letters)[:10]) + (" ..." if len(letters) > 10 else "")
    korean = any("ᄀ" <= letter <= "ᇿ" or "㄰" <= letter <= "힣" for letter in letters)
    advice = (
        'install one that has (such as NanumGothic: pip install "jumok[fonts]")' if korean else "install one that has"
    )
    return f"no font here has {some}; {advice}, or save as .svg"
