"""The mean."""

from __future__ import annotations

import torch
from torch import Tensor

from jumok.attention.selectors.base import Selected, Selector


class Soft(Selector):
    """`c = sum_i p_i v_i`: every key counts by its probability; differentiable throughout."""

    def forward(self, probabilities: Tensor, generator: torch.Generator | None = None) -> Selected:
        return Selected(probabilities)
