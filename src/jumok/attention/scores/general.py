"""The bilinear score."""

from __future__ import annotations

from torch import Tensor, nn

from jumok.attention.scores.base import checked_size
from jumok.attention.scores.dot import Dot


class General(Dot):
    """`score(q, k) = q^T W k` (Luong et al. 2015, eq. 8 'general').

    W is the bridge between two spaces: queries and keys may differ in size. `W k` is made once, by `prepare`.
    """

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.query_size = checked_size("query_size", query_size)
        self.key_size = checked_size("key_size", key_size)
        self.key = nn.Linear(key_size, query_size, bias=False)

    def prepare(self, keys: Tensor) -> Tensor:
        projected: Tensor = self.key(keys)
        return projected  # (..., S, Q)
