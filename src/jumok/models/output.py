"""The output layer: from the decoder's features to words, and the loss of given words."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn.functional import cross_entropy

from jumok.core.maps import linear
from jumok.core.products import product

ROWS_AT_ONCE = 1024
"""So many rows of logits are made and turned into their gradient together: enough for a fast product."""


class Output(nn.Module):
    """`logits = W f + b`, W `(V, F)`; W may be the table of an embedding (`tie`)."""

    def __init__(self, feature_size: int, words: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(words, feature_size))
        self.bias = nn.Parameter(torch.zeros(words))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, features: Tensor) -> Tensor:
        return linear(features, self.weight, self.bias)

    def losses(self, features: Tensor, words: Tensor, smoothing: float = 0.0) -> Tensor:
        """The cross entropy of each word `(n,)` given features `(n, F)`, never holding more than the logits' gradient.

        smoothing: share of the probability that is spread over all words (Szegedy et al. 2016).
        """
        if torch.is_autocast_enabled(features.device.type):  # its products are done in half the precision, on a GPU
            return cross_entropy(self(features).float(), words, reduction="none", label_smoothing=smoothing)
        losses: Tensor = _Losses.apply(features, self.weight, self.bias, words, smoothing)  # type: ignore[no-untyped-call]
        return losses

    @torch.no_grad()
    def hits(self, features: Tensor, words: Tensor) -> Tensor:
        """Whether each word `(n,)` is the likeliest."""
        parts = zip(features.split(ROWS_AT_ONCE), words.split(ROWS_AT_ONCE), strict=True)
        return torch.cat([self(rows).argmax(-1) == given for rows, given in parts] or [words.bool()])


class _Losses(torch.autograd.Function):
    """Forward makes `softmax - target` in place of the logits, so that backward is two products and nothing else."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, weight: Tensor, bias: Tensor, words: Tensor, smoothing: float) -> Tensor:
        wanted = any(ctx.needs_input_grad)
        count, size = features.shape[0], weight.shape[0]
        kept = features.new_empty(count, size) if wanted else None
        losses = features.new_empty(count)
        # The mean over all words, by one product with the mean of W.
        means = features @ weight.mean(0) + bias.mean() if smoothing else None
        for start in range(0, count, ROWS_AT_ONCE):
            rows = slice(start, min(count, start + ROWS_AT_ONCE))
            logits = product(features[rows], weight, bias)
            given = words[rows].unsqueeze(1)
            # softmax is far faster than logsumexp, which follows from the probability of the likeliest word.
            chances = torch.softmax(logits, 1, out=None if kept is None else kept[rows])
            top = logits.amax(1)
            aim = logits.gather(1, given).squeeze(1)
            if means is not None:
                aim = torch.lerp(aim, means[rows], smoothing)
            losses[rows] = top - chances.amax(1).log() - aim
            if kept is not None:
                if smoothing:
                    chances.sub_(smoothing / size)
                chances.scatter_add_(1, given, chances.new_full((1, 1), smoothing - 1).expand_as(given))
        if kept is not None:
            ctx.save_for_backward(features, weight, kept)
        return losses

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        features, weight, kept = ctx.saved_tensors
        scale = gradient.unsqueeze(1)
        wanted = ctx.needs_input_grad
        return (
            product(kept, weight.t()).mul_(scale) if wanted[0] else None,
            kept.t() @ (features * scale) if wanted[1] else None,
            gradient @ kept if wanted[2] else None,
            None,
            None,
        )
