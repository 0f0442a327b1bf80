"""A batch for a reader: padded sequences, and what is to be told of each."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from torch import Tensor


@dataclass(frozen=True)
class Sequences:
    """Sequences of words, or of vectors of numbers (the steps of a series, the regions of a picture).

    numbers `(B,)`: their numbers in the data.
    inputs: `(B, T)` int64, words; or `(B, T, F)` float32, vectors. lengths `(B,)`: how many steps of each row count.
    targets `(B,)`: int64, the labels; or float32, the numbers to tell.
    """

    numbers: Tensor
    inputs: Tensor
    lengths: Tensor
    targets: Tensor

    def __len__(self) -> int:
        return len(self.numbers)

    def to(self, device: torch.device | str) -> Sequences:
        """The batch on another device."""
        return Sequences(*(getattr(self, field.name).to(device) for field in fields(self)))

    def rows(self, rank: int, world: int) -> Sequences:
        """What process `rank` of `world` takes: rows `rank::world`, padded no more than they need."""
        lengths = self.lengths[rank::world]
        longest = int(lengths.max()) if len(lengths) else 0
        inputs = self.inputs[rank::world, :longest]
        return Sequences(self.numbers[rank::world], inputs, lengths, self.targets[rank::world])
