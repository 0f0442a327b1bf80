"""Encodings: the names that Python knows, and a guess at the one that a file is in."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from encodings.aliases import aliases

from jumok.core.names import nearest

_SYLLABLE = re.compile("[가-힣]")
_COMMON_SYLLABLE = re.compile("[이다는을의가에고지를하은도로한어서나기리사]")
_KANA = re.compile("[ぁ-んァ-ヶ]")
_WESTERN = re.compile("[\u00a0\u00a1\u00ab\u00b0\u00bb\u00bfÀ-ÖØ-öø-ÿŒœŠšŽž‘’“”„–—…€]")


def checked_encoding(name: str) -> str:
    """`name`, if it is the name of a text encoding; else a `ValueError` with the nearest one."""
    try:
        "\n".encode(name)
    except (LookupError, ValueError):
        close = nearest(name, {*aliases, *aliases.values()})
        hint = f"; did you mean {close!r}?" if close else ", such as utf-8 or cp949"
        raise ValueError(f"expected the name of a text encoding{hint}") from None
    return name


def codec_of(name: str) -> str:
    """The one name of an encoding that has several; a byte-order mark is a matter of the file, not of the name.

    >>> codec_of("UTF8"), codec_of("utf-8-sig"), codec_of("ms949")
    ('utf-8', 'utf-8', 'cp949')
    """
    codec = codecs.lookup(name).name
    return "utf-8" if codec == "utf-8-sig" else codec


def guess(sample: bytes) -> str | None:
    r"""The encoding that makes sense of all of `sample`, lines that are not ASCII; None where none does.

    >>> guess("나는 학교에 갔다.".encode("cp949")), guess("Le garçon était là.".encode("latin-1")), guess(b"\xff")
    ('cp949', 'cp1252', None)
    """
    for encoding, makes_sense in _SENSE.items():
        try:
            text = sample.decode(encoding)
        except UnicodeDecodeError:
            continue
        if makes_sense(text):
            return encoding
    return None


def _korean(text: str) -> bool:
    """Nearly all letters are Hangul syllables, and many of these are of the common ones."""
    syllables = len(_SYLLABLE.findall(text))
    letters = sum(character.isalpha() and not character.isascii() for character in text)
    return syllables > 0.9 * letters and len(_COMMON_SYLLABLE.findall(text)) >= 0.15 * syllables


def _japanese(text: str) -> bool:
    """A third of the letters is kana."""
    return len(_KANA.findall(text)) > 0.3 * sum(character.isalpha() and not character.isascii() for character in text)


def _western(text: str) -> bool:
    """Some accents and quotation marks among many plain letters."""
    others = sum(not character.isascii() for character in text)
    plain = sum(character.isalpha() and character.isascii() for character in text)
    return others < 0.4 * plain and len(_WESTERN.findall(text)) > 0.9 * others


_SENSE: dict[str, Callable[[str], bool]] = {
    "utf-8": lambda text: "\0" not in text,
    "cp949": _korean,
    "cp932": _japanese,
    "cp1252": _western,
}
