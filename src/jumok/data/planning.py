"""The plan of an epoch: which pairs make a batch, and which batch comes when. Follows from (seed, epoch) alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from jumok.core.settings import Settings
from jumok.data import mixing

POOL = 1 << 16
"""Pairs are sorted by length in pools of about this size: few of them are padded, and every epoch mixes them anew."""

Lengths = npt.NDArray[np.uint16]


class BatchSettings(Settings):
    """How many pairs go through the model at once."""

    size: int = Field(default=64, ge=1)
    """Sentences or tokens in a batch; all processes together, where there are several."""

    unit: Literal["sentences", "tokens"] = "sentences"
    """What `size` counts. Tokens: rows times the longest sentence of either side; a pair that is longer is alone."""


class Plan(NamedTuple):
    """Batch `i` takes the rows `order[cuts[i] : cuts[i + 1]]`; the batches come in the order `turns`."""

    order: npt.NDArray[np.int32]
    cuts: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.turns)

    def rows(self, turn: int) -> npt.NDArray[np.int64]:
        """The rows of the batch whose turn it is."""
        batch = self.turns[turn]
        return self.order[self.cuts[batch] : self.cuts[batch + 1]].astype(np.int64)


def shuffled_plan(source: Lengths, target: Lengths, settings: BatchSettings, seed: int, epoch: int) -> Plan:
    """Shuffle the pairs, sort each pool of them by length, cut it into batches, shuffle the batches."""
    order = mixing.shuffled(len(target), mixing.key(seed, epoch, 0))
    cuts = _sort_and_cut(order, source, target, settings)
    return Plan(order, cuts, mixing.shuffled(len(cuts) - 1, mixing.key(seed, epoch, 1)))


def sorted_plan(source: Lengths, target: Lengths, settings: BatchSettings) -> Plan:
    """Every pair, short ones first, for evaluation."""
    order = np.arange(len(target), dtype=np.int32)
    cuts = _sort_and_cut(order, source, target, settings)
    return Plan(order, cuts, np.arange(len(cuts) - 1, dtype=np.int32))


def _sort_and_cut(
    order: npt.NDArray[np.int32], source: Lengths, target: Lengths, settings: BatchSettings
) -> npt.NDArray[np.int64]:
    """Sort each pool of `order` in place, and say where its batches begin and end."""
    cuts = [np.zeros(1, np.int64)]
    for start, end in _even(len(order), POOL):
        pool = order[start:end]
        pool[:] = pool[_by_length(source[pool], target[pool])]
        if settings.unit == "sentences":
            ends = np.array([end for _, end in _even(len(pool), settings.size)], np.int64)
        else:
            ends = _by_budget(np.maximum(source[pool], target[pool]), settings.size)
        cuts.append(start + ends)
    return np.concatenate(cuts)


def _even(count: int, most: int) -> Iterator[tuple[int, int]]:
    """Cut `count` items into as few parts of at most `most` as can be, none smaller than another by more than one."""
    parts = -(-count // most)
    for part in range(parts):
        yield count * part // parts, count * (part + 1) // parts


def _by_length(source: Lengths, target: Lengths) -> npt.NDArray[np.int64]:
    """The order by target length, then by source length: upwards where the target length is even, else downwards.

    So the source length does not jump where one target length ends and the next begins.
    """
    up, widest = source.astype(np.uint64), np.uint64(np.iinfo(np.uint16).max)
    packed = np.where(target % 2 == 0, up, widest - up)
    packed |= target.astype(np.uint64) << np.uint64(16)
    packed <<= np.uint64(32)
    packed |= np.arange(len(target), dtype=np.uint64)
    packed.sort()
    return (packed & np.uint64(0xFFFFFFFF)).astype(np.int64)


def _by_budget(lengths: Lengths, budget: int) -> npt.NDArray[np.int64]:
    """Where batches end, if each takes as many pairs as stay within `budget` when padded to the longest."""
    ends = []
    start = 0
    while start < len(lengths):
        most = max(budget // int(lengths[start]), 1)
        longest = np.maximum.accumulate(lengths[start : start + most]).astype(np.int64)
        fit = int(np.count_nonzero(longest * np.arange(1, len(longest) + 1) <= budget))
        start += max(fit, 1)
        ends.append(start)
    return np.array(ends, np.int64)
