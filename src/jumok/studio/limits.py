"""What the server takes on: sizes, queues and patience."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """All bounds of the server. Beyond them it says so; it never grows."""

    body_bytes: int = 12_000_000
    """Of a request, pictures included."""
    body_seconds: float = 20.0
    """Until a request's body must have come."""
    characters: int = 20_000
    """Of all texts of a request together."""
    texts: int = 64
    """In a request."""
    waiting: int = 256
    """Inputs that wait for a model; more are turned away with 503."""
    calls: int = 64
    """Other work (answers, edits, graphs, ...) that is done or waits to be; more is turned away with 503."""
    streams: int = 16
    """Answers that are being told word by word at once."""
    together: int = 32
    """Inputs that go through a model at once."""
    pause: float = 0.005
    """Seconds that a free model waits for others to come along."""
    seconds: float = 60.0
    """Until an answer is given up."""
    beam: int = 16
    """The widest search."""


class Busy(Exception):
    """There are too many who wait; come back in a moment."""
