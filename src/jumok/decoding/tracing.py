"""What every step did, and the way back from the ends of hypotheses to their beginnings."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from jumok.decoding.machine import layers_of


class Taken(NamedTuple):
    """One step, of the sentences that were still there."""

    rows: Tensor  # (all sentences,), the row of each in what follows
    tokens: Tensor  # (B, N), what each hypothesis took
    gains: Tensor  # (B, N), its log-probability
    parents: Tensor  # (B, N), which hypothesis of the step before it continues
    weights: tuple[Tensor, ...]  # one a layer, (B, N before, S) or (B, heads, N before, S), by parent
    choice: Tensor | None  # (B, N before), by parent


class Ends(NamedTuple):
    """The best hypotheses of each sentence that have ended so far, `(sentences, n)` each, the best first."""

    order: Tensor  # what they are sorted by: -inf for none, and those that did not end by themselves come last
    ranks: Tensor
    scores: Tensor
    steps: Tensor  # when it ended
    tokens: Tensor  # its last token,
    gains: Tensor  # the log-probability of that,
    parents: Tensor  # and the hypothesis before it

    @classmethod
    def none(cls, sentences: int, count: int, like: Tensor) -> Ends:
        """Nothing has ended yet."""
        nothing = like.new_full((sentences, count), -torch.inf)
        numbers = torch.zeros(sentences, count, dtype=torch.int64, device=like.device)
        return cls(nothing.double(), nothing, nothing, numbers - 1, numbers, nothing, numbers)

    def joined(self, others: Ends, sentences: Tensor) -> Ends:
        """With others of these sentences `(B,)`; only the best remain."""
        count = self.order.shape[1]
        both = Ends(*(torch.cat([mine[sentences], theirs], dim=1) for mine, theirs in zip(self, others, strict=True)))
        places = both.order.sort(dim=1, descending=True, stable=True).indices[:, :count]
        return Ends(
            *(mine.index_copy(0, sentences, joined.gather(1, places)) for mine, joined in zip(self, both, strict=True))
        )


class Traced(NamedTuple):
    """Hypotheses from their first token to their last, K of them."""

    lengths: Tensor  # (K,)
    tokens: Tensor  # (K, T)
    gains: Tensor  # (K, T)
    weights: Tensor | None  # (K, layers, heads, T, S)
    choices: Tensor | None  # (K, T)


def trace(taken: list[Taken], ends: Ends, sentences: Tensor, places: Tensor) -> Traced:
    """The ends at `places` `(K,)` of `sentences` `(K,)`, followed back; one iteration a step."""
    end_steps, last, last_gain, last_parent = (
        part[sentences, places] for part in (ends.steps, ends.tokens, ends.gains, ends.parents)
    )
    steps = int(end_steps.max()) + 1 if len(sentences) else 0
    tokens = torch.zeros(len(sentences), steps, dtype=torch.int64, device=sentences.device)
    gains = last_gain.new_zeros(len(sentences), steps)
    current = torch.zeros_like(sentences)
    looks: list[Tensor] = []
    choices: list[Tensor] = []
    for number in range(steps - 1, -1, -1):
        step = taken[number]
        over, ended = end_steps < number, end_steps == number
        row = step.rows[sentences].masked_fill(over, 0)
        inside = current.masked_fill(ended | over, 0)
        tokens[:, number] = torch.where(ended, last, step.tokens[row, inside]).masked_fill(over, 0)
        gains[:, number] = torch.where(ended, last_gain, step.gains[row, inside]).masked_fill(over, 0)
        current = torch.where(ended, last_parent, step.parents[row, inside]).masked_fill(over, 0)
        layers = layers_of([_of_hypothesis(layer, row, current) for layer in step.weights])
        if layers is not None:
            looks.append(layers.masked_fill(over[:, None, None, None, None], 0))
        if step.choice is not None:
            choices.append(step.choice[row, current].masked_fill(over, -1))
    return Traced(
        end_steps + 1,
        tokens,
        gains,
        torch.cat(looks[::-1], dim=-2) if looks else None,
        torch.stack(choices[::-1], dim=1) if choices else None,
    )


def _of_hypothesis(layer: Tensor, rows: Tensor, hypotheses: Tensor) -> Tensor:
    """Rows `(K, 1, S)` or `(K, heads, 1, S)` of one layer's weights."""
    picked = layer[rows, hypotheses] if layer.dim() == 3 else layer[rows, :, hypotheses]
    return picked.unsqueeze(-2)
