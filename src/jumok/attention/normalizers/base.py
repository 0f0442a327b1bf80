"""What a normaliser is: the mask, the temperature and the row that sees nothing are dealt with here, once."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn

from jumok.attention.precision import wide


class Normalizer(nn.Module):
    """`forward(scores, mask)` makes each row of `(..., T, S)` a distribution over the keys that may be looked at.

    temperature: the scores are divided by it: below 1 sharper, above 1 flatter. A number, or 'learned' (starts at 1).

    What is masked gets exactly 0, and a row in which everything is masked is all zeros, with zero gradient.
    """

    def __init__(self, temperature: float | Literal["learned"] = 1.0) -> None:
        super().__init__()
        if temperature != "learned" and not (isinstance(temperature, int | float) and 0 < temperature < math.inf):
            raise ValueError(f"temperature: expected a number above 0 or 'learned', got {temperature!r}")
        self.log_temperature = nn.Parameter(torch.zeros(())) if temperature == "learned" else None
        self._temperature = temperature

    @property
    def temperature(self) -> float | Tensor:
        """The number that the scores are divided by."""
        if self.log_temperature is not None:
            return self.log_temperature.exp()
        assert self._temperature != "learned"
        return self._temperature

    def forward(self, scores: Tensor, mask: Tensor | None = None) -> Tensor:
        """Probabilities `(..., S)` of scores `(..., S)`; mask: broadcastable, True = may be looked at."""
        scores = wide(scores) / self.temperature
        if mask is None:
            return self.normalize(scores)
        hidden = ~mask
        lowest = torch.finfo(scores.dtype).min
        return self.normalize(scores.masked_fill(hidden, lowest)).masked_fill(hidden, 0)

    def normalize(self, scores: Tensor) -> Tensor:
        """Rows that sum to 1; the lowest number there is gets 0 beside any other."""
        raise NotImplementedError

    def extra_repr(self) -> str:
        return "" if self._temperature == 1 else f"temperature={self._temperature!r}"
