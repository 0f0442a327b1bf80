"""What an edge is worth: the scores of GAT and of GATv2 along the edges of a graph, `(heads, E')`.

The score of GATv2 needs a vector for each edge. It exists only in blocks of edges that fit the cache, and
backward makes the blocks again. Each score is an operator with its backward, opaque to `torch.compile`.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.library import custom_op
from torch.nn.functional import leaky_relu_

from jumok.attention.edge_sums import blocks, head_of, is_sparse, sparse_matrix, totals_of
from jumok.attention.edges import Neighbours, PreparedEdges
from jumok.attention.precision import wide


@custom_op("jumok::gat_scores", mutates_args=())
def _static(source: Tensor, target: Tensor, slope: float, lists: list[Tensor]) -> Tensor:
    edges = Neighbours(*lists[:3])
    scores = wide(source).new_empty(source.shape[1], edges.node.numel())
    for h, out in enumerate(scores):
        torch.index_select(head_of(source, h), 0, edges.neighbour, out=out)
        out += head_of(target, h).index_select(0, edges.node)
        leaky_relu_(out, slope)
    return scores


@_static.register_fake
def _(source: Tensor, target: Tensor, slope: float, lists: list[Tensor]) -> Tensor:
    return wide(source).new_empty(source.shape[1], lists[1].shape[0])


@custom_op("jumok::gat_scores_backward", mutates_args=())
def _static_backward(
    grad: Tensor, scores: Tensor, source: Tensor, target: Tensor, slope: float, lists: list[Tensor]
) -> tuple[Tensor, Tensor]:
    edges = Neighbours(*lists[:3])
    dsource, dtarget = source.new_empty(source.shape), target.new_empty(target.shape)
    for h in range(source.shape[1]):
        inner = torch.where(scores[h] > 0, grad[h], slope * grad[h])  # LeakyReLU leaves the sign
        dsource[:, h] = totals_of(edges.neighbour, inner, source.shape[0])
        dtarget[:, h] = totals_of(edges.node, inner, target.shape[0])
    return dsource, dtarget


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


def _add_rows(total: Tensor, edges: Neighbours, part: slice, weights: Tensor, rows: Tensor) -> None:
    """Add the rows of a block of edges, with their weights, to the rows of their nodes."""
    if not is_sparse(rows):
        total.index_add_(0, edges.node[part].long(), rows.mul_(weights[part, None]))
        return
    first, last = int(edges.node[part.start]), int(edges.node[part.stop - 1])
    starts = edges.starts[first : last + 2].clamp(part.start, part.stop).sub_(part.start)
    columns = torch.arange(len(rows), dtype=starts.dtype, device=starts.device)
    total[first : last + 1].addmm_(sparse_matrix(starts, columns, weights[part], len(rows)), rows)


def _sum_slopes(edges: Neighbours, weights: Tensor, table: Tensor, neighbours: Tensor, slope: float) -> Tensor:
    """For each node the slopes of LeakyReLU along its edges, summed with weights; 1 where s + t > 0."""
    steep = torch.zeros_like(table)
    for part in blocks(weights, table):
        rows = neighbours.index_select(0, edges.neighbour[part]).add_(table.index_select(0, edges.node[part]))
        _add_rows(steep, edges, part, weights, rows.gt_(0))
    return steep.mul_(1 - slope).add_(slope * totals_of(edges.node, weights, table.shape[0])[:, None])


@custom_op("jumok::gatv2_scores", mutates_args=())
def _dynamic(source: Tensor, target: Tensor, vector: Tensor, slope: float, lists: list[Tensor]) -> Tensor:
    edges = Neighbours(*lists[:3])
    scores = wide(source).new_empty(source.shape[1], edges.node.numel())
    for h, out in enumerate(scores):
        s, t, a = head_of(source, h), head_of(target, h), wide(vector[h])
        for part in blocks(out, s):
            rows = s.index_select(0, edges.neighbour[part]).add_(t.index_select(0, edges.node[part]))
            torch.mv(leaky_relu_(rows, slope), a, out=out[part])
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
    crossing = lists[6][: incoming.node.numel()]
    dsource, dtarget = source.new_empty(source.shape), target.new_empty(target.shape)
    dvector = torch.empty_like(vector)
    for h in range(source.shape[1]):
        s, t, a = head_of(source, h), head_of(target, h), wide(vector[h])
        arriving = grad[h, : incoming.node.numel()]
        into = _sum_slopes(incoming, arriving, t, s, slope)
        out = _sum_slopes(outgoing, arriving.index_select(0, crossing), s, t, slope)
        dvector[h] = (s * out).sum(0) + (t * into).sum(0)
        dsource[:, h] = out.mul_(a)
        dtarget[:, h] = into.mul_(a)
    return dsource, dtarget, dvector


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
