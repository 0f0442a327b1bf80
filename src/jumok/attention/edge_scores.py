"""What an edge is worth: the scores of GAT and of GATv2 along the edges of a graph, `(heads, E')`.

The score of GATv2 needs a vector for each edge. It exists only in blocks of edges that fit the cache, and
backward makes the blocks again. Each score is an operator with its backward, opaque to `torch.compile`.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.library import custom_op
from torch.nn.functional import embedding_bag, leaky_relu_

from jumok.attention.edge_sums import add_rows, blocks, is_fast, spread, sum_neighbours
from jumok.attention.edges import Neighbours, PreparedEdges
from jumok.attention.precision import wide


@custom_op("jumok::gat_scores", mutates_args=())
def _static(source: Tensor, target: Tensor, slope: float, lists: list[Tensor]) -> Tensor:
    edges = Neighbours(*lists[:3])
    source, target = wide(source).t().contiguous(), wide(target).t().contiguous()  # (heads, N)
    scores = spread(edges, target, source.new_empty(source.shape[0], edges.node.numel()))
    for of_nodes, of_edges in zip(source, scores, strict=True):
        of_edges += of_nodes.index_select(0, edges.neighbour)
    return leaky_relu_(scores, slope)


@_static.register_fake
def _(source: Tensor, target: Tensor, slope: float, lists: list[Tensor]) -> Tensor:
    return wide(source).new_empty(source.shape[1], lists[1].shape[0])


@custom_op("jumok::gat_scores_backward", mutates_args=())
def _static_backward(
    grad: Tensor, scores: Tensor, source: Tensor, target: Tensor, slope: float, lists: list[Tensor]
) -> tuple[Tensor, Tensor]:
    edges = Neighbours(*lists[:3]).live()
    end = edges.node.numel()
    ones = grad.new_ones(source.shape[0], 1)
    dsource, dtarget = [], []
    for h in range(source.shape[1]):
        inner = torch.ops.aten.leaky_relu_backward(grad[h, :end], scores[h, :end], slope, True)
        dsource.append(torch.zeros_like(ones[:, 0]).index_add_(0, edges.neighbour, inner))
        dtarget.append(sum_neighbours(edges, inner, ones)[:, 0])
    return torch.stack(dsource, 1).to(source.dtype), torch.stack(dtarget, 1).to(target.dtype)


@_static_backward.register_fake
def _(
    grad: Tensor, scores: Tensor, source: Tensor, target: Tensor, slope: float, lists: list[Tensor]
) -> tuple[Tensor, Tensor]:
    return source.new_empty(source.shape), target.new_empty(target.shape)


def _static_setup(ctx, inputs, output):  # type: ignore[no-untyped-def]
    source, target, ctx.slope, lists = inputs
    ctx.save_for_backward(output, source, target, *lists)


def _static_gradient(ctx, grad):  # type: ignore[no-untyped-def]
    scores, source, target, *lists = ctx.saved_tensors
    return *_static_backward(grad, scores, source, target, ctx.slope, lists), None, [None] * len(lists)


_static.register_autograd(_static_gradient, setup_context=_static_setup)


def _table(source: Tensor, target: Tensor, head: int) -> Tensor:
    """What one head makes of the sources, and below of the targets: `(2 N, D)`."""
    table = wide(source).new_empty(2, source.shape[0], source.shape[2])
    table[0], table[1] = source[:, head], target[:, head]
    return table.flatten(0, 1)


def _vectors(table: Tensor, pairs: Tensor) -> Tensor:
    """`s + t` for each pair of rows of the table."""
    if is_fast(table):
        return embedding_bag(pairs, table, mode="sum")
    return table[pairs].sum(1)


def _sum_slopes(edges: Neighbours, weights: Tensor, table: Tensor, pairs: Tensor, slope: float) -> Tensor:
    """For each node the slopes of LeakyReLU along its edges, 1 where s + t > 0, summed with weights: `(N, D)`."""
    steep = table.new_zeros(edges.starts.numel() - 1, table.shape[1])
    for part in blocks(weights, table):
        add_rows(edges, part, weights, _vectors(table, pairs[part]).gt_(0), out=steep)
    flat = sum_neighbours(edges, weights, torch.ones_like(steep[:, :1]))
    return steep.mul_(1 - slope).add_(flat, alpha=slope)


@custom_op("jumok::gatv2_scores", mutates_args=())
def _dynamic(source: Tensor, target: Tensor, vector: Tensor, slope: float, lists: list[Tensor]) -> Tensor:
    edges = Neighbours(*lists[:3])
    pairs = torch.stack([edges.neighbour, edges.node + source.shape[0]], 1)  # (E', 2)
    scores = wide(source).new_empty(source.shape[1], edges.node.numel())
    for h, out in enumerate(scores):
        table, a = _table(source, target, h), wide(vector[h])
        for part in blocks(out, table):
            torch.mv(leaky_relu_(_vectors(table, pairs[part]), slope), a, out=out[part])
    return scores


@_dynamic.register_fake
def _(source: Tensor, target: Tensor, vector: Tensor, slope: float, lists: list[Tensor]) -> Tensor:
    return wide(source).new_empty(source.shape[1], lists[1].shape[0])


@custom_op("jumok::gatv2_scores_backward", mutates_args=())
def _dynamic_backward(
    grad: Tensor, source: Tensor, target: Tensor, vector: Tensor, slope: float, lists: list[Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    """With u the slopes summed over the edges of a node: ds = a u, dt = a u', da = sum of s u + t u'."""
    incoming, outgoing = Neighbours(*lists[:3]).live(), Neighbours(*lists[3:6]).live()
    end = incoming.node.numel()
    arriving = torch.stack([incoming.neighbour, incoming.node + source.shape[0]], 1)  # (E', 2)
    leaving = torch.stack([outgoing.node, outgoing.neighbour + source.shape[0]], 1)
    us, ut = [], []
    for h in range(source.shape[1]):
        table, into = _table(source, target, h), grad[h, :end]
        ut.append(_sum_slopes(incoming, into, table, arriving, slope))
        us.append(_sum_slopes(outgoing, into.index_select(0, lists[6][:end]), table, leaving, slope))
    dsource, dtarget = torch.stack(us, 1), torch.stack(ut, 1)  # (N, heads, D)
    dvector = (dsource * source).sum(0) + (dtarget * target).sum(0)
    a = wide(vector)
    return dsource.mul_(a).to(source.dtype), dtarget.mul_(a).to(target.dtype), dvector.to(vector.dtype)


@_dynamic_backward.register_fake
def _(
    grad: Tensor, source: Tensor, target: Tensor, vector: Tensor, slope: float, lists: list[Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    return source.new_empty(source.shape), target.new_empty(target.shape), torch.empty_like(vector)


def _dynamic_setup(ctx, inputs, output):  # type: ignore[no-untyped-def]
    source, target, vector, ctx.slope, lists = inputs
    ctx.save_for_backward(source, target, vector, *lists)


def _dynamic_gradient(ctx, grad):  # type: ignore[no-untyped-def]
    source, target, vector, *lists = ctx.saved_tensors
    return *_dynamic_backward(grad, source, target, vector, ctx.slope, lists), None, [None] * len(lists)


_dynamic.register_autograd(_dynamic_gradient, setup_context=_dynamic_setup)


def static_scores(source: Tensor, target: Tensor, slope: float, edges: PreparedEdges) -> Tensor:
    """`LeakyReLU(s + t)` (Veličković et al. 2018, eq. 3), s and t `(N, heads)`."""
    scores: Tensor = _static(source, target, slope, edges.tensors())
    return scores


def dynamic_scores(source: Tensor, target: Tensor, vector: Tensor, slope: float, edges: PreparedEdges) -> Tensor:
    """`a . LeakyReLU(s + t)` (Brody et al. 2022, eq. 7), s and t `(N, heads, D)`, a `(heads, D)`."""
    scores: Tensor = _dynamic(source, target, vector, slope, edges.tensors())
    return scores
