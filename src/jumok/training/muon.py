"""Muon: an optimiser that turns every matrix in all its directions alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

_MOMENTUM = 0.95
_ROUNDS = 5
_POLYNOMIAL = 3.4445, -4.7750, 2.0315
_LIKE_ADAM = 0.2  # about the size of an entry of AdamW's update, so that its learning rates and decay serve here, too


class Muon(torch.optim.AdamW):
    """`W <- W - lr * 0.2 sqrt(max(m, n)) U V'`, where `U S V'` is the momentum of the gradient of W `(m, n)`.

    Jordan et al. 2024, scaled by Liu et al. 2025. Groups with `turned` learn so, a convolution as the matrix
    `(outputs, inputs * kernel)`; all others by AdamW.
    """

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        """One update; the gradients of turned matrices are used up by it."""
        for group in self.param_groups:
            for weight in group["params"] if group["turned"] else ():
                if weight.grad is not None:
                    self._turn(weight, weight.grad, group)
                    weight.grad = None  # so that AdamW leaves it alone
        super().step(closure)

    def _turn(self, weight: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        memory = self.state[weight]
        if not memory:  # a step's number is what every optimiser of torch is asked for when it is put back
            memory |= {"step": torch.zeros(()), "momentum": torch.zeros_like(weight)}
        memory["step"] += 1
        momentum = memory["momentum"].lerp_(gradient, 1 - _MOMENTUM)
        ahead = gradient.lerp(momentum, _MOMENTUM).flatten(1)  # as Nesterov looks ahead
        length = _LIKE_ADAM * max(ahead.shape) ** 0.5
        weight.mul_(1 - group["lr"] * group["weight_decay"])
        weight.add_(orthogonal(ahead).view_as(weight), alpha=-group["lr"] * length)


def orthogonal(matrix: Tensor) -> Tensor:
    """Nearly `U V'` of a matrix `U S V'`: its singular values become some between 0.7 and 1.2, its directions stay.

    A polynomial of the singular values, applied five times, by products alone (Newton and Schulz, as Jordan tuned it).
    """
    wide: Tensor = matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T
    wide = wide / (wide.norm() + 1e-7)
    first, third, fifth = _POLYNOMIAL
    for _ in range(_ROUNDS):
        squared = wide @ wide.T
        wide = first * wide + torch.addmm(squared, squared, squared, beta=third, alpha=fifth) @ wide
    return wide if matrix.shape[0] <= matrix.shape[1] else wide.T


def turned_by_muon(model: nn.Module) -> set[Tensor]:
    """The matrices that map vectors to vectors: not tables of vectors, not kernels that see one channel each."""
    mapping: set[Tensor] = set()
    others: set[Tensor] = set()
    for module in model.modules():
        is_table = isinstance(module, nn.Embedding) or getattr(module, "is_table", False)
        maps = not is_table and getattr(module, "groups", 1) == 1
        (mapping if maps else others).update(p for p in module.parameters(recurse=False) if p.ndim > 1)
    return mapping - others
