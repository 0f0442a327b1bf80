"""The sparse one."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from jumok.attention.normalizers.base import Normalizer
from jumok.attention.operators import operator

START = -0.6  # of tau below the best score: from there most rows need the fewest steps


class Sparsemax(Normalizer):
    """`p = argmin |p - z|^2` over all distributions, so `p_i = max(z_i - tau, 0)` (Martins & Astudillo 2016).

    Keys whose score is more than tau below the best get exactly 0.
    """

    def normalize(self, scores: Tensor) -> Tensor:
        return sparsemax(scores)


def sparsemax(scores: Tensor) -> Tensor:
    """Sparsemax over the last axis."""
    probabilities: Tensor = _sparsemax(scores)
    return probabilities


def _forward(scores: Tensor) -> Tensor:
    if not scores.numel():
        return scores.clone()
    z = scores - scores.amax(-1, keepdim=True)  # (..., S), the best at 0
    rows = z.reshape(-1, z.shape[-1])
    space = torch.empty_like(rows)
    tau = _threshold(rows, _step(rows, rows.new_full((len(rows), 1), START), space), space)
    return z.sub_(tau.view(*z.shape[:-1], 1)).clamp_min_(0)


def _step(z: Tensor, tau: Tensor, space: Tensor) -> Tensor:
    """One Newton step on `sum max(z - tau, 0) = 1` for rows `(R, S)`. The sum is piecewise linear and convex in tau:
    the step lands on the root of a line, left of the true one, or there when the support is right."""
    total = torch.sub(z, tau, out=space).clamp_min_(0).sum(-1, keepdim=True)
    support = space.ceil_().sum(-1, keepdim=True)  # what is above tau lies in (0, 1]
    return tau + (total - 1) / support


def _threshold(z: Tensor, tau: Tensor, space: Tensor) -> Tensor:
    """Steps from the left until no row moves on. Most rows arrive early; the rest go on alone.
    `space`, as large as z, is written over."""
    while True:
        following = _step(z, tau, space)
        left = (following > tau).squeeze(-1).nonzero().squeeze(-1)
        count = len(left)
        if not count:  # there, but for rounding
            return following
        if 2 * count < len(z):
            rest = torch.index_select(z, 0, left, out=space[:count])
            following[left] = _threshold(rest, following[left], space[count : 2 * count])
            return following
        tau = torch.maximum(tau, following)


def _setup(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
    ctx.save_for_backward(output)


def _gradient(ctx: Any, grad: Tensor) -> Tensor:
    probabilities: Tensor = ctx.saved_tensors[0]
    support = probabilities.sign()
    inside = grad * support
    mean = inside.sum(-1, keepdim=True) / support.sum(-1, keepdim=True)
    return inside.addcmul_(support, mean, value=-1)


_sparsemax = operator("sparsemax", _forward, torch.empty_like, _setup, _gradient)
