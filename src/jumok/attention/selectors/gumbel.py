"""A sample that is differentiable."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from jumok.attention.selectors.base import Evaluate, Sampler, Selected, uniform


class Gumbel(Sampler):
    """`w = softmax((log p + g) / temperature)`, g Gumbel noise: near one-hot at low temperature
    (Jang et al. 2017, Maddison et al. 2017).

    hard: forward takes the largest as one-hot, backward the soft weights.
    In eval `evaluate` says what happens, as for `Hard`.
    """

    def __init__(self, temperature: float = 1.0, hard: bool = False, evaluate: Evaluate = "expected") -> None:
        super().__init__(evaluate)
        if not 0 < temperature < math.inf:
            raise ValueError(f"temperature: expected a number above 0, got {temperature!r}")
        self.temperature = temperature
        self.hard = hard

    def sample(self, probabilities: Tensor, generator: torch.Generator | None) -> Selected:
        tiny = torch.finfo(probabilities.dtype).tiny
        random = uniform(probabilities.shape, probabilities.dim() - 2, probabilities, generator)
        noise = -(-random.clamp_min(tiny).log()).clamp_min(tiny).log()
        nothing = probabilities <= 0
        logits = (probabilities.masked_fill(nothing, 1).log() + noise) / self.temperature
        lowest = torch.finfo(probabilities.dtype).min
        weights = logits.masked_fill(nothing, lowest).softmax(-1).masked_fill(nothing, 0)
        if not self.hard:
            return Selected(weights)
        return self.chosen(probabilities, weights.argmax(-1), weights)

    def chosen(self, probabilities: Tensor, choice: Tensor, soft: Tensor | None = None) -> Selected:
        selected = super().chosen(probabilities, choice)
        if soft is None:
            return selected
        return selected._replace(weights=selected.weights + (soft - soft.detach()))

    def extra_repr(self) -> str:
        return f"temperature={self.temperature}, hard={self.hard}, {super().extra_repr()}"
