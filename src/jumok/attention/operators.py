"""Functions with a gradient of their own that `torch.compile` and `torch.export` can pass through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.library import custom_op


def operator(
    name: str,
    forward: Callable[..., Any],
    fake: Callable[..., Any],
    setup: Callable[[Any, Any, Any], None],
    gradient: Callable[..., Any],
) -> Callable[..., Any]:
    """A function by four others, as `torch.library` and `torch.autograd.Function` take them.

    forward: what it computes; its annotations become the operator's signature.
    fake: empty tensors of the shapes that forward gives.
    setup: keeps on `ctx` what the gradient needs. gradient: of every input.

    While a graph is compiled or exported, the call is one opaque operator; everywhere else it goes through an
    autograd function, which costs a third of a millisecond less.
    """
    opaque = custom_op(f"jumok::{name}", forward, mutates_args=())
    opaque.register_fake(fake)
    opaque.register_autograd(gradient, setup_context=setup)
    members = {"forward": forward, "setup_context": setup, "backward": gradient}
    eager: Any = type(name, (torch.autograd.Function,), {key: staticmethod(value) for key, value in members.items()})

    def call(*inputs: Any) -> Any:
        return opaque(*inputs) if torch.compiler.is_compiling() else eager.apply(*inputs)

    return call
