"""A batch: some pairs as padded token ids, ready for a model."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from torch import Tensor


@dataclass(frozen=True)
class Batch:
    """Pairs of sentences, padded to the longest, the longest source first.

    numbers `(B,)`: their numbers in the corpus.
    source `(B, S)`: `w1 .. wn END`, then `PAD`; source_lengths `(B,)`: `n + 1`.
    target `(B, T + 1)`: `START w1 .. wn END`, then `PAD`; target_lengths `(B,)`: `n + 1`, the tokens to be predicted.
    All are int64. A batch that was divided among processes may have no row at all.
    """

    numbers: Tensor
    source: Tensor
    source_lengths: Tensor
    target: Tensor
    target_lengths: Tensor

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def tokens(self) -> int:
        """How many target tokens are to be predicted."""
        return int(self.target_lengths.sum())

    def to(self, device: torch.device | str) -> Batch:
        """The batch on another device."""
        return Batch(*(getattr(self, field.name).to(device) for field in fields(self)))

    def twice(self) -> Batch:
        """Every pair two times: all of them, then all of them again."""
        return Batch(*(torch.cat([getattr(self, field.name)] * 2) for field in fields(self)))

    def rows(self, rank: int, world: int) -> Batch:
        """What process `rank` of `world` takes: rows `rank::world`, padded no more than they need."""
        source_lengths, target_lengths = self.source_lengths[rank::world], self.target_lengths[rank::world]
        longest_source = int(source_lengths.max()) if len(source_lengths) else 0
        longest_target = int(target_lengths.max()) if len(target_lengths) else 0
        return Batch(
            self.numbers[rank::world],
            self.source[rank::world, :longest_source],
            source_lengths,
            self.target[rank::world, : longest_target + 1],
            target_lengths,
        )
