"""What every decoder gives back: a record of one step, and of a whole sequence under teacher forcing."""

from __future__ import annotations

from typing import Any, NamedTuple

from torch import Tensor

from jumok.attention import Attended
from jumok.models.output import Output


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
