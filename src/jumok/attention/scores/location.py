"""The score that does not look at the keys."""

from __future__ import annotations

from torch import Tensor, nn

from jumok.attention.scores.base import Score, checked_size
from jumok.core.maps import linear


class Location(Score):
    """`scores(q) = W q`, the s-th number for the s-th key (Luong et al. 2015, eq. 5 'location').

    From the query alone, so W must have a row for every place: at most `max_length` keys.
    """

    def __init__(self, query_size: int, max_length: int) -> None:
        super().__init__()
        self.query_size = checked_size("query_size", query_size)
        self.max_length = checked_size("max_length", max_length)
        self.place = nn.Linear(query_size, max_length, bias=False)

    def prepare(self, keys: Tensor) -> Tensor:
        if keys.shape[-2] > self.max_length:
            raise ValueError(
                f"keys: {keys.shape[-2]} keys of shape {tuple(keys.shape)}, but the location score was made for"
                f" max_length {self.max_length}"
            )
        return keys

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        return linear(queries, self.place.weight[: keys.shape[-2]])  # (..., T, S)
