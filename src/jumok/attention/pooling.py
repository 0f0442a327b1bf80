"""Attention as a way to sum up: a sequence by a learned query, and data by a kernel."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor, nn

from jumok.attention.attended import Attended
from jumok.attention.building import build
from jumok.attention.memory import Memory
from jumok.attention.scores.base import checked_size
from jumok.core import unknown


class AttentionPooling(nn.Module):
    """`c = sum_t p_t h_t`, `p = softmax(score(h))`: a sequence as one vector, without recurrence
    (Raffel & Ellis 2015, eq. 1 and 2).

    size: of a key h_t. query: 'learned', one vector that asks the same of every sequence; or None, a score of the
    key alone. score and settings: as for `build`; without a query an additive one. The paper's own score,
    `tanh(w . h + b)`, is `AttentionPooling(size, query=None, v=False, bias=True)`.
    """

    def __init__(
        self,
        size: int,
        *,
        query: Literal["learned"] | None = "learned",
        score: str = "additive",
        **settings: Any,
    ) -> None:
        super().__init__()
        checked_size("size", size)
        if query not in ("learned", None):
            raise ValueError(f"query: expected 'learned' or None, got {query!r}")
        if query is None and score != "additive":
            raise ValueError(f"score: {score!r} needs a query; without one take 'additive'")
        self.query = None if query is None else nn.Parameter(torch.randn(size) / size**0.5)
        self.attend = build(score, query_size=0 if query is None else size, key_size=size, **settings)

    def forward(
        self,
        keys: Tensor | Memory,
        values: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        generator: torch.Generator | None = None,
    ) -> Attended:
        """Sum up keys `(B, S, K)` (or values `(B, S, V)`): context `(B, V)`, weights `(B, S)`."""
        batch = (keys.keys if isinstance(keys, Memory) else keys).shape[0]
        like = next(self.attend.score.parameters(), self.query)
        assert like is not None
        query = like.new_zeros(0) if self.query is None else self.query
        attended: Attended = self.attend(query.expand(batch, -1), keys, values, mask=mask, generator=generator)
        return attended


class NadarayaWatson(nn.Module):
    """`f(x) = sum_i K(x - x_i) y_i / sum_j K(x - x_j)` (Nadaraya 1964, Watson 1964): attention before its name.

    kernel: gaussian, boxcar, epanechnikov, constant; width: a number, or 'learned'.

    >>> smooth = NadarayaWatson("boxcar", width=1.0)
    >>> y, weights = smooth(torch.tensor([1.0]), torch.tensor([0.0, 1.0, 2.0, 9.0]), torch.tensor([1.0, 2.0, 6.0, 9.0]))
    >>> y
    tensor([3.])
    """

    def __init__(self, kernel: str = "gaussian", width: float | Literal["learned"] = 1.0) -> None:
        super().__init__()
        if kernel not in ("gaussian", "boxcar", "epanechnikov", "constant"):
            raise ValueError(unknown("kernel", kernel, ("gaussian", "boxcar", "epanechnikov", "constant")))
        self.attend = build(kernel, width=width)

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, *, mask: Tensor | None = None) -> Attended:
        """The curve at x `(T,)` through the points keys `(S,)`, values `(S,)`; or batched as for `Attention`."""
        if keys.dim() != 1:
            attended: Attended = self.attend(x, keys, values, mask=mask)
            return attended
        if x.dim() != 1 or values.shape != keys.shape:
            raise ValueError(
                f"x, keys, values: expected (T,), (S,), (S,), got {tuple(x.shape)}, {tuple(keys.shape)},"
                f" {tuple(values.shape)}"
            )
        rows = [tensor[None, :, None] for tensor in (x, keys, values)]
        curve: Attended = self.attend(*rows, mask=None if mask is None else mask[None])
        return Attended(curve.context[0, :, 0], curve.weights[0])
