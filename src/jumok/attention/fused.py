"""Fast paths that make the context without the weights: for soft attention with softmax and no window.

The weights are made when they are read (`Attended.weights`), from what was captured at the call.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from jumok.attention.attended import WEIGHERS, Attended, Unread
from jumok.attention.masks import causal_mask, with_past
from jumok.attention.memory import Memory, State
from jumok.attention.normalizers import Normalizer, Softmax
from jumok.attention.precision import wide
from jumok.attention.scores import Additive, Dot, Score
from jumok.attention.tanh_blocks import tanh_attend, tanh_scores

FEW_WEIGHTS = 1 << 18
"""Additive weights up to so many are made at once: they cost less than to make them again."""


def attend(score: Score, normalizer: Normalizer, queries: Tensor, memory: Memory, causal: bool) -> Attended | None:
    """The context with weights unread, or None where no fast path fits."""
    rows = queries.shape[-2]
    if rows <= 1 or memory.keys.shape[-2] == 0:
        return None
    if isinstance(score, Dot) and type(score).forward is Dot.forward:
        return _attend_by_product(score, normalizer.temperature, queries, memory, causal)
    if isinstance(score, Additive) and type(score).forward is Additive.forward and score.history is None:
        many = torch.compiler.is_compiling() or queries[..., 0].numel() * memory.keys.shape[-2] > FEW_WEIGHTS
        if many and wide(queries) is queries:
            return _attend_by_tanh(score, normalizer.temperature, queries, memory, causal)
    return None


def _unread(name: str, options: tuple[float | bool, ...], *tensors: Tensor | None) -> Unread:
    own = tuple(tensor if tensor is None else _detached_from_parameters(tensor) for tensor in tensors)
    return Unread(name, options, own, torch.is_grad_enabled())


def _detached_from_parameters(tensor: Tensor) -> Tensor:
    """A copy where an optimiser could change the tensor in place before it is read."""
    if torch.compiler.is_compiling():
        return tensor
    base = tensor if tensor._base is None else tensor._base
    return tensor.clone() if base.is_leaf and base.requires_grad else tensor


def _attend_by_product(
    score: Dot, temperature: float | Tensor, queries: Tensor, memory: Memory, causal: bool
) -> Attended | None:
    q, scale = score.factors(queries)
    if isinstance(temperature, Tensor):
        q = q / temperature
    else:
        scale = scale / temperature
    keys, values, mask, _ = memory
    if q.dtype != keys.dtype or values.dtype != keys.dtype:
        return None
    whole = not torch.compiler.is_compiling() and q.shape[-2] == keys.shape[-2]
    square = causal and mask is None and whole
    look = mask
    if causal and not square:
        look = with_past(mask, causal_mask(q.shape[-2], keys.shape[-2], q.device))
    if look is not None and look.dim() == 3 and q.dim() == 3:
        look = look.unsqueeze(1)
    q4, k4, v4 = (tensor if tensor.dim() == 4 else tensor.unsqueeze(1) for tensor in (q, keys, values))
    context = scaled_dot_product_attention(q4, k4, v4, attn_mask=look, is_causal=square, scale=scale)
    unread = _unread("product", (scale, causal), q, keys, mask)
    return Attended(context if q.dim() == 4 else context.squeeze(1), state=State(q.shape[-2]), unread=unread)


def _attend_by_tanh(
    score: Additive, temperature: float | Tensor, queries: Tensor, memory: Memory, causal: bool
) -> Attended:
    q, k = score.asked(queries), memory.keys
    v = score.summing(q) / temperature
    context = tanh_attend(q, k, v, memory.values.to(q.dtype), memory.mask, causal).to(memory.values.dtype)
    return Attended(context, state=State(q.shape[-2]), unread=_unread("tanh", (causal,), q, k, v, memory.mask))


def _softmax(scores: Tensor, mask: Tensor | None, causal: bool, dtype: torch.dtype) -> Tensor:
    if causal:
        mask = with_past(mask, causal_mask(scores.shape[-2], scores.shape[-1], scores.device))
    probabilities: Tensor = Softmax()(scores, mask)
    return probabilities.to(dtype)


def _weights_by_product(q: Tensor, keys: Tensor, mask: Tensor | None, scale: float, causal: bool) -> Tensor:
    return _softmax(wide(q) @ wide(keys).transpose(-2, -1) * scale, mask, causal, q.dtype)


def _weights_by_tanh(q: Tensor, keys: Tensor, v: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
    return _softmax(tanh_scores(q, keys, v), mask, causal, q.dtype)


WEIGHERS["product"] = _weights_by_product
WEIGHERS["tanh"] = _weights_by_tanh
