"""A linear map for loops: the gradient of its weight is collected over the steps and done as one product."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from jumok.models.products import Product


class Collected:
    """`y = x W' + b`, called at every step of one sequence; made anew for each sequence.

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
        """The same without a gradient."""
        mapped = self.forth(inputs, added)
        return mapped if self._bias is None else mapped.add_(self._bias)


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
        inputs, gradients = (torch.cat(parts) for parts in zip(*ctx.seen, strict=True))
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
