"""What an edge is worth: the scores of GAT and of GATv2 along the edges of a graph, `(heads, E')`.

The score of GATv2 needs a vector for each edge. It exists only in blocks of edges that fit the cache, and
backward makes the blocks again. Each score is an operator with its backward, opaque to `torch.compile`.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.library import custom_op
from torch.nn.functional import embedding_bag, leaky_relu_

from jumok.attention.edge_sums import blocks, is_fast, reduce_edges, spread, sum_neighbours
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
    inner = torch.where(scores > 0, grad, slope * grad)  # LeakyReLU leaves the sign
    dsource = inner.new_zeros(source.shape[1], source.shape[0])
    for of_nodes, of_edges in zip(dsource, inner, strict=True):
        of_nodes.index_add_(0, edges.neighbour, of_edges[:end])
    dtarget = reduce_edges(edges, inner, "sum")
    return dsource.t().to(source.dtype).contiguous(), dtarget.t().to(target.dtype).contiguous()


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


class _Vectors:
    """`s + t` for blocks of the edges, one head at a time; the two ends are a pair of rows of one table."""

    def __init__(self, edges: Neighbours, neighbours: Tensor, nodes: Tensor) -> None:
        self.edges = edges
        self.neighbours, self.nodes = neighbours, nodes  # (N, heads, D)
        self.pairs = torch.stack([edges.neighbour, edges.node + neighbours.shape[0]], 1)  # (E', 2)

    def table(self, head: int) -> Tensor:
        return wide(torch.cat([self.neighbours[:, head], self.nodes[:, head]]))  # (2 N, D)

    def block(self, table: Tensor, part: slice) -> Tensor:
        if is_fast(table):
            return embedding_bag(self.pairs[part], table, mode="sum")
        return table[self.pairs[part]].sum(1)

    def sum_slopes(self, head: int, weights: Tensor, slope: float) -> Tensor:
        """For each node the slopes of LeakyReLU along its edges, 1 where s + t > 0, summed with weights: `(N, D)`."""
        table = self.table(head)
        steep = table.new_zeros(self.nodes.shape[0], table.shape[1])
        for part in blocks(weights, table):
            first, last = (int(self.edges.node[end]) for end in (part.start, part.stop - 1))
            starts = self.edges.starts[first : last + 2].clamp(part.start, part.stop).sub_(part.start)
            rows = torch.arange(part.stop - part.start, dtype=starts.dtype, device=starts.device)
            own = Neighbours(starts, self.edges.node[part] - first, rows)
            steep[first : last + 1] += sum_neighbours(own, weights[part], self.block(table, part).gt_(0))
        flat = reduce_edges(self.edges, weights[None], "sum")
        return steep.mul_(1 - slope).add_(flat.t(), alpha=slope)


@custom_op("jumok::gatv2_scores", mutates_args=())
def _dynamic(source: Tensor, target: Tensor, vector: Tensor, slope: float, lists: list[Tensor]) -> Tensor:
    edges = Neighbours(*lists[:3])
    vectors = _Vectors(edges, source, target)
    scores = wide(source).new_empty(source.shape[1], edges.node.numel())
    for h, out in enumerate(scores):
        table, a = vectors.table(h), wide(vector[h])
        for part in blocks(out, table):
            torch.mv(leaky_relu_(vectors.block(table, part), slope), a, out=out[part])
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
    arriving, leaving = _Vectors(incoming, source, target), _Vectors(outgoing, target, source)
    us, ut = [], []
    for h in range(source.shape[1]):
        ut.append(arriving.sum_slopes(h, grad[h, :end], slope))
        us.append(leaving.sum_slopes(h, grad[h].index_select(0, lists[6][:end]), slope))
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
