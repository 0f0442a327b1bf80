"""Several looks at once."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor, nn

from jumok.attention.attended import WEIGHERS, Attended, Unread
from jumok.attention.attention import Attention, PartName, checked_keys, checked_queries, given_memory
from jumok.attention.building import build
from jumok.attention.masks import checked_mask
from jumok.attention.memory import Memory, State
from jumok.attention.scores import Score
from jumok.attention.scores.base import checked_size
from jumok.core.maps import Linear


class MultiHead(nn.Module):
    """`output = W_o [head_1; ...; head_h]`, `head_i = attend(W_q^i q, W_k^i k, W_v^i v)` (Vaswani et al. 2017).

    query_size: size of a query; key_size and value_size: the same unless given.
    heads: how many looks; size: of all heads together (query_size unless given), divisible by heads.
    output_size: of the result, query_size unless given.
    score, normalize, temperature, select, window, dropout, settings: as for `build`; any score will do. Parts with
        parameters are made anew for each head.
    bias: whether the four maps have one.

    `.weights` of the result are `(B, heads, T, S)`, one set per head.
    """

    def __init__(
        self,
        query_size: int,
        heads: int = 8,
        *,
        key_size: int | None = None,
        value_size: int | None = None,
        size: int | None = None,
        output_size: int | None = None,
        score: PartName = "scaled_dot",
        normalize: PartName | None = None,
        temperature: float | Literal["learned"] | None = None,
        select: PartName = "soft",
        window: PartName | None = None,
        dropout: float = 0.0,
        bias: bool = True,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.query_size = checked_size("query_size", query_size)
        self.key_size = query_size if key_size is None else checked_size("key_size", key_size)
        self.value_size = self.key_size if value_size is None else checked_size("value_size", value_size)
        self.heads = checked_size("heads", heads)
        size = query_size if size is None else checked_size("size", size)
        if size % heads:
            raise ValueError(f"size: {size} cannot be cut into {heads} heads; take a multiple of {heads}")
        self.query = Linear(query_size, size, bias=bias)
        self.key = Linear(self.key_size, size, bias=bias)
        self.value = Linear(self.value_size, size, bias=bias)
        self.output = Linear(size, query_size if output_size is None else output_size, bias=bias)

        def one() -> Attention:
            return build(
                score,
                query_size=size // heads,
                key_size=size // heads,
                normalize=normalize,
                temperature=temperature,
                select=select,
                window=window,
                dropout=dropout,
                **settings,
            )

        first = one()
        own = any(True for _ in first.parameters())  # heads without parameters of their own are done together
        self.attend = nn.ModuleList([first, *(one() for _ in range(heads - 1))] if own else [first])

    def prepare(self, keys: Tensor, values: Tensor | None = None, mask: Tensor | None = None) -> Memory:
        """Project keys `(B, S, K)` and values `(B, S, V)` (the keys unless given) for every head, once.

        mask: boolean, True = may be looked at, `(B, S)`, `(B, T, S)` or `(B, heads, T, S)`.
        """
        values = checked_keys(keys, values, self.key_size)
        if values.shape[-1] != self.value_size:
            raise ValueError(f"values: expected (B, S, {self.value_size}), got shape {tuple(values.shape)}")
        if mask is not None:
            mask = checked_mask(mask, keys.shape[0], keys.shape[1], self.heads)
        projected = self._split(self.key(keys))  # (B, heads, S, size / heads)
        split = self._split(self.value(values))
        if len(self.attend) == 1:
            return Memory(self._score(0).prepare(projected), split, mask)
        prepared = [self._score(h).prepare(projected[:, h]) for h in range(self.heads)]
        return Memory(torch.stack(prepared, dim=1), split, mask)

    def forward(
        self,
        queries: Tensor,
        keys: Tensor | Memory | None = None,
        values: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        generator: torch.Generator | None = None,
    ) -> Attended:
        """Look with queries `(B, Q)` or `(B, T, Q)` at keys `(B, S, K)`, at a prepared memory, or (none) at themselves.

        mask: boolean, True = may be looked at, `(B, S)`, `(B, T, S)` or `(B, heads, T, S)`.
        causal: query t sees no key after its own place, aligned to the right.
        generator: where random numbers come from.
        """
        source = queries if keys is None else keys
        memory = given_memory(source, values, mask) or self.prepare(source, values, mask)  # type: ignore[arg-type]
        rows = self._asked(queries, memory)
        attended = self._look(rows, memory, causal, generator)
        return self._finished(attended if queries.dim() == 3 else attended.squeezed())

    def start(self, memory: Memory, hypotheses: int = 1) -> State:
        """The state before the first step, for N hypotheses of each sentence."""
        if len(self.attend) == 1:
            return self._head(0).start(memory, hypotheses)
        return _stacked([self._head(h).start(_of_head(memory, h), hypotheses) for h in range(self.heads)])

    def step(
        self, queries: Tensor, memory: Memory, state: State, *, generator: torch.Generator | None = None
    ) -> Attended:
        """One step of N hypotheses of each sentence, queries `(B, N, Q)`; `.state` of the result is for the next."""
        if queries.dim() != 3:
            raise ValueError(f"queries: a step takes (B, N, Q), N hypotheses a sentence, got {tuple(queries.shape)}")
        rows = self._asked(queries, memory)
        if len(self.attend) == 1:
            return self._finished(self._head(0).look_once(rows, memory, state, generator))
        looks = [
            self._head(h).look_once(rows[:, h], _of_head(memory, h), _state_of_head(state, h), generator)
            for h in range(self.heads)
        ]
        return self._finished(_together(looks))

    def with_weights(self, weights: Tensor, memory: Memory, state: State) -> Attended:
        """One step with given weights `(B, heads, N, S)` in place of those that the heads would have."""
        context = weights.to(memory.values.dtype) @ memory.values
        return self._finished(Attended(context, weights, state=state.after(weights)))

    def _asked(self, queries: Tensor, memory: Memory) -> Tensor:
        """The queries of every head, `(B, heads, T, size / heads)`."""
        if queries.dim() in (2, 3) and queries.shape[-1] != self.query_size:
            raise ValueError(f"queries: expected size {self.query_size}, got shape {tuple(queries.shape)}")
        return self._split(self.query(checked_queries(queries, memory, Score())))

    def _look(self, rows: Tensor, memory: Memory, causal: bool, generator: torch.Generator | None) -> Attended:
        if len(self.attend) == 1:
            return self._head(0).look(rows, memory, causal, generator)
        heads = range(self.heads)
        return _together([self._head(h).look(rows[:, h], _of_head(memory, h), causal, generator) for h in heads])

    def _finished(self, attended: Attended) -> Attended:
        """The heads joined and mapped."""
        context = attended.context
        if context.dim() == 4:
            context = context.transpose(1, 2)  # (B, T, heads, size / heads)
        return attended.with_context(self.output(context.flatten(-2)))

    def _split(self, projected: Tensor) -> Tensor:
        *rows, size = projected.shape
        return projected.view(*rows, self.heads, size // self.heads).transpose(1, 2)  # (B, heads, T, size / heads)

    def _head(self, number: int) -> Attention:
        head = self.attend[number]
        assert isinstance(head, Attention)
        return head

    def _score(self, number: int) -> Score:
        return self._head(number).score


def _of_head(memory: Memory, number: int) -> Memory:
    mask = memory.mask
    if mask is not None:
        mask = mask[:, number if mask.shape[1] > 1 else 0]
    return Memory(memory.keys[:, number], memory.values[:, number], mask)


def _state_of_head(state: State, number: int) -> State:
    return State(state.step, *(rows if rows is None else rows[:, number] for rows in state[1:]))


def _stacked(states: list[State]) -> State:
    coverage = [state.coverage for state in states if state.coverage is not None]
    last = [state.last for state in states if state.last is not None]
    stacked = (torch.stack(rows, dim=1) if rows else None for rows in (coverage, last))
    return State(states[0].step, *stacked)


def _together(looks: list[Attended]) -> Attended:
    """One record with an axis for heads; what was unread stays unread."""

    def heads(parts: list[Tensor | None]) -> Tensor | None:
        present = [part for part in parts if part is not None]
        return torch.stack(present, dim=1) if present else None

    first = looks[0]
    context = torch.stack([look.context for look in looks], dim=1)
    choice, log_prob = heads([look.choice for look in looks]), heads([look.log_prob for look in looks])
    state = None if first.state is None else _stacked([look.state for look in looks if look.state is not None])
    if first.is_unread:
        unread = Unread("heads", (), tuple(looks), torch.is_grad_enabled())
        return Attended(context, None, None, choice, log_prob, state, unread)
    weights = heads([look.weights for look in looks])
    probabilities = None if first.probabilities is first.weights else heads([look.probabilities for look in looks])
    return Attended(context, weights, probabilities, choice, log_prob, state)


def _weights_of_heads(*looks: Attended) -> Tensor:
    return torch.stack([look.weights for look in looks], dim=1)


WEIGHERS["heads"] = _weights_of_heads
