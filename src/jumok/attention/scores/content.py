"""Content addressing."""

from __future__ import annotations

from torch import Tensor, nn

from jumok.attention.precision import wide_linear
from jumok.attention.scores.base import checked_size
from jumok.attention.scores.dot import Cosine, unit


class Content(Cosine):
    """`score(q, k) = beta(q) cos(W q, k)`, `beta = softplus(b . q)` (Graves et al. 2014, eq. 5 and 6).

    A controller's state asks: it says what it looks for (W q) and how sharply (beta).
    """

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.query_size = checked_size("query_size", query_size)
        self.key_size = checked_size("key_size", key_size)
        self.wanted = nn.Linear(query_size, key_size)
        self.strength = nn.Linear(query_size, 1)

    def factors(self, queries: Tensor) -> tuple[Tensor, float]:
        strength = nn.functional.softplus(wide_linear(self.strength, queries))
        return unit(wide_linear(self.wanted, queries)) * strength, 1.0
