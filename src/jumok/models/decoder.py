"""What every decoder gives back: a record of one step, and of a whole sequence under teacher forcing."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from jumok.attention import Attended
from jumok.models.output import Output


class Given(NamedTuple):
    """Weights to look at the source with, in place of the decoder's own: how attention is edited and replayed."""

    weights: Tensor  # (B, N, S), or for each head its own, (B, heads, N, S)
    rows: Tensor | None = None  # (B, N), True where they are used; None: everywhere
    layers: tuple[int, ...] = (-1,)  # of the decoder; negative ones count from the last
    heads: tuple[int, ...] | None = None  # None: all

    def places(self, layers: int, heads: int) -> dict[int, list[int]]:
        """The heads that are replaced in each layer, of so many; a `ValueError` where there is no such one."""
        chosen = range(heads) if self.heads is None else self.heads
        for what, there, asked in (("layer", layers, self.layers), ("head", heads, chosen)):
            for number in asked:
                if not -there <= number < there:
                    raise ValueError(f"given: there is no {what} {number}; this decoder has {there}")
        return {layer % layers: [head % heads for head in chosen] for layer in self.layers}

    def over(self, own: Tensor, heads: list[int] | None = None) -> Tensor:
        """The decoder's own weights `(B, N, S)`, or `(B, heads, N, S)`, with these in their place."""
        weights = self.weights.to(own.dtype)
        if heads is not None and weights.dim() == 3:
            weights = weights.unsqueeze(1)
        used = torch.ones((), dtype=torch.bool, device=own.device)
        if self.rows is not None:
            used = self.rows.unsqueeze(-1) if heads is None else self.rows[:, None, :, None]
        if heads is not None:
            used = used & torch.isin(torch.arange(own.shape[1], device=own.device), _numbers(heads, own))[:, None, None]
        return torch.where(used, weights, own)


def _numbers(numbers: list[int], like: Tensor) -> Tensor:
    return torch.tensor(numbers, device=like.device, dtype=torch.int64)


class Step(NamedTuple):
    """One step of N hypotheses of each sentence."""

    logits: Tensor  # (B, N, V)
    state: Any
    attended: tuple[Attended, ...]  # one entry a layer
    features: Tensor  # (B, N, F), what the output layer saw


class Steps:
    """All steps of given sentences: features `(B, T, F)`, what was looked at, and logits when they are read."""

    def __init__(
        self, features: Tensor, attended: tuple[Attended, ...], output: Output, sampled: Tensor | None = None
    ) -> None:
        self.features = features
        self.attended = attended
        self.sampled = sampled  # (B,), which sentences drew their looks; None for all
        self._output = output

    @property
    def logits(self) -> Tensor:
        """`(B, T, V)`; the loss does without them."""
        logits: Tensor = self._output(self.features)
        return logits
