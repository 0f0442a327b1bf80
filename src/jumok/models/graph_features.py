"""Features of nodes that are mostly 0: they are mapped, and dropped out, by those that are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from jumok.data.graphs import Rows

DENSE = 0.25
"""From this share of numbers that are not 0 a plain table is faster."""


@dataclass(frozen=True, eq=False)
class SparseFeatures:
    """A table `(N, F)` that stands in for a tensor where a layer maps it by `nn.functional.linear`.

    The numbers that are not 0 are listed by row; `order` lists them by column, which the gradient of the weight needs.
    """

    starts: Tensor  # (N + 1,), where each row begins
    columns: Tensor
    values: Tensor
    column_starts: Tensor  # (F + 1,), where each column begins in `order`
    order: Tensor
    rows: Tensor  # in that order

    @classmethod
    def of(cls, rows: Rows) -> SparseFeatures:
        """The features of a graph."""
        starts, columns = torch.from_numpy(rows.starts), torch.from_numpy(rows.columns)
        order = columns.argsort(stable=True)
        column_starts = starts.new_zeros(rows.width + 1)
        column_starts[1:] = torch.bincount(columns, minlength=rows.width).cumsum(0)
        row = torch.repeat_interleave(torch.arange(rows.count), starts.diff())
        return cls(starts, columns, torch.from_numpy(rows.values), column_starts, order, row[order])

    @property
    def shape(self) -> tuple[int, int]:
        """`(N, F)`."""
        return len(self.starts) - 1, len(self.column_starts) - 1

    def dim(self) -> int:
        """Two, as of any table."""
        return 2

    def dropped(self, share: float) -> SparseFeatures:
        """The same with that share of the numbers set to 0, and the others scaled up."""
        return replace(self, values=nn.functional.dropout(self.values, share))

    def to(self, device: torch.device | str) -> SparseFeatures:
        """The same on another device."""
        moved = (getattr(self, name).to(device) for name in self.__dataclass_fields__)
        return SparseFeatures(*moved)

    @classmethod
    def __torch_function__(
        cls,
        function: Callable[..., Any],
        types: Sequence[type],
        arguments: Sequence[Any] = (),
        named: Mapping[str, Any] | None = None,
    ) -> Any:
        if function is not nn.functional.linear or not isinstance(arguments[0], cls) or len(arguments) != 2 or named:
            return NotImplemented
        features, weight = arguments
        return _Map.apply(weight, features)  # type: ignore[no-untyped-call]


class _Map(torch.autograd.Function):
    """`X W'` of sparse X, both ways as sums of a few rows."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, features: SparseFeatures) -> Tensor:
        ctx.features = features
        values = features.values.to(weight.dtype)
        return _sums(features.columns, weight.t().contiguous(), features.starts, values)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        features: SparseFeatures = ctx.features
        values = features.values.to(gradient.dtype).index_select(0, features.order)
        return _sums(features.rows, gradient.contiguous(), features.column_starts, values).t(), None


def _sums(places: Tensor, table: Tensor, starts: Tensor, values: Tensor) -> Tensor:
    """For each stretch of places the sum of these rows of a table, times the values."""
    return nn.functional.embedding_bag(places, table, starts[:-1], mode="sum", per_sample_weights=values)


def features_of(rows: Rows) -> Tensor | SparseFeatures:
    """The features of a graph in the form that is faster."""
    if len(rows.values) >= DENSE * rows.count * rows.width:
        return torch.from_numpy(rows.dense())
    return SparseFeatures.of(rows)
