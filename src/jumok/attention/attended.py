"""`Attended`: what came out of a look, and what was looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils import _pytree

from jumok.attention.memory import State

WEIGHERS: dict[str, Callable[..., Tensor]] = {}
"""Functions that make weights from captured tensors, by name, so that a record holds only tensors and names."""


class Unread(NamedTuple):
    """Weights that nobody has read yet: which function makes them, and from what."""

    weigher: str
    options: tuple[float | bool, ...]
    tensors: tuple[Any, ...]  # a pytree of tensors captured at the call, none of them a live parameter
    differentiable: bool


class Attended:
    """The result of attention; iterates as `(context, weights)`.

    context: `(B, V)` or `(B, T, V)`, the values summed with the weights.
    weights: `(B, S)` or `(B, T, S)` (with heads `(B, heads, T, S)`), the coefficients applied to the values,
        before dropout. A fused path leaves them unmade; they are computed when they are first read, from tensors
        captured at the call, and are differentiable if the call was.
    probabilities: the distribution before selection; the same as the weights for soft attention.
    choice, log_prob: the sampled key and the logarithm of its probability, where one was sampled
        (-1 and 0 where every key was masked).
    state: what the next step needs.
    """

    __slots__ = ("_probabilities", "_unread", "_weights", "choice", "context", "log_prob", "state")

    def __init__(
        self,
        context: Tensor,
        weights: Tensor | None = None,
        probabilities: Tensor | None = None,
        choice: Tensor | None = None,
        log_prob: Tensor | None = None,
        state: State | None = None,
        unread: Unread | None = None,
    ) -> None:
        self.context = context
        self.choice = choice
        self.log_prob = log_prob
        self.state = state
        self._weights = weights
        self._probabilities = probabilities
        self._unread = unread

    @property
    def is_unread(self) -> bool:
        """Whether the weights have yet to be made."""
        return self._weights is None

    @property
    def weights(self) -> Tensor:
        """The coefficients applied to the values, before dropout."""
        if self._weights is None:
            assert self._unread is not None
            weigher, options, tensors, differentiable = self._unread
            with torch.set_grad_enabled(differentiable):
                self._weights = WEIGHERS[weigher](*tensors, *options)
            self._unread = None
        return self._weights

    @property
    def probabilities(self) -> Tensor:
        """The distribution over the keys before selection."""
        return self.weights if self._probabilities is None else self._probabilities

    def __iter__(self) -> Iterator[Tensor]:
        yield self.context
        yield self.weights

    def squeezed(self) -> Attended:
        """The record of a single query, without the axis T."""
        probabilities = self._probabilities
        return Attended(
            self.context.squeeze(-2),
            self.weights.squeeze(-2),
            None if probabilities is None else probabilities.squeeze(-2),
            None if self.choice is None else self.choice.squeeze(-1),
            None if self.log_prob is None else self.log_prob.squeeze(-1),
            self.state,
        )

    def with_context(self, context: Tensor) -> Attended:
        """The same look, with another context."""
        look = (self._weights, self._probabilities, self.choice, self.log_prob, self.state, self._unread)
        return Attended(context, *look)

    def __repr__(self) -> str:
        weights = "unread" if self._weights is None else tuple(self._weights.shape)
        return f"Attended(context={tuple(self.context.shape)}, weights={weights})"


def _flatten(attended: Attended) -> tuple[list[Any], Any]:
    look = [attended._weights, attended._probabilities, attended.choice, attended.log_prob, attended.state]
    unread = attended._unread
    if unread is None:
        return [attended.context, *look, None], None
    return [attended.context, *look, unread.tensors], [unread.weigher, list(unread.options), unread.differentiable]


def _unflatten(children: Any, spec: Any) -> Attended:
    context, weights, probabilities, choice, log_prob, state, tensors = children
    unread = None if spec is None else Unread(spec[0], tuple(spec[1]), tensors, spec[2])
    return Attended(context, weights, probabilities, choice, log_prob, state, unread)


_pytree.register_pytree_node(Attended, _flatten, _unflatten, serialized_type_name="jumok.attention.Attended")
