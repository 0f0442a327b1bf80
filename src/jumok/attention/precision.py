"""Numbers that stay finite: half precision is widened before it can overflow."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from jumok.core.maps import linear


def wide(tensor: Tensor) -> Tensor:
    """float16 and bfloat16 as float32, everything else as it is."""
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


def wide_linear(layer: nn.Linear, vectors: Tensor) -> Tensor:
    """The linear map in wide numbers."""
    bias = None if layer.bias is None else wide(layer.bias)
    return linear(wide(vectors), wide(layer.weight), bias)
