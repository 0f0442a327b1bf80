"""Which device to train on, and with how many threads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch


def choose(name: str) -> torch.device:
    """The device of a name; 'auto' is CUDA (each process its own) where it is there, else the CPU, and never MPS."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ValueError(f"device {name!r}: there is none of that name; give auto, cpu, cuda, cuda:1 or mps") from None
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError(f"device {name!r}: is not here (torch sees no CUDA); give auto or cpu")
    if device.type == "mps" and not torch.backends.mps.is_available():
        raise ValueError(f"device {name!r}: is not here (torch sees no Apple GPU); give auto or cpu")
    if str(device) == "cuda":
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return device


@contextmanager
def threads(number: int | None) -> Iterator[None]:
    """A block in which torch uses so many CPU threads; None changes nothing."""
    before = torch.get_num_threads()
    try:
        if number is not None:
            torch.set_num_threads(number)
        yield
    finally:
        torch.set_num_threads(before)
