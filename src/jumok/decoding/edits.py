"""Attention that somebody changed by hand."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from jumok.models import Given


@dataclass(frozen=True)
class Edits:
    """For some steps, the weights to look with in place of the decoder's own."""

    weights: Tensor  # (B, T, S), or for each head its own, (B, heads, T, S)
    rows: Tensor  # (B, T), True at the steps that are changed
    layers: tuple[int, ...] = (-1,)
    heads: tuple[int, ...] | None = None

    @classmethod
    def of_choices(cls, choices: Tensor, places: int) -> Edits:
        """Looks at one place each, `(B, T)`; -1 where there was none."""
        weights = torch.nn.functional.one_hot(choices.clamp_min(0), places).float()
        return cls(weights, choices >= 0)

    def at(self, step: int, sentences: Tensor, hypotheses: int) -> Given | None:
        """What is given at a step to so many hypotheses of each of these sentences `(B',)`."""
        if step >= self.rows.shape[1] or not bool(self.rows[sentences, step].any()):
            return None
        weights = self.weights[sentences, ..., step, None, :]
        weights = weights.expand(*weights.shape[:-2], hypotheses, -1)
        rows = self.rows[sentences, step, None].expand(-1, hypotheses)
        return Given(weights, rows, self.layers, self.heads)
