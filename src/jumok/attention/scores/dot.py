"""Scores that are a product of the query and the key as they are."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from jumok.attention.precision import wide
from jumok.attention.scores.base import Score


class Dot(Score):
    """`score(q, k) = q . k` (Luong et al. 2015, eq. 8 'dot')."""

    def factors(self, queries: Tensor) -> tuple[Tensor, float]:
        """The queries and the number such that `scores = number * queries @ keys^T`; fused paths read it."""
        return queries, 1.0

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        queries, scale = self.factors(queries)
        return wide(queries) @ wide(keys).transpose(-2, -1) * scale  # (..., T, S)


class ScaledDot(Dot):
    """`score(q, k) = q . k / sqrt(d)`, d the size of a key (Vaswani et al. 2017, eq. 1)."""

    def factors(self, queries: Tensor) -> tuple[Tensor, float]:
        return queries, 1.0 / math.sqrt(max(1, queries.shape[-1]))


class Cosine(Dot):
    """`score(q, k) = q . k / (|q| |k|)`, in [-1, 1]; 0 where either is the zero vector (Graves et al. 2014, eq. 6).

    A softmax of such scores cannot focus: of n keys none gets more than `e^2 / (e^2 + n - 1)`. Give the normaliser
    a temperature below 1.
    """

    def prepare(self, keys: Tensor) -> Tensor:
        return unit(keys)

    def factors(self, queries: Tensor) -> tuple[Tensor, float]:
        return unit(queries), 1.0


def unit(vectors: Tensor) -> Tensor:
    """Each vector at length 1; the zero vector stays zero, with zero gradient."""
    numbers = wide(vectors)
    largest = numbers.detach().abs().amax(-1, keepdim=True) if vectors.shape[-1] else numbers.sum(-1, keepdim=True)
    zero = largest == 0
    numbers = numbers / largest.masked_fill(zero, 1)  # so that squares neither overflow nor vanish
    squared = (numbers * numbers).sum(-1, keepdim=True).masked_fill(zero, 1)
    return (numbers * torch.rsqrt(squared)).masked_fill(zero, 0).to(vectors.dtype)
