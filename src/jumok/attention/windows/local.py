"""Luong's local attention: look only near one place."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from jumok.attention.precision import wide_linear
from jumok.attention.scores.base import checked_size
from jumok.attention.windows.base import Normalize, Place, Window


def _near(place: Place, middle: Tensor, width: int) -> Tensor:
    """True on the keys at most `width` away from `middle` `(..., T, 1)`."""
    keys = torch.arange(place.columns, device=middle.device)
    return place.within((keys - middle).abs() <= width)


class LocalM(Window):
    """Keys `t - width .. t + width` for the t-th query, t from 0 (Luong et al. 2015, section 3.2 'local-m').

    A sequence of queries that is longer than the keys stays at the last key.
    """

    def __init__(self, width: int = 10) -> None:
        super().__init__()
        self.width = checked_size("width", width, least=0)

    def forward(self, normalize: Normalize, place: Place) -> Tensor:
        middle = torch.minimum(place.steps[:, None], place.lengths - 1)  # (..., T, 1)
        return normalize(_near(place, middle, self.width))

    def extra_repr(self) -> str:
        return f"width={self.width}"


class LocalP(Window):
    """Keys near a predicted place: `p = S sigmoid(v . tanh(W q))`, within `width` of it, each probability times
    `exp(-(s - p)^2 / (2 sigma^2))`, `sigma = width / 2` (Luong et al. 2015, eq. 9 and 10 'local-p').

    S is the length of the sentence without its padding. As in the paper the product is not normalised again, so
    rows sum to less than 1; `renormalize=True` does so.
    """

    def __init__(
        self, query_size: int, hidden_size: int | None = None, width: int = 10, renormalize: bool = False
    ) -> None:
        super().__init__()
        checked_size("query_size", query_size)
        hidden_size = query_size if hidden_size is None else checked_size("hidden_size", hidden_size)
        self.width = checked_size("width", width)
        self.sums_to_one = renormalize
        self.hidden = nn.Linear(query_size, hidden_size, bias=False)
        self.place = nn.Linear(hidden_size, 1, bias=False)

    def middle(self, place: Place) -> Tensor:
        """The predicted place of each query, `(..., T, 1)`."""
        return place.lengths * wide_linear(self.place, wide_linear(self.hidden, place.queries).tanh()).sigmoid()

    def forward(self, normalize: Normalize, place: Place) -> Tensor:
        middle = self.middle(place)
        probabilities = normalize(_near(place, middle, self.width))
        keys = torch.arange(place.columns, device=middle.device)
        probabilities = probabilities * (-2 * ((keys - middle) / self.width).square()).exp()
        if not self.sums_to_one:
            return probabilities
        total = probabilities.sum(-1, keepdim=True)
        return probabilities / total.masked_fill(total == 0, 1)

    def extra_repr(self) -> str:
        return f"width={self.width}, renormalize={self.sums_to_one}"
