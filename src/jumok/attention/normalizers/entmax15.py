"""Between softmax and sparsemax."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from jumok.attention.normalizers.base import Normalizer
from jumok.attention.operators import operator


class Entmax15(Normalizer):
    """1.5-entmax: `p_i = max(z_i / 2 - tau, 0)^2` (Peters et al. 2019); sparse, and smoother than sparsemax."""

    def normalize(self, scores: Tensor) -> Tensor:
        return entmax15(scores)


def entmax15(scores: Tensor) -> Tensor:
    """1.5-entmax over the last axis."""
    probabilities: Tensor = _entmax15(scores)[0]
    return probabilities


def _forward(scores: Tensor) -> tuple[Tensor, Tensor]:
    """Newton steps on `|max(z/2 - tau, 0)| = 1`: the norm is convex in tau and nearly straight, so from the left
    every step stays left of the root and a handful reach it. Gives the square roots, too: backward needs them."""
    if not scores.numel():
        return scores.clone(), scores.clone()
    z = (scores - scores.amax(-1, keepdim=True)).div_(2)  # (..., S), the best at 0
    tau = torch.full_like(z[..., :1], -1)
    above = torch.empty_like(z)
    enough = torch.finfo(z.dtype).eps ** 0.5 / 4  # the step after it is as its square
    while True:
        torch.sub(z, tau, out=above).clamp_min_(0)
        norm = torch.linalg.vector_norm(above, dim=-1, keepdim=True)
        following = (norm - 1).mul_(norm).div_(above.sum(-1, keepdim=True)).add_(tau)
        if not (following - tau > enough).any():
            root = torch.sub(z, following, out=above).clamp_min_(0)
            return root * root, root
        tau = torch.maximum(tau, following)


def _fake(scores: Tensor) -> tuple[Tensor, Tensor]:
    return torch.empty_like(scores), torch.empty_like(scores)


def _setup(ctx: Any, inputs: tuple[Tensor], output: tuple[Tensor, Tensor]) -> None:
    ctx.save_for_backward(output[1])
    ctx.mark_non_differentiable(output[1])


def _gradient(ctx: Any, grad: Tensor, _: Tensor | None) -> Tensor:
    root: Tensor = ctx.saved_tensors[0]
    weighted = grad * root
    mean = weighted.sum(-1, keepdim=True) / root.sum(-1, keepdim=True)
    return weighted.addcmul_(root, mean, value=-1)


_entmax15 = operator("entmax15", _forward, _fake, _setup, _gradient)
