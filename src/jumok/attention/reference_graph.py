"""The slow, obvious twin of `GraphAttention`: one node after the other, one edge after the other."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

from jumok.attention.graph import DynamicScore, GraphAttention, StaticScore


def _value_and_score(score: StaticScore | DynamicScore, source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """What the source gives `(heads, D)`, and its score `(heads,)` in the eyes of the target."""
    if isinstance(score, StaticScore):
        value = score.weight @ source
        inner = (score.source * value).sum(-1) + (score.target * (score.weight @ target)).sum(-1)
        return value, leaky_relu(inner, score.negative_slope)
    value = score.source @ source
    asking = (score.source if score.target is None else score.target) @ target
    return value, (score.vector * leaky_relu(value + asking, score.negative_slope)).sum(-1)


def attend_edges_slowly(layer: GraphAttention, nodes: Tensor, edges: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
    """The context, the weights `(E, heads)` and, where loops are added, the self weights `(N, heads)`."""
    pairs = list(zip(*edges.tolist(), strict=True))
    none = nodes.new_zeros(layer.heads)
    weights = [none] * len(pairs)
    self_weights = [none] * len(nodes)
    contexts = []
    for i, target in enumerate(nodes):
        into = [e for e, pair in enumerate(pairs) if pair[1] == i]
        looped = layer.self_loops and (i, i) not in pairs
        sources = [nodes[pairs[e][0]] for e in into] + [target] * looped
        if not sources:
            contexts.append(nodes.new_zeros(layer.heads, layer.out_size))
            continue
        looks = [_value_and_score(layer.score, source, target) for source in sources]
        values, scores = (torch.stack(parts) for parts in zip(*looks, strict=True))
        shares = scores.softmax(0)  # (edges into i, heads)
        contexts.append((shares[:, :, None] * values).sum(0))
        for e, share in zip(into, shares, strict=False):
            weights[e] = share
        if looped:
            self_weights[i] = shares[-1]
    context = torch.stack(contexts)
    context = context.flatten(1) if layer.concat else context.mean(1)
    if layer.bias is not None:
        context = context + layer.bias
    given = torch.stack(weights) if weights else nodes.new_zeros(0, layer.heads)
    return context, given, torch.stack(self_weights) if layer.self_loops else None
