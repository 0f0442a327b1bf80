"""The usual one."""

from __future__ import annotations

from torch import Tensor

from jumok.attention.normalizers.base import Normalizer


class Softmax(Normalizer):
    """`p_i = exp(z_i) / sum_k exp(z_k)`: argmax made differentiable; no key gets exactly 0."""

    def normalize(self, scores: Tensor) -> Tensor:
        return scores.softmax(-1)
