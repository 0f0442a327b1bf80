"""A memory that is asked several times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn

from jumok.attention.attended import Attended
from jumok.attention.building import build
from jumok.attention.memory import Memory
from jumok.attention.scores.base import checked_size
from jumok.core import unknown

Update = Literal["add", "layerwise", "mapped"]


class Recalled(NamedTuple):
    """What came of the hops: the last query, and each look."""

    query: Tensor  # (B, Q)
    hops: tuple[Attended, ...]

    @property
    def weights(self) -> Tensor:
        """What each hop looked at, `(B, hops, S)`."""
        return torch.stack([hop.weights for hop in self.hops], dim=1)


class KeyValueMemory(nn.Module):
    """`o = sum_i p_i v_i`, `p = softmax(score(u, k_i))`, then u is changed by o and asks again (Sukhbaatar et al. 2015;
    keys apart from values: Miller et al. 2016).

    size: of queries, keys and values. hops: how often it asks.
    update: 'add', `u + o`; 'layerwise', `H u + o` with one H for all hops; 'mapped', `R_j (u + o)` with a map a hop.
    score and settings: as for `build`.
    """

    def __init__(
        self, size: int, hops: int = 3, *, update: Update = "add", score: str = "dot", **settings: Any
    ) -> None:
        super().__init__()
        checked_size("size", size)
        self.hops = checked_size("hops", hops)
        if update not in ("add", "layerwise", "mapped"):
            raise ValueError(unknown("update", update, ("add", "layerwise", "mapped")))
        self.update = update
        self.attend = build(score, query_size=size, key_size=size, **settings)
        maps = {"add": 0, "layerwise": 1, "mapped": hops}[update]
        self.maps = nn.ModuleList(nn.Linear(size, size, bias=False) for _ in range(maps))

    def forward(
        self,
        query: Tensor,
        keys: Tensor | Sequence[Tensor],
        values: Tensor | Sequence[Tensor] | None = None,
        *,
        mask: Tensor | None = None,
        linear: bool = False,
        generator: torch.Generator | None = None,
    ) -> Recalled:
        """Ask `(B, Q)` of keys and values `(B, S, Q)`: the same for every hop, or a sequence with one for each.

        linear: the scores themselves are the weights, without a normaliser, as in a linear start (Sukhbaatar et al.
            2015, section 4.1); rows then do not sum to 1.
        """
        every_key = self._of_hops("keys", keys)
        every_value = every_key if values is None else self._of_hops("values", values)
        same = isinstance(keys, Tensor) and (values is None or isinstance(values, Tensor))
        memory = self.attend.prepare(every_key[0], every_value[0], mask) if same else None
        hops = []
        for hop in range(self.hops):
            hop_memory = memory or self.attend.prepare(every_key[hop], every_value[hop], mask)
            if linear:
                hops.append(self._looked_linearly(query, hop_memory))
            else:
                hops.append(self.attend(query, hop_memory, generator=generator))
            query = self._updated(query, hops[-1].context, hop)
        return Recalled(query, tuple(hops))

    def _looked_linearly(self, query: Tensor, memory: Memory) -> Attended:
        scores: Tensor = self.attend.score(query.unsqueeze(1), memory.keys)
        if memory.mask is not None:
            scores = scores.masked_fill(~memory.mask, 0)
        weights = scores.to(query.dtype)
        return Attended(weights @ memory.values, weights).squeezed()

    def _of_hops(self, name: str, given: Tensor | Sequence[Tensor]) -> Sequence[Tensor]:
        if isinstance(given, Tensor):
            return [given] * self.hops
        if len(given) != self.hops:
            raise ValueError(f"{name}: expected one for each of {self.hops} hops, got {len(given)}")
        return given

    def _updated(self, query: Tensor, found: Tensor, hop: int) -> Tensor:
        if self.update == "add":
            return query + found
        if self.update == "layerwise":
            return torch.add(self.maps[0](query), found)
        mapped: Tensor = self.maps[hop](query + found)
        return mapped
