"""Kernels: scores that fall with the distance of query and key. Never negative, so that `sum` can normalise them."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn

from jumok.attention.precision import wide
from jumok.attention.scores.base import Score


class Kernel(Score):
    """`score(q, k) = K(|q - k| / width)`; the width is a number, or 'learned' (starting at 1).

    A kind says the logarithm of K. Attention with the normaliser `sum` uses that, so that keys far away do not
    vanish together: of many distant keys the nearest still gets its weight.
    """

    nonnegative = True
    normalizer = "sum"

    def __init__(self, width: float | Literal["learned"] = 1.0) -> None:
        super().__init__()
        if width != "learned" and not (isinstance(width, int | float) and 0 < width < math.inf):
            raise ValueError(f"width: expected a number above 0 or 'learned', got {width!r}")
        self.log_width = nn.Parameter(torch.zeros(())) if width == "learned" else None
        self._width = width

    @property
    def width(self) -> float | Tensor:
        """The number that distances are divided by."""
        if self.log_width is not None:
            return self.log_width.exp()
        assert self._width != "learned"
        return self._width

    def log_of(self, squared: Tensor) -> Tensor:
        """`log K` of the squared distance in widths; -inf where K is 0."""
        raise NotImplementedError

    def log(self, queries: Tensor, keys: Tensor) -> Tensor:
        """The logarithm of the scores, `(..., T, S)`."""
        queries, keys = wide(queries), wide(keys)
        distance = torch.cdist(queries, keys, compute_mode="donot_use_mm_for_euclid_dist")
        return self.log_of((distance / self.width).square())

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.log(queries, keys).exp()

    def extra_repr(self) -> str:
        return f"width={self._width!r}"


class Gaussian(Kernel):
    """`K(d) = exp(-d^2 / 2)` (Nadaraya 1964, Watson 1964 with the normal density)."""

    def log_of(self, squared: Tensor) -> Tensor:
        return -squared / 2


class Boxcar(Kernel):
    """`K(d) = 1 if d <= 1 else 0`: every key within one width counts alike."""

    def log_of(self, squared: Tensor) -> Tensor:
        return torch.zeros_like(squared).masked_fill(squared > 1, -math.inf)


class Epanechnikov(Kernel):
    """`K(d) = max(0, 1 - d^2)`, up to the factor 3/4 that normalising takes out (Epanechnikov 1969)."""

    def log_of(self, squared: Tensor) -> Tensor:
        outside = squared >= 1
        return (1 - squared.masked_fill(outside, 0)).log().masked_fill(outside, -math.inf)


class Constant(Kernel):
    """`K(d) = 1`: every key counts alike, wherever it is; the mean of the values."""

    def log_of(self, squared: Tensor) -> Tensor:
        return torch.zeros_like(squared)
