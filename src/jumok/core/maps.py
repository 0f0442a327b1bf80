"""Linear maps of a walk through a sequence: each weight is packed once, and its gradient is done as one product.

Whoever takes steps holds a `Maps` and takes them `with` it; every `linear`, `Linear` and `weighted` within goes through
it. What else gains by doing one thing for all steps holds a `Collector` of its own there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from jumok.core.products import Product


class Collector(Protocol):
    """What keeps the gradients of single steps until those of what all steps share can be made of them at once."""

    def gradients(self) -> tuple[Tensor | None, ...]:
        """Those of the tensors that it was made of; what was kept of the steps is let go."""


def ticket(collector: Collector, *tensors: Tensor | None) -> Tensor | None:
    """A number that every step takes and hands back as its gradient; None where none of the tensors learns.

    So the ticket's backward, which asks the collector for the gradients of `tensors`, runs after that of all steps.
    The collector must not hold its ticket: the two would keep each other alive.
    """
    if not torch.is_grad_enabled() or not any(tensor is not None and tensor.requires_grad for tensor in tensors):
        return None
    made: Tensor = _Ticket.apply(collector, *tensors)  # type: ignore[no-untyped-call]
    return made


class _Ticket(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, collector: Collector, *tensors: Tensor | None) -> Tensor:
        ctx.collector = collector
        return next(tensor for tensor in tensors if tensor is not None).new_zeros(())

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, _: Tensor) -> tuple[Tensor | None, ...]:
        gradients = zip(ctx.collector.gradients(), ctx.needs_input_grad[1:], strict=True)
        return None, *(gradient if wanted else None for gradient, wanted in gradients)


Held = TypeVar("Held", bound=Collector)


class Maps:
    """The maps of one walk, made anew for each: what they keep holds only as long as the weights do not change.

    >>> weight = torch.ones(2, 3, requires_grad=True)
    >>> with Maps():
    ...     steps = [linear(torch.ones(4, 3), weight) for _ in range(5)]
    >>> torch.stack(steps).sum().backward()     # one product, not five
    >>> weight.grad[0]
    tensor([20., 20., 20.])
    """

    def __init__(self) -> None:
        self._held: dict[tuple[object, ...], tuple[Any, Tensor | None]] = {}
        self._tokens: list[Token[Maps | None]] = []

    def __enter__(self) -> Maps:
        self._tokens.append(_WALKING.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        _WALKING.reset(self._tokens.pop())

    def held(self, make: Callable[..., Held], *tensors: Tensor | None) -> tuple[Held, Tensor | None]:
        """The collector that was made of these tensors, and its ticket.

        It is known by the first of them, which may be a view made anew; the others go with that one. It must hold it,
        so that no other tensor takes its place in memory.
        """
        first = next(tensor for tensor in tensors if tensor is not None)
        there = tuple(tensor is not None for tensor in tensors)
        key = (make, there, torch.is_grad_enabled(), first.data_ptr(), first.shape, first.stride())
        if key not in self._held:
            collector = make(*tensors)
            self._held[key] = collector, ticket(collector, *tensors)
        return self._held[key]


_WALKING: ContextVar[Maps | None] = ContextVar("walking", default=None)


def walking() -> Maps | None:
    """The maps of the walk that is under way, if there is one; None while a graph is compiled, and under autocast."""
    if torch.compiler.is_compiling() or torch.is_autocast_enabled("cpu") or torch.is_autocast_enabled("cuda"):
        return None
    return _WALKING.get()


def linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None, added: Tensor | None = None) -> Tensor:
    """`x W' + b`, plus what is `added`; through the maps of the walk that is under way, if there is one."""
    maps = walking()
    if maps is None or not _collects(inputs, weight):
        plain = nn.functional.linear(inputs, weight, bias)
        return plain if added is None else plain + added
    collected, its_ticket = maps.held(Collected, weight, bias)
    rows = inputs if inputs.dim() == 2 else inputs.flatten(0, -2)
    if added is not None and added.dim() != 2:
        added = added.flatten(0, -2)
    mapped: Tensor = _Map.apply(rows, added, its_ticket, collected)  # type: ignore[no-untyped-call]
    return mapped if inputs.dim() == 2 else mapped.view(*inputs.shape[:-1], -1)


def _collects(inputs: Tensor, weight: Tensor) -> bool:
    """Whether the map may be collected; one that is frozen while others learn is left to autograd."""
    frozen = torch.is_grad_enabled() and not weight.requires_grad
    return not frozen and inputs.dtype == weight.dtype


def weighted(weights: Tensor, values: Tensor) -> Tensor:
    """`weights @ values`, `(..., T, S)` and `(..., S, V)`; in a walk row by row the values' gradient is collected."""
    maps = walking()
    if maps is None or weights.shape[-2] != 1 or not (torch.is_grad_enabled() and values.requires_grad):
        return weights @ values
    collected, its_ticket = maps.held(Values, values)
    summed: Tensor = _Weighted.apply(weights, its_ticket, collected)  # type: ignore[no-untyped-call]
    return summed


class Linear(nn.Linear):
    """`nn.Linear` by `linear`."""

    def forward(self, inputs: Tensor) -> Tensor:
        return linear(inputs, self.weight, self.bias)


class Collected:
    """`y = x W' + b`, called at every step of one sequence.

    Called in a loop, a plain linear map adds a small product to the weight's gradient at every step. This one keeps
    what each step saw, and when the last step of the backward pass is through it does a single large product.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        self._bias = None if bias is None else bias.detach()
        self.forth = Product(weight.detach())
        self.back = Product(weight.detach().t())
        self.seen: list[tuple[Tensor, Tensor]] = []

    def mapped(self, inputs: Tensor, added: Tensor | None) -> Tensor:
        """The map of inputs `(N, I)`, plus what is `added` `(N, O)`; without gradients."""
        return self.forth(inputs, added, self._bias)

    def gradients(self) -> tuple[Tensor | None, ...]:
        """Those of the weight and the bias, from all that was seen."""
        if not self.seen:
            return None, None
        inputs, gradients = self.seen[0] if len(self.seen) == 1 else map(torch.cat, zip(*self.seen, strict=True))
        self.seen.clear()
        return gradients.t() @ inputs, None if self._bias is None else gradients.sum(0)


class _Map(torch.autograd.Function):
    """One step: the gradient of the input at once, that of the weight later."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, added: Tensor | None, ticket: Tensor | None, collected: Collected) -> Tensor:
        ctx.save_for_backward(inputs, ticket)
        ctx.collected = collected
        return collected.mapped(inputs, added)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        inputs, ticket = ctx.saved_tensors
        gradient = gradient.contiguous()
        ctx.collected.seen.append((inputs, gradient))
        wanted = ctx.needs_input_grad
        return ctx.collected.back(gradient) if wanted[0] else None, gradient if wanted[1] else None, ticket, None


class Values:
    """Values `(..., S, V)` that every step of one sequence sums with weights of its own."""

    def __init__(self, values: Tensor) -> None:
        self.values = values.detach()
        self.seen: list[tuple[Tensor, Tensor]] = []

    def gradients(self) -> tuple[Tensor | None, ...]:
        """That of the values, from all that was seen."""
        if not self.seen:
            return (None,)
        weights, gradients = (torch.cat(rows, -2) for rows in zip(*self.seen, strict=True))
        self.seen.clear()
        return (weights.transpose(-2, -1) @ gradients,)


class _Weighted(torch.autograd.Function):
    """One step: the gradient of the weights at once, that of the values later."""

    @staticmethod
    def forward(ctx: Any, weights: Tensor, ticket: Tensor, collected: Values) -> Tensor:
        ctx.save_for_backward(weights, ticket)
        ctx.collected = collected
        return weights @ collected.values

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        weights, ticket = ctx.saved_tensors
        ctx.collected.seen.append((weights, gradient))
        return gradient @ ctx.collected.values.transpose(-2, -1), ticket, None
