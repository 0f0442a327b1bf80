"""The plan of an epoch of captions: units that stay together, sorted by length in pools, cut into batches, shuffled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jumok.data import mixing
from jumok.data.pictures.captions import CaptionTokens
from jumok.data.planning import POOL, BatchSettings

Numbers = npt.NDArray[np.int64]


class Units(NamedTuple):
    """What stays together in a batch: unit `i` has the captions `starts[i]` up to, not including, `starts[i + 1]`.

    lengths: the tokens of the longest of them, END included.
    """

    starts: Numbers
    lengths: Numbers

    @property
    def counts(self) -> Numbers:
        """How many captions each unit has."""
        return np.diff(self.starts)


def apart(captions: CaptionTokens) -> Units:
    """Each caption is a unit."""
    return Units(np.arange(len(captions) + 1), captions.side.lengths.astype(np.int64))


def together(captions: CaptionTokens) -> Units:
    """All captions of a picture are a unit."""
    firsts = np.flatnonzero(np.diff(captions.pictures, prepend=-1))
    lengths = np.maximum.reduceat(captions.side.lengths.astype(np.int64), firsts)
    return Units(np.append(firsts, len(captions)), lengths)


class UnitPlan(NamedTuple):
    """Batch `i` takes the units `order[cuts[i] : cuts[i + 1]]`; the batches come in the order `turns`."""

    units: Units
    order: Numbers
    cuts: Numbers
    turns: Numbers

    def __len__(self) -> int:
        return len(self.turns)

    def captions(self, turn: int, rank: int = 0, world: int = 1) -> Numbers:
        """The captions of the batch whose turn it is: of its units those with the numbers `rank::world`."""
        batch = self.turns[turn]
        units = self.order[self.cuts[batch] : self.cuts[batch + 1]]
        units = units[np.argsort(-self.units.lengths[units], kind="stable")][rank::world]
        starts = self.units.starts
        parts = [np.arange(starts[unit], starts[unit + 1]) for unit in units]
        return np.concatenate([*parts, np.empty(0, np.int64)])


def shuffled_plan(units: Units, settings: BatchSettings, seed: int, epoch: int) -> UnitPlan:
    """A plan that follows from (seed, epoch) alone."""
    order = mixing.shuffled(len(units.lengths), mixing.key(seed, epoch, 0)).astype(np.int64)
    cuts = _sort_and_cut(order, units, settings)
    return UnitPlan(units, order, cuts, mixing.shuffled(len(cuts) - 1, mixing.key(seed, epoch, 1)).astype(np.int64))


def sorted_plan(units: Units, settings: BatchSettings) -> UnitPlan:
    """Every unit, short ones first."""
    order = np.arange(len(units.lengths))
    cuts = _sort_and_cut(order, units, settings)
    return UnitPlan(units, order, cuts, np.arange(len(cuts) - 1))


def _sort_and_cut(order: Numbers, units: Units, settings: BatchSettings) -> Numbers:
    """Sort each pool of `order` in place by length, and say where its batches begin and end."""
    cuts = [0]
    pools = -(-len(order) // POOL)
    for pool in range(pools):
        start, end = len(order) * pool // pools, len(order) * (pool + 1) // pools
        part = order[start:end]
        part[:] = part[np.argsort(units.lengths[part], kind="stable")]
        cuts += [start + cut for cut in _cuts(part, units, settings)]
    return np.array(cuts, np.int64)


def _cuts(part: Numbers, units: Units, settings: BatchSettings) -> list[int]:
    """Where batches end: each takes units while captions, or captions times the longest, stay within the size."""
    lengths, counts = units.lengths[part].tolist(), units.counts[part].tolist()
    ends, held, longest = [], 0, 0
    for number, (length, count) in enumerate(zip(lengths, counts, strict=True)):
        more, longer = held + count, max(longest, length)
        if held and (more if settings.unit == "sentences" else more * longer) > settings.size:
            ends.append(number)
            more, longer = count, length
        held, longest = more, longer
    return [*ends, len(part)]
