"""What a reader finds in its files: rows that hold a pair, and faults that say what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, Protocol

Side = Literal["source", "target"]

MEND = "mend it, or leave such pairs out with data.on_error=skip"


class TextPair(NamedTuple):
    """A sentence and its translation, normalised, neither of them empty."""

    source: str
    target: str


class Row(NamedTuple):
    """A pair with the number of its line or row, which its corpus can tell as a place."""

    number: int
    source: str
    target: str


class Fault(NamedTuple):
    """Why a row is no pair.

    place: the file and line. reason: short, the same for all rows of which it is true, as they are counted by it.
    detail: of this row. advice: what to do. lost: how many rows
    are lost by it. text: the line, as far as it was read.
    """

    place: str
    reason: str
    detail: str = ""
    advice: str = MEND
    lost: int = 1
    text: str = ""

    def error(self) -> ValueError:
        """The fault as one line."""
        return ValueError(f"{self.place}: {self.reason}{f' ({self.detail})' if self.detail else ''}; {self.advice}")


class Reader(Protocol):
    """Reads one kind of corpus, as it is written."""

    @property
    def name(self) -> str:
        """What is read, for people."""
        ...

    def rows(self) -> Iterator[Row | Fault]:
        """Yields what is there, in order."""
        ...

    def place(self, number: int, side: Side) -> str:
        """Where the row `number` is, as people say it: `train.de:17`."""
        ...

    def content(self) -> Iterator[bytes]:
        """Yields bytes that change when the text does, for a fingerprint."""
        ...
