"""Which script a text is written in: letters are counted by script, for many texts at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

_RANGES = {
    "Latin": "41-5A 61-7A AA BA C0-D6 D8-F6 F8-2AF 1E00-1EFF 2C60-2C7F A722-A7FF FB00-FB06 FF21-FF3A FF41-FF5A",
    "Greek": "370-373 376-377 37B-37D 386 388-3FF 1F00-1FFF",
    "Cyrillic": "400-481 48A-52F 1C80-1C8F A640-A69F",
    "Armenian": "531-556 561-587",
    "Hebrew": "5D0-5F2 FB1D-FB4F",
    "Arabic": "620-64A 66E-6D3 6FA-6FF 750-77F 8A0-8C7 FB50-FDFB FE70-FEFC",
    "Devanagari": "904-963 971-97F",
    "Bengali": "985-9E3",
    "Tamil": "B83-BD7",
    "Telugu": "C05-C63",
    "Thai": "E01-E4E",
    "Georgian": "10A0-10FF 1C90-1CBF",
    "Ethiopic": "1200-135A",
    "Khmer": "1780-17D3",
    "Hangul": "1100-11FF 3131-318E A960-A97C AC00-D7A3 D7B0-D7FB FFA0-FFDC",
    "Kana": "3041-3096 309D-309F 30A1-30FA 30FC-30FF 31F0-31FF FF66-FF9D",
    "Han": "3005-3007 3400-4DBF 4E00-9FFF F900-FAFF 20000-323AF",
}

SCRIPTS = ("none", *_RANGES)
"""The scripts by number; `none` is text without a letter of any of them."""

_WEIGHTS = {"Hangul": 3, "Han": 3, "Kana": 2}
"""A syllable or a character that means a word counts as this many letters of an alphabet."""

LANGUAGES = {"Hangul": "Korean", "Kana": "Japanese", "Han": "Chinese", "Thai": "Thai", "Greek": "Greek"}
"""The language that a script tells; others serve many."""


@cache
def _table() -> NDArray[np.uint8]:
    """The script of every code point."""
    table = np.zeros(0x110000, dtype=np.uint8)
    for number, name in enumerate(SCRIPTS[1:], start=1):
        for stretch in _RANGES[name].split():
            first, _, last = stretch.partition("-")
            table[int(first, 16) : int(last or first, 16) + 1] = number
    return table


def letters(texts: Sequence[str]) -> NDArray[np.int64]:
    """How many letters of each script each text has, by weight: `(texts, scripts)`, the first column being 0.

    >>> counts = letters(["Go.", "가.", "YouTube를 봤다", "12"])
    >>> [SCRIPTS[script] for script in counts.argmax(1)]
    ['Latin', 'Hangul', 'Hangul', 'none']
    """
    points = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    cells = np.bincount(rows * len(SCRIPTS) + _table()[points], minlength=len(texts) * len(SCRIPTS))
    weights = np.array([0, *(_WEIGHTS.get(name, 1) for name in SCRIPTS[1:])], dtype=np.int64)
    return cells.reshape(len(texts), len(SCRIPTS)) * weights


def main_script(total: NDArray[np.int64]) -> str:
    """The script of most letters, given how many there are of each; `none` where no letter is of a known one.

    Japanese writes Han as well, so Kana that are a tenth of what Japanese would write are enough.
    """
    counts = dict(zip(SCRIPTS, total.tolist(), strict=True))
    if counts["Kana"] > 0.1 * (counts["Kana"] + counts["Han"]):
        counts["Kana"] += counts["Han"]
    return max(counts, key=counts.__getitem__)
