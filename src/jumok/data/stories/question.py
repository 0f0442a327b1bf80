"""A question about a story: the record that readers and generators give."""

from __future__ import annotations

from typing import NamedTuple


class Question(NamedTuple):
    """A question, the sentences that were told before it, and what is right."""

    story: tuple[str, ...]
    text: str
    answer: str
    support: tuple[int, ...] = ()
    """The numbers of the sentences that the answer follows from, counted from 0."""
    task: str = ""
    """The kind of question that it is."""
