"""`Attention`: a score, a normaliser, a window and a selector put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from jumok.attention import fused
from jumok.attention.attended import Attended
from jumok.attention.masks import causal_mask, checked_mask, rows_of_mask, with_past
from jumok.attention.memory import Memory, State
from jumok.attention.normalizers import Normalizer, Softmax, Sum
from jumok.attention.parts import NORMALIZERS, SCORES, SELECTORS, WINDOWS, make
from jumok.attention.scores import Dot, Kernel, Score
from jumok.attention.selectors import Selector, Soft
from jumok.attention.selectors.base import uniform
from jumok.attention.windows import Place, Window
from jumok.core.maps import weighted

PartName = str | Mapping[str, Any]


class Attention(nn.Module):
    """`context = sum_i weight(query, key_i) value_i` (Bahdanau et al. 2015 and all that followed).

    score: how well a key fits a query; a `Score`, or its name where it needs no sizes.
    normalize: how scores become probabilities; a name, a mapping with `name` and settings, or a `Normalizer`.
        Softmax unless given, `sum` for kernels.
    select: how probabilities become one vector: soft, hard, straight_through, gumbel, top_k.
    window: where it may look at all: None, local_m, local_p, shift.
    dropout: share of the weights left out while learning; `.weights` are those before dropout.

    >>> attend = Attention("dot")
    >>> context, weights = attend(torch.randn(2, 4), torch.randn(2, 5, 4))
    >>> context.shape, weights.shape
    (torch.Size([2, 4]), torch.Size([2, 5]))
    """

    def __init__(
        self,
        score: PartName | Score,
        normalize: PartName | Normalizer | None = None,
        select: PartName | Selector = "soft",
        window: PartName | Window | None = None,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.score = make(SCORES, score)
        sizes = {"query_size": self.score.query_size, "key_size": self.score.key_size}
        self.normalizer = make(NORMALIZERS, self.score.normalizer if normalize is None else normalize)
        self.selector = make(SELECTORS, select)
        self.window = None if window is None else make(WINDOWS, window, **sizes)
        self.dropout = dropout
        self._check_parts()

    def _check_parts(self) -> None:
        if isinstance(self.normalizer, Sum) and not self.score.nonnegative:
            raise ValueError(
                f"normalize: 'sum' needs scores that are never negative, as kernels give; {type(self.score).__name__}"
                " can be negative, take softmax"
            )
        if self.window is not None and self.selector.needs_distribution and not self.window.sums_to_one:
            raise ValueError(
                f"select: {type(self.selector).__name__} draws from probabilities that sum to 1, and"
                f" {type(self.window).__name__} changes the sum; give the window renormalize=True"
            )
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout: must be at least 0 and below 1, got {self.dropout!r}")

    @property
    def steps_depend(self) -> bool:
        """Whether a step needs the weights of the steps before it."""
        return self.score.history is not None or (self.window is not None and self.window.looks_back)

    def prepare(self, keys: Tensor, values: Tensor | None = None, mask: Tensor | None = None) -> Memory:
        """What depends on the keys alone, done once: keys `(B, S, K)`, values `(B, S, V)` (the keys unless given).

        mask: boolean, True = may be looked at, `(B, S)` or `(B, T, S)`.
        """
        memory = self._prepared(keys, values, mask)
        return memory._replace(beside=self.score.beside(memory.keys))

    def _prepared(self, keys: Tensor, values: Tensor | None, mask: Tensor | None) -> Memory:
        """The memory for one call, without what pays only in many."""
        values = checked_keys(keys, values, self.score.key_size)
        if mask is not None:
            mask = checked_mask(mask, keys.shape[0], keys.shape[1])
        return Memory(self.score.prepare(keys), values, mask)

    def forward(
        self,
        queries: Tensor,
        keys: Tensor | Memory,
        values: Tensor | None = None,
        *,
        mask: Tensor | None = None,
        causal: bool = False,
        generator: torch.Generator | None = None,
    ) -> Attended:
        """Look with one query `(B, Q)` or a sequence of them from its start `(B, T, Q)`.

        keys: `(B, S, K)`, or the memory that `prepare` gave (which then holds values and mask).
        values: `(B, S, V)`; the keys unless given.
        mask: boolean, True = may be looked at, `(B, S)` or `(B, T, S)`.
        causal: query t sees no key after its own place, aligned to the right.
        generator: where random numbers come from.
        """
        memory = given_memory(keys, values, mask) or self._prepared(keys, values, mask)  # type: ignore[arg-type]
        rows = checked_queries(queries, memory, self.score)
        attended = self.look(rows, memory, causal, generator)
        return attended if queries.dim() == 3 else attended.squeezed()

    def start(self, memory: Memory, hypotheses: int = 1) -> State:
        """The state before the first step, for N hypotheses of each sentence."""
        *lead, columns, _ = memory.keys.shape
        shape = (*lead, hypotheses, columns)
        coverage = last = None
        if self.score.history == "coverage":
            coverage = memory.keys.new_zeros(shape)
        if self.score.history == "last":
            last = memory.keys.new_zeros(shape)
        if self.window is not None and self.window.looks_back:
            first = self.window.first(memory.full_mask()[..., :1, :])
            last = first.to(memory.keys.dtype).expand(shape)
        return State(0, coverage, last)

    def step(
        self, queries: Tensor, memory: Memory, state: State, *, generator: torch.Generator | None = None
    ) -> Attended:
        """One step of N hypotheses of each sentence, queries `(B, N, Q)`; `.state` of the result is for the next."""
        if queries.dim() != 3:
            raise ValueError(f"queries: a step takes (B, N, Q), N hypotheses a sentence, got {tuple(queries.shape)}")
        return self.look_once(checked_queries(queries, memory, self.score), memory, state, generator)

    def look_once(self, queries: Tensor, memory: Memory, state: State, generator: torch.Generator | None) -> Attended:
        """`step` without checks, for any leading axes."""
        mask = memory.mask
        if mask is not None and mask.shape[-2] > 1:
            if state.step >= mask.shape[-2]:
                raise ValueError(f"mask: it has {mask.shape[-2]} rows, and this is step {state.step + 1}")
            mask = mask[..., state.step : state.step + 1, :]
        steps = torch.full((queries.shape[-2],), state.step, device=queries.device)
        attended = self._attend(queries, memory, mask, steps, state, generator)
        attended.state = state.after(attended.weights)
        return attended

    def look(
        self, queries: Tensor, memory: Memory, causal: bool = False, generator: torch.Generator | None = None
    ) -> Attended:
        """`forward` without checks, for any leading axes: queries `(..., T, Q)` on one prepared memory."""
        rows, columns = queries.shape[-2], memory.keys.shape[-2]
        mask = None if memory.mask is None else rows_of_mask(memory.mask, rows)
        if self._fusible():
            attended = fused.attend(self.score, self.normalizer, queries, memory._replace(mask=mask), causal)
            if attended is not None:
                return attended
        if causal:
            mask = with_past(mask, causal_mask(rows, columns, queries.device))
        if self.steps_depend and rows > 0:
            return self._walk(queries, memory._replace(mask=mask), generator)
        steps = torch.arange(rows, device=queries.device)
        attended = self._attend(queries, memory, mask, steps, State(), generator)
        attended.state = State(rows)
        return attended

    def _fusible(self) -> bool:
        soft = type(self.selector) is Soft and type(self.normalizer) is Softmax and self.window is None
        return soft and not (self.training and self.dropout)

    def _walk(self, queries: Tensor, memory: Memory, generator: torch.Generator | None) -> Attended:
        """Step after step, where each depends on the one before."""
        state = self.start(memory)
        steps = []
        for row in range(queries.shape[-2]):
            steps.append(self.look_once(queries[..., row : row + 1, :], memory, state, generator))
            state = steps[-1].state or state
        return joined(steps)

    def _attend(
        self,
        queries: Tensor,
        memory: Memory,
        mask: Tensor | None,
        steps: Tensor,
        state: State,
        generator: torch.Generator | None,
    ) -> Attended:
        """All queries at once: score, normalise, select, sum."""
        if memory.keys.shape[-2] == 0:
            nothing = queries.new_zeros(*queries.shape[:-1], 0)
            return Attended(memory.values.new_zeros(*queries.shape[:-1], memory.values.shape[-1]), nothing)
        probabilities = self._probabilities(queries, memory, mask, steps, state)
        weights, choice, log_prob = self.selector(probabilities, generator)
        weights = weights.to(queries.dtype)
        applied = self._dropped(weights, generator) if self.training and self.dropout else weights
        context = weighted(applied.to(memory.values.dtype), memory.values)  # (..., T, V)
        before = None if type(self.selector) is Soft else probabilities.to(queries.dtype)
        return Attended(context, weights, before, choice, log_prob)

    def _probabilities(
        self, queries: Tensor, memory: Memory, mask: Tensor | None, steps: Tensor, state: State
    ) -> Tensor:
        """The distribution over the keys, `(..., T, S)`."""
        keys = memory.keys
        if isinstance(self.score, Kernel) and isinstance(self.normalizer, Sum):
            scores, normalize = self.score.log(queries, keys), self.normalizer.of_logs
        else:
            seen = {None: (), "coverage": (state.coverage,), "last": (state.last,)}[self.score.history]
            beside = {} if memory.beside is None else {"beside": memory.beside}
            scores, normalize = self.score(queries, keys, *seen, **beside), self.normalizer
        if self.window is None:
            return normalize(scores, mask)
        place = Place(queries, mask, steps, keys.shape[-2], state.last)
        probabilities: Tensor = self.window(lambda visible: normalize(scores, visible), place)
        return probabilities

    def _dropped(self, weights: Tensor, generator: torch.Generator | None) -> Tensor:
        random = uniform(weights.shape, weights.dim() - 2, weights, generator)
        return weights.masked_fill(random < self.dropout, 0) / (1 - self.dropout)

    def extra_repr(self) -> str:
        return f"dropout={self.dropout}" if self.dropout else ""


def given_memory(keys: Tensor | Memory, values: Tensor | None, mask: Tensor | None) -> Memory | None:
    """The memory, where one was given in place of keys; it then has values and mask already."""
    if not isinstance(keys, Memory):
        return None
    if values is not None or mask is not None:
        name = "values" if values is not None else "mask"
        raise ValueError(f"{name}: the memory holds them already; give them to prepare()")
    return keys


def checked_keys(keys: Tensor, values: Tensor | None, key_size: int | None) -> Tensor:
    """The values, when keys and values fit each other and the score."""
    if not isinstance(keys, Tensor):
        raise TypeError(f"keys: expected a tensor or a Memory, got {type(keys).__name__}")
    if keys.dim() != 3:
        raise ValueError(f"keys: expected (B, S, K), got shape {tuple(keys.shape)}")
    if key_size is not None and keys.shape[-1] != key_size:
        raise ValueError(f"keys: expected (B, S, {key_size}), got shape {tuple(keys.shape)}")
    if values is None:
        return keys
    if values.dim() != 3 or values.shape[:2] != keys.shape[:2]:
        raise ValueError(f"values: expected (B, S, V) beside keys {tuple(keys.shape)}, got {tuple(values.shape)}")
    return values


def checked_queries(queries: Tensor, memory: Memory, score: Score) -> Tensor:
    """The queries as `(B, T, Q)`, when they fit the memory and the score."""
    if not isinstance(queries, Tensor):
        raise TypeError(f"queries: expected a tensor, got {type(queries).__name__}")
    if queries.dim() not in (2, 3):
        raise ValueError(f"queries: expected (B, Q) or (B, T, Q), got shape {tuple(queries.shape)}")
    keys = memory.keys
    if queries.shape[0] != keys.shape[0]:
        raise ValueError(f"queries: batch of {tuple(queries.shape)} does not fit the keys' {tuple(keys.shape)}")
    size = score.query_size
    if size is None and isinstance(score, Dot | Kernel):
        size = keys.shape[-1]
    if size is not None and queries.shape[-1] != size:
        raise ValueError(
            f"queries: expected size {size}, got shape {tuple(queries.shape)} on keys {tuple(keys.shape)}"
            f" ({type(score).__name__})"
        )
    return queries if queries.dim() == 3 else queries.unsqueeze(1)


def joined(steps: list[Attended]) -> Attended:
    """The record of a sequence, from those of its steps, each with one row."""

    def rows(parts: list[Tensor | None], axis: int) -> Tensor | None:
        present = [part for part in parts if part is not None]
        return torch.cat(present, dim=axis) if present else None

    weights, context = rows([step.weights for step in steps], -2), rows([step.context for step in steps], -2)
    probabilities = None
    if any(step.probabilities is not step.weights for step in steps):
        probabilities = rows([step.probabilities for step in steps], -2)
    choice, log_prob = rows([step.choice for step in steps], -1), rows([step.log_prob for step in steps], -1)
    assert context is not None
    return Attended(context, weights, probabilities, choice, log_prob, steps[-1].state)
