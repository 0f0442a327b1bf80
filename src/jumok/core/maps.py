"""Linear maps of a walk through a sequence: each weight is packed once, and its gradient is done as one product.

Whoever takes steps holds a `Maps` and takes them `with` it; every `linear` and `Linear` within goes through it.
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from jumok.core.products import Product


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
        self._maps: dict[tuple[object, ...], Collected] = {}
        self._tokens: list[Token[Maps | None]] = []

    def __enter__(self) -> Maps:
        self._tokens.append(_WALKING.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        _WALKING.reset(self._tokens.pop())

    def of(self, weight: Tensor, bias: Tensor | None) -> Collected:
        """The map of this weight, which may be a view that was made anew."""
        key = (weight.data_ptr(), weight.shape, weight.stride(), torch.is_grad_enabled())
        found = self._maps.get(key)
        if found is None:
            found = self._maps[key] = Collected(weight, bias)
        return found


_WALKING: ContextVar[Maps | None] = ContextVar("walking", default=None)


def linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None, added: Tensor | None = None) -> Tensor:
    """`x W' + b`, plus what is `added`; through the maps of the walk that is under way, if there is one."""
    maps = None if torch.compiler.is_compiling() else _WALKING.get()
    if maps is None or not _collects(inputs, weight):
        mapped = nn.functional.linear(inputs, weight, bias)
        return mapped if added is None else mapped + added
    if inputs.dim() == 2:
        return maps.of(weight, bias)(inputs, added)
    rows = None if added is None else added.flatten(0, -2)
    return maps.of(weight, bias)(inputs.flatten(0, -2), rows).view(*inputs.shape[:-1], -1)


def _collects(inputs: Tensor, weight: Tensor) -> bool:
    """Whether the map may be collected; one that is frozen while others learn is left to autograd."""
    frozen = torch.is_grad_enabled() and not weight.requires_grad
    return not frozen and inputs.dtype == weight.dtype and not torch.is_autocast_enabled(inputs.device.type)


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
        self._ticket: Tensor | None = None
        if torch.is_grad_enabled() and weight.requires_grad:
            self._ticket = _Collect.apply(weight, bias, self.seen)  # type: ignore[no-untyped-call]

    def __call__(self, inputs: Tensor, added: Tensor | None = None) -> Tensor:
        """The map of inputs `(N, I)`, plus what is `added` `(N, O)`."""
        if self._ticket is None:
            return self.mapped(inputs, added)
        mapped: Tensor = _Map.apply(inputs, added, self._ticket, self)  # type: ignore[no-untyped-call]
        return mapped

    def mapped(self, inputs: Tensor, added: Tensor | None) -> Tensor:
        """The same without a gradient of the weight."""
        return self.forth(inputs, added, self._bias)


class _Collect(torch.autograd.Function):
    """Gives a ticket that every step takes, so that its backward runs after that of the last of them."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor | None, seen: list[tuple[Tensor, Tensor]]) -> Tensor:
        ctx.seen = seen
        ctx.has_bias = bias is not None
        return weight.new_zeros(())

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, _: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        if not ctx.seen:
            return None, None, None
        inputs, gradients = ctx.seen[0] if len(ctx.seen) == 1 else map(torch.cat, zip(*ctx.seen, strict=True))
        ctx.seen.clear()
        return gradients.t() @ inputs, gradients.sum(0) if ctx.has_bias else None, None


class _Map(torch.autograd.Function):
    """One step: the gradient of the input at once, that of the weight later."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, added: Tensor | None, ticket: Tensor, collected: Collected) -> Tensor:
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
