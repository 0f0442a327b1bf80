"""The best few."""

from __future__ import annotations

import torch
from torch import Tensor

from jumok.attention.scores.base import checked_size
from jumok.attention.selectors.base import Selected, Selector


class TopK(Selector):
    """Only the k likeliest keys count, their probabilities scaled up to the whole.

    Exactly k, also where some tie: of those the first count.
    """

    def __init__(self, k: int = 8) -> None:
        super().__init__()
        self.k = checked_size("k", k)

    def forward(self, probabilities: Tensor, generator: torch.Generator | None = None) -> Selected:
        best = probabilities.detach().sort(dim=-1, descending=True, stable=True).indices[..., : self.k]
        kept = probabilities * torch.zeros_like(probabilities).scatter(-1, best, 1)
        total = kept.sum(-1, keepdim=True)
        return Selected(kept * (probabilities.sum(-1, keepdim=True) / total.masked_fill(total == 0, 1)))

    def extra_repr(self) -> str:
        return f"k={self.k}"
