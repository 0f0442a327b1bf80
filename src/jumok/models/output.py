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

    is_table = True  # a vector for each word

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

    def agreeing(self, features: Tensor, words: Tensor, smoothing: float, weight: float) -> tuple[Tensor, Tensor]:
        """The loss of words `(n,)` given the features `(2 n, F)` of two passes, one after the other.

        The mean over both passes of the summed cross entropies, plus `weight` times the mean of the two divergences
        KL(p, q) and KL(q, p) of their distributions (R-Drop, Liang et al. 2021; its alpha is twice `weight`). Returns
        it, and the cross entropy of each of the `(2 n,)` rows, which has no gradient.
        """
        if torch.is_autocast_enabled(features.device.type):
            logits, twice = self(features).float(), words.repeat(2)
            losses = cross_entropy(logits, twice, reduction="none", label_smoothing=smoothing)
            first, second = logits.log_softmax(1).chunk(2)
            apart = ((first.exp() - second.exp()) * (first - second)).sum()
            return (losses.sum() + weight * apart) / 2, losses.detach()
        given = features, self.weight, self.bias, words, smoothing, weight
        found: tuple[Tensor, Tensor] = _Agreeing.apply(*given)  # type: ignore[no-untyped-call]
        return found

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
        means = _means(features, weight, bias) if smoothing else None
        for start in range(0, count, ROWS_AT_ONCE):
            rows = slice(start, min(count, start + ROWS_AT_ONCE))
            logits = product(features[rows], weight, bias)
            chances, total = _normalised(logits, None if kept is None else kept[rows])
            losses[rows] = total - _aims(logits, words[rows], None if means is None else means[rows], smoothing)
            if kept is not None:
                _less_the_aims(chances, words[rows], smoothing)
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


class _Agreeing(torch.autograd.Function):
    """As `_Losses`, with the gradient of the divergences in what is kept.

    With d = log p - log q, the two divergences add up to J = sum (p - q) d, whose gradient at the logits of p is
    p (d - KL(p, q)) + p - q, and at those of q the same with p and q exchanged.
    """

    @staticmethod
    def forward(
        ctx: Any, features: Tensor, weight: Tensor, bias: Tensor, words: Tensor, smoothing: float, agree: float
    ) -> tuple[Tensor, Tensor]:
        count, size = len(words), weight.shape[0]
        kept = features.new_empty(2, count, size)
        losses = features.new_empty(2, count)
        both = features.view(2, count, -1)
        means = _means(features, weight, bias).view(2, count) if smoothing else None
        apart = features.new_zeros(())
        for start in range(0, count, ROWS_AT_ONCE // 2):
            rows = slice(start, min(count, start + ROWS_AT_ONCE // 2))
            logs = []
            for turn in range(2):
                logits = product(both[turn, rows], weight, bias)
                _, total = _normalised(logits, kept[turn, rows])
                mean = None if means is None else means[turn, rows]
                losses[turn, rows] = total - _aims(logits, words[rows], mean, smoothing)
                logs.append(logits.sub_(total.unsqueeze(1)))
            first, second = kept[0, rows], kept[1, rows]
            ratio, between = logs[0].sub_(logs[1]), torch.sub(first, second, out=logs[1])
            apart += (between * ratio).sum()
            for chances, sign in ((first, 1), (second, -1)):
                divergence = sign * (chances * ratio).sum(1, keepdim=True)
                scale = torch.add(1 - agree * divergence, ratio, alpha=sign * agree)
                chances.mul_(scale).add_(between, alpha=sign * agree)
                _less_the_aims(chances, words[rows], smoothing)
        ctx.save_for_backward(features, weight, kept.view(2 * count, size))
        losses = losses.flatten()
        ctx.mark_non_differentiable(losses)
        return (losses.sum() + agree * apart) / 2, losses

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        features, weight, kept = ctx.saved_tensors
        scale = gradient / 2
        return (
            product(kept, weight.t()).mul_(scale),
            (kept.t() @ features).mul_(scale),
            kept.sum(0).mul_(scale),
            None,
            None,
            None,
        )


def _means(features: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """The mean logit over all words, by one product with the mean of W; `(n,)`."""
    return features @ weight.mean(0) + bias.mean()


def _normalised(logits: Tensor, out: Tensor | None) -> tuple[Tensor, Tensor]:
    """The softmax of each row, and the logarithm of the sum that it divides by.

    softmax is far faster than logsumexp, which follows from the probability of the likeliest word.
    """
    chances = torch.softmax(logits, 1, out=out)
    return chances, logits.amax(1) - chances.amax(1).log()


def _aims(logits: Tensor, words: Tensor, means: Tensor | None, smoothing: float) -> Tensor:
    """The logit of each row's word, smoothed."""
    aims = logits.gather(1, words.unsqueeze(1)).squeeze(1)
    return aims if means is None else torch.lerp(aims, means, smoothing)


def _less_the_aims(chances: Tensor, words: Tensor, smoothing: float) -> None:
    """Take the smoothed one-hot of each row's word off, in place: the gradient of the cross entropy."""
    if smoothing:
        chances.sub_(smoothing / chances.shape[1])
    given = words.unsqueeze(1)
    chances.scatter_add_(1, given, chances.new_full((1, 1), smoothing - 1).expand_as(given))
