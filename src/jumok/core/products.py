"""Matrix products by the faster of the two libraries that torch has for them on a CPU."""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from torch import Tensor

_ENOUGH = 1 << 14
"""Weights with fewer numbers are not worth packing."""

_STRIP = 128
"""Columns of a transposed matrix that are brought into order together: their lines stay in the cache meanwhile."""

_MANY_ROWS = 256
"""With fewer rows it does not pay to pack a weight for one product."""


def product(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """`x W' + b`, without a gradient: for a large product oneDNN is a tenth faster, though it packs W each time."""
    if inputs.shape[0] < _MANY_ROWS or not _packs(weight):
        return torch.nn.functional.linear(inputs, weight, bias)
    made: Tensor = _operators()._linear_pointwise(inputs, weight, bias, "none", [], "")
    return made


class Product:
    """`x W' (+ added)` for W `(O, I)`; from its second call on W is packed, where that is faster.

    With the few rows of one step, the plain product on a CPU spends half its time on bringing W into the order in which
    it is read. oneDNN can keep W in that order: 1.4 to 1.8 times as fast at 64 rows (AMD EPYC, torch 2.13).
    """

    def __init__(self, weight: Tensor) -> None:
        self._weight = weight
        self._packed: Tensor | None = None
        self._calls = 0

    def __call__(self, inputs: Tensor, added: Tensor | None = None, bias: Tensor | None = None) -> Tensor:
        """The product of inputs `(N, I)`, plus what is `added` `(N, O)`, plus a bias `(O,)`."""
        self._calls += 1
        if self._calls == 2 and self._weight.numel() >= _ENOUGH and _packs(self._weight):
            self._packed = _operators()._reorder_linear_weight(_in_rows(self._weight), inputs.shape[0])
        if self._packed is None or inputs.shape[0] == 0:
            if added is None:
                return torch.nn.functional.linear(inputs, self._weight, bias)
            mapped = torch.addmm(added, inputs, self._weight.t())
            return mapped if bias is None else mapped.add_(bias)
        made: Tensor
        if added is None:
            made = _operators()._linear_pointwise(inputs, self._packed, bias, "none", [], "")
        else:
            made = _operators()._linear_pointwise.binary(inputs, added, self._packed, bias, "add")
        return made


def _in_rows(weight: Tensor) -> Tensor:
    """The matrix row by row in memory; a transposed one by strips, in half the time that `contiguous` takes."""
    if weight.is_contiguous() or not weight.t().is_contiguous():
        return weight.contiguous()
    rows = torch.empty_like(weight, memory_format=torch.contiguous_format)
    for start in range(0, weight.shape[1], _STRIP):
        rows[:, start : start + _STRIP].copy_(weight[:, start : start + _STRIP])
    return rows


def _operators() -> Any:
    return torch.ops.mkldnn


def _packs(weight: Tensor) -> bool:
    plain = weight.device.type == "cpu" and weight.dtype == torch.float32 and not torch.is_autocast_enabled("cpu")
    return plain and bool(torch.backends.mkldnn.enabled) and _packing_works()


@cache
def _packing_works() -> bool:
    """Whether this torch has the operators (they serve its compiler, so their names may change), and they agree."""
    weight, inputs = torch.eye(3), torch.arange(6.0).view(2, 3)
    try:
        packed = _operators()._reorder_linear_weight(weight, 2)
        alone = _operators()._linear_pointwise(inputs, packed, None, "none", [], "")
        added = _operators()._linear_pointwise.binary(inputs, inputs, packed, None, "add")
    except (AttributeError, RuntimeError, TypeError):
        return False
    return torch.equal(alone, inputs) and torch.equal(added, 2 * inputs)
