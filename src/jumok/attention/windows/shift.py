"""Location addressing of the Neural Turing Machine."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from jumok.attention.precision import wide_linear
from jumok.attention.scores.base import checked_size
from jumok.attention.windows.base import Normalize, Place, Window


class Shift(Window):
    """Interpolate, shift, sharpen (Graves et al. 2014, eq. 7 to 9), each told by the query:

    `w = g p + (1 - g) w_last`, g in (0, 1): what the content says, or where it looked before;
    `w_i <- sum_j w_(i-j) s_j`, s a distribution over shifts by -reach .. reach, around the visible keys in a circle;
    `w_i <- w_i^gamma / sum w^gamma`, gamma >= 1.

    Before the first step it looked at the first visible key.
    """

    looks_back = True

    def __init__(self, query_size: int, reach: int = 1) -> None:
        super().__init__()
        checked_size("query_size", query_size)
        self.reach = checked_size("reach", reach, least=0)
        self.gate = nn.Linear(query_size, 1)
        self.shift = nn.Linear(query_size, 2 * reach + 1)
        self.sharpness = nn.Linear(query_size, 1)

    def forward(self, normalize: Normalize, place: Place) -> Tensor:
        assert place.last is not None
        content = normalize(place.mask)
        gate = wide_linear(self.gate, place.queries).sigmoid()
        weights = gate * content + (1 - gate) * place.last  # (..., T, S)
        weights = self._turned(weights, place)
        return self._sharpened(weights, 1 + nn.functional.softplus(wide_linear(self.sharpness, place.queries)))

    def _turned(self, weights: Tensor, place: Place) -> Tensor:
        """Every weight moved along the circle of visible keys, by each shift in its share."""
        mask = place.mask if place.mask is not None else torch.ones_like(weights[..., :1, :], dtype=torch.bool)
        order = (~mask).to(torch.uint8).argsort(dim=-1, stable=True)  # the visible keys first, as they stand
        rank = mask.cumsum(-1) - 1
        count = mask.sum(-1, keepdim=True).clamp_min(1)
        shares = wide_linear(self.shift, place.queries).softmax(-1)  # (..., T, 2 reach + 1)
        turned = torch.zeros_like(weights)
        for number, shift in enumerate(range(-self.reach, self.reach + 1)):
            source = order.gather(-1, (rank - shift) % count).expand(weights.shape)
            turned = turned + shares[..., number : number + 1] * weights.gather(-1, source)
        return turned.masked_fill(~mask, 0)

    def _sharpened(self, weights: Tensor, gamma: Tensor) -> Tensor:
        largest = weights.detach().amax(-1, keepdim=True)
        powers = (weights / largest.masked_fill(largest == 0, 1)) ** gamma
        total = powers.sum(-1, keepdim=True)
        return powers / total.masked_fill(total == 0, 1)

    def first(self, mask: Tensor) -> Tensor:
        return mask & (mask.cumsum(-1) == 1)

    def extra_repr(self) -> str:
        return f"reach={self.reach}"
