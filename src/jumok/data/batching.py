"""Batches of one epoch, each built when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, overload

import numpy as np
import torch

from jumok.data import mixing
from jumok.data.batch import Batch
from jumok.data.planning import BatchSettings, Plan, shuffled_plan, sorted_plan
from jumok.data.shards import Numbers, Shards
from jumok.data.tokenization import Tokenizer


class Moment(NamedTuple):
    """What the random numbers of BPE dropout follow from, beside the sentence."""

    seed: int
    epoch: int


class PlannedBatches(Sequence[Batch]):
    """The batches of a plan. `batches[i]` is built on demand, so that going on in the middle costs nothing.

    Of each batch, process `rank` of `world` gets the rows `rank::world`; where the batch has too few rows, none.
    """

    def __init__(self, shards: Shards, plan: Plan, moment: Moment | None, rank: int, world: int) -> None:
        if not 0 <= rank < world:
            raise ValueError(f"rank {rank} is not one of {world} processes")
        self.shards, self.plan, self.moment, self.rank, self.world = shards, plan, moment, rank, world

    def __len__(self) -> int:
        return len(self.plan)

    @overload
    def __getitem__(self, index: int) -> Batch: ...
    @overload
    def __getitem__(self, index: slice) -> list[Batch]: ...
    def __getitem__(self, index: int | slice) -> Batch | list[Batch]:
        if isinstance(index, slice):
            return [self[turn] for turn in range(*index.indices(len(self)))]
        rows = self.plan.rows(range(len(self))[index])
        rows = rows[_longest_first(self.shards.source_lengths[rows].astype(np.int64))]
        return build_batch(self.shards, rows[self.rank :: self.world], self.moment)


class Batches(PlannedBatches):
    """The batches of one epoch; they follow from (seed, epoch) alone."""

    def __init__(
        self, shards: Shards, settings: BatchSettings, seed: int, epoch: int, rank: int = 0, world: int = 1
    ) -> None:
        plan = shuffled_plan(shards.source_lengths, shards.target_lengths, settings, seed, epoch)
        super().__init__(shards, plan, Moment(seed, epoch), rank, world)


def every_pair(shards: Shards, settings: BatchSettings, rank: int = 0, world: int = 1) -> PlannedBatches:
    """Batches for evaluation: every pair once, short ones first, without BPE dropout."""
    plan = sorted_plan(shards.source_lengths, shards.target_lengths, settings)
    return PlannedBatches(shards, plan, None, rank, world)


def build_batch(shards: Shards, rows: Numbers, moment: Moment | None = None) -> Batch:
    """These rows of the shards as a batch."""
    numbers = shards.numbers[rows]
    source = shards.source.padded(rows, _keys(numbers, moment, 0))
    target = shards.target.padded(rows, _keys(numbers, moment, 1))
    order = _longest_first(source.lengths)  # BPE dropout may have changed it
    start = np.full((len(rows), 1), Tokenizer.START, np.int64)
    return Batch(
        torch.from_numpy(numbers[order]),
        torch.from_numpy(source.ids[order]),
        torch.from_numpy(source.lengths[order]),
        torch.from_numpy(np.concatenate([start, target.ids], axis=1)[order]),
        torch.from_numpy(target.lengths[order]),
    )


def _longest_first(lengths: Numbers) -> Numbers:
    return np.argsort(-lengths, kind="stable")


def _keys(numbers: Numbers, moment: Moment | None, side: int) -> mixing.Words | None:
    if moment is None:
        return None
    return mixing.numbers_at(mixing.key(moment.seed, moment.epoch, 2 + side), numbers)
