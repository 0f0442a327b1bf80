"""Several processes that train one model, started by torchrun; alone, all of this does nothing."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import NamedTuple, TypeVar

import torch
import torch.distributed as dist

T = TypeVar("T")

# Others wait as long as the first process evaluates or writes; torchrun stops all when one is lost.
PATIENCE = timedelta(days=1)


class Place(NamedTuple):
    """Which process this is, of how many."""

    rank: int
    world: int

    @property
    def is_first(self) -> bool:
        return self.rank == 0


def rank_and_world() -> Place:
    """This process among all; (0, 1) outside torchrun."""
    if _joined():
        return Place(dist.get_rank(), dist.get_world_size())
    return Place(int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1")))


@contextmanager
def joined(device: torch.device) -> Iterator[Place]:
    """Processes that hear each other: gloo on the CPU, nccl on CUDA. Blocks may be nested; the outermost one counts."""
    if _joined() or rank_and_world().world == 1:
        yield rank_and_world()
        return
    if device.type == "cuda":
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo", timeout=PATIENCE)
    yield rank_and_world()
    dist.barrier()
    gc.collect()  # gloo's threads must end before Python does, and end when nothing holds the group any more
    dist.destroy_process_group()


@contextmanager
def first_alone() -> Iterator[None]:
    """A block that the first process runs alone; the others run it after (a cache is built once, then read)."""
    place = rank_and_world()
    if not place.is_first:
        wait()
    yield
    if place.is_first:
        wait()


def wait() -> None:
    """Until all processes are here."""
    if _joined():
        dist.barrier()


def summed(values: Sequence[float], device: torch.device) -> list[float]:
    """The sums over all processes, the same bits in each."""
    if not _joined():
        return list(values)
    on = device if device.type == "cuda" else torch.device("cpu")
    sums = torch.tensor(values, dtype=torch.float64, device=on)
    dist.all_reduce(sums)
    return sums.tolist()


def from_first(value: T, device: torch.device) -> T:
    """What the first process holds, in every process."""
    if not _joined():
        return value
    held = [value]
    dist.broadcast_object_list(held, src=0, device=device if device.type == "cuda" else None)
    return held[0]


def gathered(value: T) -> list[T]:
    """What each process holds, by rank."""
    if not _joined():
        return [value]
    held: list[T | None] = [None] * dist.get_world_size()
    dist.all_gather_object(held, value)
    return held  # type: ignore[return-value]


def _joined() -> bool:
    return dist.is_available() and dist.is_initialized()
