"""The plainest one."""

from __future__ import annotations

import torch
from torch import Tensor

from jumok.attention.normalizers.base import Normalizer
from jumok.attention.precision import wide


class Sum(Normalizer):
    """`p_i = z_i / sum_k z_k`, for scores that are not negative; with a temperature t `z_i^(1/t)` in place of `z_i`.

    A row whose scores are all 0 (no key within a boxcar's width) sees nothing: all zeros, as if it were masked.
    """

    def forward(self, scores: Tensor, mask: Tensor | None = None) -> Tensor:
        scores = wide(scores)
        if self._temperature != 1:  # powers of large numbers overflow, their logarithms do not
            nothing = scores <= 0
            return self.of_logs(scores.masked_fill(nothing, 1).log().masked_fill(nothing, -torch.inf), mask)
        if mask is not None:
            scores = scores.masked_fill(~mask, 0)
        total = scores.sum(-1, keepdim=True)
        return scores / total.masked_fill(total == 0, 1)

    def of_logs(self, logs: Tensor, mask: Tensor | None = None) -> Tensor:
        """The same from the logarithms of the scores, where keys may be so far that their scores vanish."""
        something = logs > -torch.inf
        return super().forward(logs, something if mask is None else mask & something)

    def normalize(self, scores: Tensor) -> Tensor:
        return scores.softmax(-1)
