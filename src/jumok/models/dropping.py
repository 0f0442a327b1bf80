"""Dropout with one mask for a whole sequence (Gal & Ghahramani 2016)."""

from __future__ import annotations

import torch
from torch import Tensor


def sequence_mask(share: float, like: Tensor, *sizes: int) -> Tensor | None:
    """Zeros with probability `share`, else `1 / (1 - share)`, of these sizes; None where nothing is dropped."""
    if share == 0:
        return None
    kept = torch.rand(sizes, dtype=like.dtype, device=like.device) >= share
    return kept.to(like.dtype) / (1 - share)


def dropped(inputs: Tensor, mask: Tensor | None) -> Tensor:
    """The inputs under the mask; themselves where there is none."""
    return inputs if mask is None else inputs * mask
