"""Numbers that are too small to be normal, which slow a CPU down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import torch

Denormals = Literal["flushed", "kept", "mixed"]

_PIECE = 1 << 16
"""Numbers a thread gets at least when torch shares out an operation, twice over."""


@contextmanager
def flushed_denormals() -> Iterator[None]:
    """A block in which what is below 1e-38 counts as zero on the CPU.

    A product with such numbers takes up to 200 times as long, and sharp attention makes many of them: the gradients of
    words that are not looked at. The threads that torch works with take it over from the one that starts them, at the
    first large operation of a process; so the block has to begin before that.
    """
    before = _found(1) == "flushed"
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(before)


def denormals() -> Denormals:
    """What becomes of such numbers in this thread and in those that torch works with."""
    return _found(_PIECE * torch.get_num_threads())


def _found(size: int) -> Denormals:
    tiny = torch.full((size,), 1000, dtype=torch.int32).view(torch.float32)  # 1.4e-42
    zeros = int(((tiny * 1.0).view(torch.int32) == 0).sum())
    return "flushed" if zeros == size else "kept" if zeros == 0 else "mixed"
