"""What processes do together: runs in FOLDER, for the tests to look at.

`torchrun --nproc_per_node=2 -m training.together FOLDER`, in the folder `tests`.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import torch

from jumok.training import NotFinite
from jumok.training.processes import first_alone, joined, rank_and_world
from training.toy import During, Toy, train


def curves(folder: Path) -> None:
    """50 updates without dropout; the last batch of an epoch has one row, so that some processes get none."""
    train(folder / "curve", Toy(0.0, examples=41), updates=50, learning_rate=0.01)
    train(folder / "accumulated", Toy(0.0, examples=41, size=4), accumulate=2, updates=50, learning_rate=0.01)


def resumed(folder: Path) -> None:
    """A run with dropout at once, and in two parts; wide enough to be summed piece by piece."""
    train(folder / "whole", Toy(width=300, size=9), updates=9)
    train(folder / "parts", Toy(width=300, size=9), updates=4)
    train(folder / "parts", Toy(width=300, size=9), updates=9, resume=True)


def stopped(folder: Path) -> None:
    """A signal that only the last process gets, and a loss that is not finite in one process."""
    rank, world = rank_and_world()
    toy = During(3, lambda: os.kill(os.getpid(), signal.SIGTERM) if rank == world - 1 else None)
    outcome = train(folder / "stopped", toy, updates=9)
    (folder / f"stopped{rank}").write_text(f"{outcome.reason} {outcome.update}")
    try:
        train(folder / "bad", Toy(bad=11), updates=9)
    except NotFinite as error:
        (folder / f"bad{rank}").write_text(str(error))


if __name__ == "__main__":
    torch.set_num_threads(1)
    where = Path(sys.argv[1])
    with joined(torch.device("cpu")) as place:
        with first_alone():
            if place.is_first:
                (where / "built").write_text("once")
            (where / f"seen{place.rank}").write_text((where / "built").read_text())
        curves(where)
        resumed(where)
        stopped(where)
