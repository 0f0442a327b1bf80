"""One spelling for one text: composed letters, plain spaces, nothing that cannot be seen."""

from __future__ import annotations

import re
import unicodedata

VERSION = 1
"""The version of these rules; a change to the text that they give raises it, and caches are made anew."""

_CONTROLS = (*range(0x20), *range(0x7F, 0xA0))
_UNSEEN = (
    *(0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
)
_TABLE: dict[int, str | None] = {**dict.fromkeys(_CONTROLS, " "), **dict.fromkeys(_UNSEEN)}
_JOINERS = "\u200c\u200d"
_SURROGATE = re.compile("[\ud800-\udfff]")


def normalize(text: str, lowercase: bool = False) -> str:
    r"""The text as it is trained on.

    - Every blank (no-break spaces, tabs, U+3000), every line or paragraph separator and every control character is a
      space; runs of them are one space; none is left at the ends.
    - What shows nothing is taken out: zero-width space, word joiner, byte-order mark, soft hyphen, marks of
      direction. The joiners U+200C and U+200D stay, for they change letters; alone they are nothing.
    - Letters are composed (NFC), and lower case if asked for.

    Half of a surrogate pair, which no file can hold, is a `ValueError`.

    >>> normalize("  Cafe\u0301\u00a0\u2028fermé\ufeff\x07 ! ")
    'Café fermé !'
    """
    text = " ".join(text.split())
    if not text.isprintable():
        text = _cleared(text)
    if lowercase:
        text = text.lower()
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _cleared(text: str) -> str:
    if _SURROGATE.search(text):
        raise ValueError("half of a surrogate pair")
    text = " ".join(text.translate(_TABLE).split())
    return text if text.strip(_JOINERS + " ") else ""
