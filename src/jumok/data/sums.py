"""The adding and the multiplication problem: long sequences of numbers of which two count (Hochreiter & Schmidhuber
1997, sections 5.4 and 5.5), made anew for every batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, overload

import numpy as np
import torch
from pydantic import Field, model_validator

from jumok.core.settings import Settings
from jumok.data import mixing
from jumok.data.labelled.sequences import Sequences

Problem = Literal["adding", "multiplication"]

SHORTEST = 22
"""Steps of a sequence; with fewer, the first ten and the first half would be the same places."""

_TRAINING, _HELD_OUT, _EXAMPLES = range(3)
_FIRST = 9  # the first mark is at one of the steps 1 to 9, counted from 0; step 0 is the start


class SumsData(Settings):
    """Generated sequences, endless: those of a batch follow from the seed, the epoch and the batch's number alone."""

    problem: Problem
    """adding: half the sum of the two marked values, moved into [0, 1]; multiplication: their product."""

    length: int = Field(default=50, ge=SHORTEST)
    """The fewest steps of a sequence."""

    longest: int | None = None
    """The most; null: a tenth more than `length`. All lengths between come equally often."""

    one_length: bool = False
    """Whether all sequences of a batch have the same length, drawn for the batch: less padding where lengths differ."""

    sequences: int = Field(default=100_000, ge=1)
    """How many make an epoch."""

    held_out: int = Field(default=1000, ge=1)
    """How many others tell how the training goes."""

    @model_validator(mode="after")
    def _lengths(self) -> SumsData:
        if self.most < self.length:
            raise ValueError(f"longest: {self.longest} is less than length, {self.length}")
        return self

    @property
    def most(self) -> int:
        """The most steps of a sequence."""
        return self.length + self.length // 10 if self.longest is None else self.longest


class SumBatches(Sequence[Sequences]):
    """Batches of so many sequences; `batches[i]` is made when it is asked for.

    A step is (value, mark). Values are uniform, in [-1, 1] for adding and in [0, 1] for multiplication. The mark is -1
    at the first and the last step, 1 at two steps (one of the first ten, one in the first half) and 0 elsewhere.
    With `x1` and `x2` the marked values, the target is `1/2 + (x1 + x2) / 4`, or `x1 x2`; both are in [0, 1].
    """

    def __init__(
        self, data: SumsData, size: int, count: int, stream: tuple[int, ...], rank: int = 0, world: int = 1
    ) -> None:
        self.data, self.size, self.sequences, self.stream = data, size, count, stream
        self.rank, self.world = rank, world

    @classmethod
    def of_epoch(cls, data: SumsData, size: int, seed: int, epoch: int, rank: int = 0, world: int = 1) -> SumBatches:
        """What is learned from in an epoch; process `rank` of `world` gets its rows of every batch."""
        return cls(data, size, data.sequences, (seed, _TRAINING, epoch), rank, world)

    @classmethod
    def held_out(cls, data: SumsData, size: int, seed: int) -> SumBatches:
        """The sequences that tell how the training goes, the same at all times."""
        return cls(data, size, data.held_out, (seed, _HELD_OUT))

    @classmethod
    def examples(cls, data: SumsData, count: int, seed: int) -> SumBatches:
        """Others, to look at."""
        return cls(data, 1, count, (seed, _EXAMPLES))

    def __len__(self) -> int:
        return -(-self.sequences // self.size)

    @overload
    def __getitem__(self, index: int) -> Sequences: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sequences]: ...
    def __getitem__(self, index: int | slice) -> Sequences | list[Sequences]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        first = number * self.size
        made = _made(self.data, min(self.size, self.sequences - first), mixing.key(*self.stream, number), first)
        return made if self.world == 1 else made.rows(self.rank, self.world)


def _made(data: SumsData, rows: int, key: int, first: int) -> Sequences:
    """Sequences number `first` and on, from the stream of random numbers `key`."""
    chances = _uniform(mixing.stream(key, 3 * rows)).reshape(3, rows)
    spread = data.most - data.length + 1
    lengths = data.length + (chances[0, :1] if data.one_length else chances[0]) * spread
    lengths = np.broadcast_to(lengths.astype(np.int64), rows)
    steps = int(lengths.max())
    values = _uniform(mixing.stream(key, rows * steps, start=3 * rows)).reshape(rows, steps).astype(np.float32)
    if data.problem == "adding":
        values = 2 * values - 1
    one = 1 + (chances[1] * _FIRST).astype(np.int64)
    other = 1 + (chances[2] * (lengths // 2 - 2)).astype(np.int64)
    other += other >= one  # any step of the first half but the start and `one`
    row = np.arange(rows)
    marks = np.zeros((rows, steps), np.float32)
    marks[:, 0] = marks[row, lengths - 1] = -1
    marks[row, one] = marks[row, other] = 1
    values *= np.arange(steps) < lengths[:, None]
    both = values[row, one], values[row, other]
    targets = 0.5 + (both[0] + both[1]) / 4 if data.problem == "adding" else both[0] * both[1]
    return Sequences(
        torch.arange(first, first + rows),
        torch.from_numpy(np.stack([values, marks], axis=-1)),
        torch.from_numpy(lengths.copy()),
        torch.from_numpy(targets),
    )


def _uniform(words: mixing.Words) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Random numbers in [0, 1)."""
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
