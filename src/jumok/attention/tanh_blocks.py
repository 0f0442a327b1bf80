"""The additive score in blocks that fit the cache: `score[t, s] = v . tanh(q[t] + k[s] + f[t, s] F)`.

Written out, the sum is a `(B, T, S, H)` tensor. Here it only ever exists in blocks, and backward makes the blocks
again. A block holds not the tanh but `r = 1 / (1 + exp(2 q) exp(2 k))`: then `tanh(q + k) = 1 - 2 r` and its
derivative is `4 (r - r^2)`. The exponentials are taken once for each query and each key, so that the work on a
block is a product and a reciprocal, several times cheaper than a tanh. Where there are too few queries for that to
pay (and the keys were not prepared), where an exponential would leave the range of the type, or where features f
make the sum differ in every cell, `r` is a sigmoid, `1 / (1 + exp(2 (q + k)))`.

Two operators with their backwards, opaque to `torch.compile` and `torch.export`: the scores; and scores, softmax and
sum of values together, which keeps no `(T, S)` tensor either. Beside them the scores of single queries, for walks
step by step (`Maps`): the gradients of k and v add up over the steps, with few and short operations for each.
The slow twin is `reference.score`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.library import custom_op

from jumok.attention.masks import causal_mask, with_past
from jumok.attention.operators import operator
from jumok.core.maps import walking

BLOCK_BYTES = 1 << 23  # of one block; as fast as 4 MiB, and on a busy machine fewer rounds of waiting for threads
FEW_ROWS = 4  # queries for which the exponentials of all keys cost more than they save

Blocks = tuple[slice, slice]


def _sizes(batch: int, rows: int, columns: int, hidden: int, itemsize: int) -> tuple[int, int, int]:
    """How many sentences, queries and keys go into one block."""
    room = max(1, BLOCK_BYTES // (itemsize * max(1, hidden)))
    columns = max(1, min(columns, room))
    rows = max(1, min(rows, room // columns))
    return max(1, min(batch, room // (columns * rows))), rows, columns


def _fit_exponentials(x: Tensor) -> bool:
    """Whether `exp(2 x)` stays within the range of the type; what is not a number does not."""
    limit = math.log(torch.finfo(x.dtype).max) / 2 - 1
    if not x.numel():
        return True
    least, most = x.detach().aminmax()
    return bool(least > -limit) and bool(most < limit)


def key_exponentials(k: Tensor) -> Tensor | None:
    """`exp(2 k)`, which whoever asks the same keys step after step does well to hold; None beyond the range."""
    with torch.no_grad():
        return (k * 2).exp_() if _fit_exponentials(k) else None


def _slices(length: int, size: int) -> Iterator[slice]:
    return (slice(start, min(start + size, length)) for start in range(0, length, size))


class _Blocks:
    """Makes the blocks of r, one after the other, in one buffer."""

    def __init__(
        self,
        q: Tensor,
        k: Tensor,
        features: Tensor | None = None,
        mapping: Tensor | None = None,
        exponentials: Tensor | None = None,
    ) -> None:
        self.batch, self.rows, self.hidden = q.shape
        self.columns = k.shape[1]
        self.features, self.mapping = features, mapping
        if exponentials is None and features is None and self.rows >= FEW_ROWS:
            exponentials = key_exponentials(k)
        self.factored = exponentials is not None and _fit_exponentials(q)
        self.q, self.k = (q * 2).exp_() if self.factored else q * -2, k
        if self.factored and exponentials is not None:
            self.k = exponentials
        self.one = q.new_ones(())
        self.sizes = _sizes(self.batch, self.rows, self.columns, self.hidden, q.element_size())
        self.buffer = q.new_empty(math.prod(self.sizes) * self.hidden)
        self.single = self.rows == 1 and features is None and self.sizes[::2] == (self.batch, self.columns)

    def outer(self) -> Iterator[Blocks]:
        """Slices of sentences and of queries."""
        for b in _slices(self.batch, self.sizes[0]):
            for t in _slices(self.rows, self.sizes[1]):
                yield b, t

    def inner(self) -> Iterator[slice]:
        """Slices of keys."""
        return _slices(self.columns, self.sizes[2])

    def fill(self, b: slice, t: slice, s: slice) -> Tensor:
        """r of one block, `(b, t, s, H)`; the next call overwrites it."""
        q, k = self.q[b, t, None], self.k[b, None, s]
        shape = (q.shape[0], q.shape[1], k.shape[2], self.hidden)
        block = self.buffer[: math.prod(shape)].view(shape)
        if self.factored:
            return torch.addcmul(self.one, q, k, out=block).reciprocal_()
        torch.add(q, k, alpha=-2, out=block)
        if self.features is not None and self.mapping is not None:
            block.sub_(self.features[b, t, s] @ self.mapping, alpha=2)
        return block.sigmoid_()

    def score(self, v: Tensor, b: slice, t: slice, s: slice, out: Tensor) -> Tensor:
        """Write `v . tanh` of one block to `out` and return the block."""
        block = self.fill(b, t, s)
        out.copy_((block.view(-1, self.hidden) @ v).view(out.shape)).mul_(-2).add_(v.sum())
        return block


class _Gradients:
    """Collects the gradients of q, k, v, features and their mapping, block by block."""

    def __init__(self, blocks: _Blocks, q: Tensor, k: Tensor, v: Tensor) -> None:
        self.v = v
        self.features, self.mapping = blocks.features, blocks.mapping
        self.q, self.k = torch.zeros_like(q), None if blocks.single else torch.zeros_like(k)
        self.r = torch.zeros_like(v)
        self.total = v.new_zeros(())
        self.f = v.new_zeros(0) if self.features is None else torch.zeros_like(self.features)
        self.m = v.new_zeros(0) if self.mapping is None else torch.zeros_like(self.mapping)

    def add(self, block: Tensor, grad: Tensor, b: slice, t: slice, s: slice) -> None:
        """Add what `grad` `(b, t, s)` on the scores of one block of r gives; the block is used up."""
        hidden = block.shape[-1]
        grad = grad.contiguous()
        self.r.addmv_(block.view(-1, hidden).t(), grad.view(-1))
        self.total += grad.sum()
        block.addcmul_(block, block, value=-1).mul_(grad.unsqueeze(-1))  # g (r - r^2)
        self.q[b, t] += block.sum(2)
        if self.k is None:
            self.k = block[:, 0]  # one query, one block: what is left of it is the gradient
        else:
            self.k[b, s] += block.sum(1)
        if self.features is not None and self.mapping is not None:
            block *= self.v * 4
            self.f[b, t, s] = block @ self.mapping.t()
            self.m += self.features[b, t, s].reshape(-1, self.mapping.shape[0]).t() @ block.view(-1, hidden)

    def result(self) -> tuple[Tensor, Tensor, Tensor]:
        """The gradients of q, k and v."""
        assert self.k is not None
        slope = self.v * 4
        return self.q.mul_(slope), self.k.mul_(slope), self.total - 2 * self.r


def _scores(
    q: Tensor, k: Tensor, v: Tensor, features: Tensor | None, mapping: Tensor | None, exponentials: Tensor | None
) -> Tensor:
    blocks = _Blocks(q, k, features, mapping, exponentials)
    scores = q.new_empty(q.shape[0], q.shape[1], k.shape[1])
    for b, t in blocks.outer():
        for s in blocks.inner():
            blocks.score(v, b, t, s, out=scores[b, t, s])
    return scores


def _scores_fake(
    q: Tensor, k: Tensor, v: Tensor, features: Tensor | None, mapping: Tensor | None, exponentials: Tensor | None
) -> Tensor:
    return q.new_empty(q.shape[0], q.shape[1], k.shape[1])


@custom_op("jumok::additive_scores_backward", mutates_args=())
def _scores_backward(
    grad: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    features: Tensor | None,
    mapping: Tensor | None,
    exponentials: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    blocks = _Blocks(q, k, features, mapping, exponentials)
    gradients = _Gradients(blocks, q, k, v)
    for b, t in blocks.outer():
        for s in blocks.inner():
            gradients.add(blocks.fill(b, t, s), grad[b, t, s], b, t, s)
    return *gradients.result(), gradients.f, gradients.m


@_scores_backward.register_fake
def _(
    grad: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    features: Tensor | None,
    mapping: Tensor | None,
    exponentials: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    df, dm = (v.new_empty(0) if x is None else torch.empty_like(x) for x in (features, mapping))
    return torch.empty_like(q), torch.empty_like(k), torch.empty_like(v), df, dm


def _scores_setup(ctx, inputs, output):  # type: ignore[no-untyped-def]
    ctx.save_for_backward(*inputs)


def _scores_gradient(ctx, grad):  # type: ignore[no-untyped-def]
    q, k, v, features, mapping, exponentials = ctx.saved_tensors
    dq, dk, dv, df, dm = _scores_backward(grad, q, k, v, features, mapping, exponentials)
    return dq, dk, dv, None if features is None else df, None if mapping is None else dm, None


_score = operator("additive_scores", _scores, _scores_fake, _scores_setup, _scores_gradient)


def _visible(blocks: _Blocks, mask: Tensor | None, causal: bool, b: slice, t: slice) -> Tensor | None:
    """Which keys the queries of one block may look at, `(b, t, S)` or broadcastable."""
    if mask is not None:
        mask = mask[b, t if mask.shape[1] > 1 else slice(None)]
    if not causal:
        return mask
    return with_past(mask, causal_mask(blocks.rows, blocks.columns, blocks.q.device, t))


def _attend(
    q: Tensor, k: Tensor, v: Tensor, values: Tensor, mask: Tensor | None, causal: bool
) -> tuple[Tensor, Tensor]:
    blocks = _Blocks(q, k)
    context = values.new_zeros(*q.shape[:2], values.shape[2])
    lse = q.new_empty(q.shape[:2])  # logarithm of the sum of exponentials; -inf where everything is masked
    for b, t in blocks.outer():
        scores = q.new_empty((*lse[b, t].shape, blocks.columns))
        for s in blocks.inner():
            blocks.score(v, b, t, s, out=scores[..., s])
        visible = _visible(blocks, mask, causal, b, t)
        if visible is not None:
            scores.masked_fill_(~visible, -math.inf)
        lse[b, t] = scores.logsumexp(-1)
        weights = (scores - lse[b, t, None].clamp_min(torch.finfo(q.dtype).min)).exp_()
        context[b, t] = weights @ values[b]
    return context, lse


def _attend_fake(
    q: Tensor, k: Tensor, v: Tensor, values: Tensor, mask: Tensor | None, causal: bool
) -> tuple[Tensor, Tensor]:
    return values.new_empty(q.shape[0], q.shape[1], values.shape[2]), q.new_empty(q.shape[0], q.shape[1])


@custom_op("jumok::additive_attend_backward", mutates_args=())
def _attend_backward(
    grad: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    values: Tensor,
    mask: Tensor | None,
    causal: bool,
    context: Tensor,
    lse: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    blocks = _Blocks(q, k)
    gradients = _Gradients(blocks, q, k, v)
    dvalues = torch.zeros_like(values)
    floor = lse.clamp_min(torch.finfo(q.dtype).min)
    shared = (grad * context).sum(-1)  # what the softmax takes off every key of a row
    for b, t in blocks.outer():
        visible = _visible(blocks, mask, causal, b, t)
        for s in blocks.inner():
            weights = q.new_empty((*lse[b, t].shape, s.stop - s.start))
            block = blocks.score(v, b, t, s, out=weights)
            if visible is not None:
                weights.masked_fill_(~visible[..., s], -math.inf)
            weights.sub_(floor[b, t, None]).exp_()
            dvalues[b, s] += weights.transpose(1, 2) @ grad[b, t]
            dweights = grad[b, t] @ values[b, s].transpose(1, 2)
            gradients.add(block, weights.mul_(dweights.sub_(shared[b, t, None])), b, t, s)
    return *gradients.result(), dvalues


@_attend_backward.register_fake
def _(
    grad: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    values: Tensor,
    mask: Tensor | None,
    causal: bool,
    context: Tensor,
    lse: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    return torch.empty_like(q), torch.empty_like(k), torch.empty_like(v), torch.empty_like(values)


def _attend_setup(ctx, inputs, output):  # type: ignore[no-untyped-def]
    q, k, v, values, mask, ctx.causal = inputs
    ctx.save_for_backward(q, k, v, values, mask, *output)
    ctx.mark_non_differentiable(output[1])


def _attend_gradient(ctx, grad, _):  # type: ignore[no-untyped-def]
    q, k, v, values, mask, context, lse = ctx.saved_tensors
    return *_attend_backward(grad, q, k, v, values, mask, ctx.causal, context, lse), None, None


_look = operator("additive_attend", _attend, _attend_fake, _attend_setup, _attend_gradient)


class SteppedKeys:
    """Keys `(..., S, H)` that are asked step after step, one query at a time, and v; the exponentials are those of k.

    With `d = r - r^2` and the gradient g of a score, that of k is the sum over steps of `4 v g d`, that of v the sum of
    `g (1 - 2 r)`: what all steps share is done when the last is through.
    """

    def __init__(self, k: Tensor, v: Tensor, exponentials: Tensor) -> None:
        self.k, self.v, self.exponentials = k.detach(), v.detach(), exponentials
        self.total = self.v.sum()
        self.one = v.new_ones(())
        self.buffer = torch.empty_like(exponentials)
        self.summed: Tensor | None = None  # g d, over steps
        self.r = torch.zeros_like(self.v)  # g r, over steps and keys
        self.g = v.new_zeros(())  # g, likewise

    def filled(self, q: Tensor) -> Tensor:
        """r for `q = exp(2 queries)`, `(..., 1, H)`; the next call overwrites it."""
        return torch.addcmul(self.one, q, self.exponentials, out=self.buffer).reciprocal_()

    def add(self, q: Tensor, g: Tensor) -> Tensor:
        """Take the gradient g `(..., 1, S)` of the scores of one step; returns that of the queries."""
        block = self.filled(q)
        self.r.addmv_(block.view(-1, block.shape[-1]).t(), g.reshape(-1))
        self.g += g.sum()
        block.addcmul_(block, block, value=-1)
        if self.summed is None:
            self.summed = torch.zeros_like(block)
        self.summed.addcmul_(block, g.transpose(-2, -1))
        return (g @ block).mul_(self.v * 4)

    def gradients(self) -> tuple[Tensor | None, ...]:
        """Those of k and v; the exponentials are a part of k's."""
        if self.summed is None:
            return None, None, None
        made = self.summed.mul_(self.v * 4), self.g - 2 * self.r, None
        self.summed, self.r, self.g = None, torch.zeros_like(self.r), torch.zeros_like(self.g)
        return made


class _Stepped(torch.autograd.Function):
    """The scores of one query on stepped keys."""

    @staticmethod
    def forward(ctx: Any, q: Tensor, ticket: Tensor, keys: SteppedKeys) -> Tensor:
        q = (q * 2).exp_()
        ctx.save_for_backward(q, ticket)
        ctx.keys = keys
        scores = (keys.filled(q) @ keys.v).mul_(-2).add_(keys.total)
        return scores.unsqueeze(-2)  # (..., 1, S)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        q, ticket = ctx.saved_tensors
        return ctx.keys.add(q, gradient), ticket, None


def _flat(tensor: Tensor) -> Tensor:
    """Any leading axes as one: `(B, T, H)`."""
    return tensor.flatten(0, -3)


def tanh_scores(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    features: Tensor | None = None,
    mapping: Tensor | None = None,
    exponentials: Tensor | None = None,
) -> Tensor:
    """`v . tanh(q + k + f F)` for q `(..., T, H)`, k `(..., S, H)`, f `(..., T, S, C)`, F `(C, H)`: `(..., T, S)`.

    exponentials: those of k, where they are at hand.
    """
    maps = walking()
    if maps is not None and exponentials is not None and features is None and q.shape[-2] == 1:
        learns = torch.is_grad_enabled() and k.requires_grad and v.requires_grad
        if learns and q.shape[:-2] == k.shape[:-2] and _fit_exponentials(q):
            keys, ticket = maps.held(SteppedKeys, k, v, exponentials)
            stepped: Tensor = _Stepped.apply(q, ticket, keys)  # type: ignore[no-untyped-call]
            return stepped
    flat = None if features is None else features.flatten(0, -4)
    at_hand = None if exponentials is None else _flat(exponentials)
    scores: Tensor = _score(_flat(q), _flat(k), v, flat, mapping, at_hand)
    return scores.reshape(*q.shape[:-1], k.shape[-2])


def tanh_attend(
    q: Tensor, k: Tensor, v: Tensor, values: Tensor, mask: Tensor | None = None, causal: bool = False
) -> Tensor:
    """Softmax attention with that score in memory linear in T and S: the context `(..., T, V)`."""
    flat = None if mask is None else _flat(mask.expand(*q.shape[:-2], *mask.shape[-2:]))
    context: Tensor = _look(_flat(q), _flat(k), v, _flat(values), flat, causal)[0]
    return context.reshape(*q.shape[:-1], values.shape[-1])
