"""What the caller holds between calls: the prepared `Memory` and the `State` of a sequence of steps."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.utils import _pytree


class Memory(NamedTuple):
    """Keys that were prepared once, the values, and the mask; indexed by sentence, never copied per hypothesis.

    With heads, keys and values are `(B, heads, S, size)` and the mask has four axes.
    """

    keys: Tensor  # (B, S, K'), projected by the score
    values: Tensor  # (B, S, V)
    mask: Tensor | None = None  # (B, 1 or T, S), True = may be looked at
    beside: Tensor | None = None  # what the score wants at hand beside the keys, shaped like them

    def append(self, other: Memory) -> Memory:
        """This memory, and behind it what another `prepare` of the same attention gave."""
        keys = torch.cat([self.keys, other.keys], dim=-2)
        values = torch.cat([self.values, other.values], dim=-2)
        beside = None
        if self.beside is not None and other.beside is not None:
            beside = torch.cat([self.beside, other.beside], dim=-2)
        if self.mask is None and other.mask is None:
            return Memory(keys, values, None, beside)
        masks = [memory.full_mask() for memory in (self, other)]
        rows = torch.broadcast_shapes(*(mask.shape[:-1] for mask in masks))
        mask = torch.cat([mask.expand(*rows, mask.shape[-1]) for mask in masks], dim=-1)
        return Memory(keys, values, mask, beside)

    def keep(self, sentences: Tensor) -> Memory:
        """Only these sentences, by number `(B',)` or by a boolean for each `(B,)`."""
        mask = self.mask if self.mask is None or self.mask.shape[0] == 1 else self.mask[sentences]
        beside = None if self.beside is None else self.beside[sentences]
        return Memory(self.keys[sentences], self.values[sentences], mask, beside)

    def full_mask(self) -> Tensor:
        """The mask, written out where there is none."""
        *rows, length, _ = self.keys.shape
        if self.mask is None:
            return torch.ones(*rows, 1, length, dtype=torch.bool, device=self.keys.device)
        return self.mask.expand(*self.mask.shape[:-1], length)


class State(NamedTuple):
    """What a step needs to know of the steps before it; each row is one of N hypotheses of a sentence."""

    step: int = 0
    coverage: Tensor | None = None  # (B, N, S), the sum of earlier weights; with heads (B, heads, N, S)
    last: Tensor | None = None  # (B, N, S), the weights of the step before

    def select(self, parents: Tensor) -> State:
        """Hypothesis n of each sentence becomes a copy of `parents[:, n]`; parents is `(B, N')`."""

        def pick(rows: Tensor) -> Tensor:
            index = parents.reshape(parents.shape[0], *[1] * (rows.dim() - 3), parents.shape[1], 1)
            return torch.take_along_dim(rows, index, dim=-2)

        return State(self.step, *(rows if rows is None else pick(rows) for rows in self[1:]))

    def keep(self, sentences: Tensor) -> State:
        """Only these sentences, by number `(B',)` or by a boolean for each `(B,)`."""
        return State(self.step, *(rows if rows is None else rows[sentences] for rows in self[1:]))

    def after(self, weights: Tensor) -> State:
        """The state when one more step has looked with these weights."""
        coverage = None if self.coverage is None else self.coverage + weights
        return State(self.step + 1, coverage, None if self.last is None else weights)


for _kind in (Memory, State):  # so that exported programs that return them can be saved
    _pytree._register_namedtuple(_kind, serialized_type_name=f"jumok.attention.{_kind.__name__}")
