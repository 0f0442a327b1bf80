"""What a window is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

from jumok.attention.masks import last_visible

Normalize = Callable[[Tensor | None], Tensor]
"""Takes a mask and gives the probabilities `(..., T, S)` of the scores under it."""


class Place(NamedTuple):
    """Where in the sequence the queries stand, and what they may see there."""

    queries: Tensor  # (..., T, Q)
    mask: Tensor | None  # (..., 1 or T, S)
    steps: Tensor  # (T,), the number of the step of each query
    columns: int  # S
    last: Tensor | None  # (..., T, S), the weights of the step before

    @property
    def lengths(self) -> Tensor:
        """How far each query can see: the place after its last visible key, `(..., 1 or T, 1)`."""
        if self.mask is None:
            return torch.full((1, 1), self.columns, device=self.queries.device)
        return last_visible(self.mask)

    def within(self, mask: Tensor) -> Tensor:
        """`mask`, where the place's own mask allows it."""
        return mask if self.mask is None else self.mask & mask


class Window(nn.Module):
    """`forward(normalize, place)` gives the probabilities: it may narrow the mask, or reweigh what comes out."""

    sums_to_one: bool = True
    """Whether rows still sum to 1, which a selector that samples needs."""
    looks_back: bool = False
    """Whether it needs the weights of the step before."""

    def forward(self, normalize: Normalize, place: Place) -> Tensor:
        """The probabilities `(..., T, S)`."""
        raise NotImplementedError

    def first(self, mask: Tensor) -> Tensor:
        """Where it looked before the first step, for windows that look back: True at that key, `(..., 1, S)`."""
        return torch.zeros_like(mask)
