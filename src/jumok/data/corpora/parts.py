"""Which sentences belong to a split: a hash puts every source between 0 and 1, and a part is a stretch of that."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import NamedTuple

_PUNCTUATION = re.compile(r"[\s!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u205e\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]+")


def sentence_key(text: str) -> int:
    """A number of 64 bits for a sentence, the same whatever its case, blanks and punctuation.

    >>> sentence_key("Go home!") == sentence_key("go home.") != sentence_key("Go on!")
    True
    """
    return text_key(_PUNCTUATION.sub("", text.lower()) or text)


def text_key(text: str) -> int:
    """A number of 64 bits for a text, the same on every machine."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


class Part(NamedTuple):
    """The sentences whose hash is at least `low` and less than `high`, of all that are between 0 and 1.

    All translations of one source sentence fall into one part, and parts that do not overlap share no source.

    >>> halves = Part(0.0, 0.5), Part(0.5, 1.0)
    >>> [sum(half.has(f"sentence {number}") for number in range(1000)) for half in halves]
    [506, 494]
    """

    low: float
    high: float

    def has(self, source: str) -> bool:
        """Whether a source sentence belongs to this part."""
        return int(self.low * 2**64) <= sentence_key(source) < int(self.high * 2**64)
