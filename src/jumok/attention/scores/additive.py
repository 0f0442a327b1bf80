"""The score of a small network: additive, and its twin on the joined vectors."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from jumok.attention.precision import wide
from jumok.attention.scores.base import History, Score, checked_size
from jumok.attention.tanh_blocks import key_exponentials, tanh_scores
from jumok.core.maps import linear


class Additive(Score):
    """`score(q, k) = v . tanh(W q + U k)` (Bahdanau et al. 2015, appendix A.1.2).

    query_size: size of a query; 0 for a score of the key alone (Raffel & Ellis 2015).
    hidden_size: size of W q and U k; the key's size unless given.
    v: False leaves v out, `score = tanh(w . q + u . k)`, a number in (-1, 1); then hidden_size is 1.
    bias: adds b inside the tanh.
    history: what the score sees of earlier steps: 'coverage', the sum of the weights (Tu et al. 2016), or 'last',
        the weights of the step before (location-aware, Chorowski et al. 2015, eq. 9).
    filters, filter_width: that history goes through a convolution along the keys with so many filters (10 unless
        given for 'last'), or enters as one number for each key (0, unless given for 'coverage').
    """

    def __init__(
        self,
        query_size: int,
        key_size: int,
        hidden_size: int | None = None,
        *,
        v: bool = True,
        bias: bool = False,
        history: History | None = None,
        filters: int | None = None,
        filter_width: int = 15,
    ) -> None:
        super().__init__()
        self.query_size = checked_size("query_size", query_size, least=0)
        self.key_size = checked_size("key_size", key_size)
        if hidden_size is None:
            hidden_size = key_size if v else 1
        self.hidden_size = checked_size("hidden_size", hidden_size)
        if not v and hidden_size != 1:
            raise ValueError(f"hidden_size: without v the score is one tanh, so it must be 1, got {hidden_size}")
        self.v = nn.Parameter(torch.empty(hidden_size)) if v else None
        self.bias = nn.Parameter(torch.zeros(hidden_size)) if bias else None
        self._make_maps()
        self._make_history(history, filters, filter_width)
        if self.v is not None:
            nn.init.uniform_(self.v, -1 / math.sqrt(hidden_size), 1 / math.sqrt(hidden_size))

    def _make_maps(self) -> None:
        assert self.query_size is not None
        assert self.key_size is not None
        self.query = nn.Linear(self.query_size, self.hidden_size, bias=False) if self.query_size else None
        self.key = nn.Linear(self.key_size, self.hidden_size, bias=False)

    def _make_history(self, history: History | None, filters: int | None, filter_width: int) -> None:
        if history not in (None, "coverage", "last"):
            raise ValueError(f"history: expected 'coverage', 'last' or None, got {history!r}")
        self.history = history
        if history is None:
            if filters is not None:
                raise ValueError("filters: they look at earlier weights; set history to 'coverage' or 'last'")
            return
        count = checked_size("filters", {"coverage": 0, "last": 10}[history] if filters is None else filters, least=0)
        checked_size("filter_width", filter_width)
        if filter_width % 2 == 0:
            raise ValueError(f"filter_width: must be odd, to have a middle, got {filter_width}")
        self.filters = nn.Conv1d(1, count, filter_width, padding=filter_width // 2, bias=False) if count else None
        self.seen = nn.Linear(max(1, count), self.hidden_size, bias=False)

    def maps(self) -> tuple[Tensor | None, Tensor]:
        """W (None for a score of the key alone) and U."""
        return None if self.query is None else self.query.weight, self.key.weight

    def prepare(self, keys: Tensor) -> Tensor:
        projected: Tensor = nn.functional.linear(keys, self.maps()[1], self.bias)
        return projected  # (..., S, H)

    def asked(self, queries: Tensor) -> Tensor:
        """`W q`, `(..., T, H)`."""
        weight = self.maps()[0]
        if weight is None:
            return queries.new_zeros(*queries.shape[:-1], self.hidden_size)
        return linear(queries, weight)

    def summing(self, like: Tensor) -> Tensor:
        """v; a one where there is none."""
        return like.new_ones(1) if self.v is None else self.v

    def beside(self, keys: Tensor) -> Tensor | None:
        if self.history is not None or torch.compiler.is_compiling():
            return None
        return key_exponentials(wide(keys))

    def forward(
        self, queries: Tensor, keys: Tensor, history: Tensor | None = None, beside: Tensor | None = None
    ) -> Tensor:
        features = mapping = None
        if history is not None:
            features, mapping = wide(self._features(history)), wide(self.seen.weight.t())
        q = wide(self.asked(queries))
        return tanh_scores(q, wide(keys), wide(self.summing(q)), features, mapping, beside)

    def _features(self, history: Tensor) -> Tensor:
        """What is told of the history of each key, `(..., T, S, C)`."""
        history = history.to(self.seen.weight.dtype)
        if self.filters is None:
            return history.unsqueeze(-1)
        filtered: Tensor = self.filters(history.reshape(-1, 1, history.shape[-1]))
        return filtered.transpose(-2, -1).reshape(*history.shape, filtered.shape[-2])


class Concat(Additive):
    """`score(q, k) = v . tanh(W [q; k])` (Luong et al. 2015, eq. 8 'concat').

    One W for the joined vector, computed in its two parts, so that the key's part is made once.
    The settings are those of `Additive`.
    """

    def _make_maps(self) -> None:
        assert self.query_size is not None
        assert self.key_size is not None
        checked_size("query_size", self.query_size)
        self.joined = nn.Linear(self.query_size + self.key_size, self.hidden_size, bias=False)

    def maps(self) -> tuple[Tensor | None, Tensor]:
        assert self.query_size is not None
        return self.joined.weight[:, : self.query_size], self.joined.weight[:, self.query_size :]
