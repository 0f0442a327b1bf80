"""Numbers that stay finite: half precision is widened before it can overflow."""

from __future__ import annotations

import torch
from torch import Tensor


def wide(tensor: Tensor) -> Tensor:
    """float16 and bfloat16 as float32, everything else as it is."""
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor
