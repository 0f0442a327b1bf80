"""Softmax and sums along the edges of a graph, without an `(edges x features)` tensor.

A sum over neighbours is the product of a sparse matrix, whose cells are the edges, and the table of values.
Its gradient is the product of the transposed matrix and, for the weights, a product taken only in the cells.
Everything goes head by head, so that the table of one head stays in the cache. Where a device has no sparse
products the same sums go in blocks of edges.

Tables are `(N, heads, ...)`; what belongs to edges is `(heads, E')`, ordered as `PreparedEdges.incoming`.
The operator and its backward are opaque to `torch.compile`. The slow twin is in `reference_graph`.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator

import torch
from torch import Tensor
from torch.library import custom_op

from jumok.attention.edges import Neighbours, PreparedEdges
from jumok.attention.precision import wide

BLOCK_BYTES = 1 << 22  # of one block of edges; measured best between 2 and 4 MiB


@functools.cache
def has_sparse_products(device: str, dtype: torch.dtype) -> bool:
    """Whether sparse matrices can be multiplied there; found out by trying."""
    one = torch.ones(1, 1, dtype=dtype, device=device)
    starts = torch.tensor([0, 1], dtype=torch.int32, device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch says once that this layout is in beta
        try:
            cell = sparse_matrix(starts, starts[:1], one[0], 1)
            torch.sparse.sampled_addmm(cell, cell @ one, one)
        except (RuntimeError, NotImplementedError):
            return False
    return True


def is_sparse(table: Tensor) -> bool:
    """Whether sums over this table go by sparse products."""
    return has_sparse_products(table.device.type, table.dtype)


def sparse_matrix(starts: Tensor, columns: Tensor, cells: Tensor, width: int) -> Tensor:
    """Compressed rows, unchecked."""
    size = (starts.numel() - 1, width)
    return torch.sparse_csr_tensor(starts, columns, cells, size, check_invariants=False)


def blocks(edges: Tensor, table: Tensor) -> Iterator[slice]:
    """Slices of the edges for which a row of the table each fits one block."""
    size = max(1, BLOCK_BYTES // (table.element_size() * max(1, table.shape[1])))
    return (slice(start, min(start + size, edges.numel())) for start in range(0, edges.numel(), size))


def head_of(table: Tensor, head: int) -> Tensor:
    """The table of one head in one piece; do not write to it, it may be the table itself."""
    return wide(table[:, head]).contiguous()


def _sum_neighbours(edges: Neighbours, weights: Tensor, table: Tensor) -> Tensor:
    """For each node the rows of its neighbours, summed with the weights of the edges."""
    if is_sparse(table):
        product: Tensor = sparse_matrix(edges.starts, edges.neighbour, weights, table.shape[0]) @ table
        return product
    total = torch.zeros_like(table)
    for part in blocks(weights, table):
        rows = table.index_select(0, edges.neighbour[part]).mul_(weights[part, None])
        total.index_add_(0, edges.node[part].long(), rows)
    return total


def _products(edges: Neighbours, table: Tensor, neighbours: Tensor, cells: Tensor) -> Tensor:
    """For each edge its node's row times its neighbour's row; `cells` are any finite numbers, one an edge."""
    if is_sparse(table):
        matrix = sparse_matrix(edges.starts, edges.neighbour, cells, table.shape[0])
        sampled: Tensor = torch.sparse.sampled_addmm(matrix, table, neighbours.t(), beta=0.0).values()
        return sampled
    products = torch.empty_like(cells)
    for part in blocks(cells, table):
        rows = neighbours.index_select(0, edges.neighbour[part]).mul_(table.index_select(0, edges.node[part]))
        products[part] = rows.sum(-1)
    return products


def _peaks(edges: Neighbours, scores: Tensor) -> Tensor:
    """The largest score of each node's edges, -inf where it has none."""
    if is_sparse(scores):
        return torch.segment_reduce(scores, "max", offsets=edges.starts, unsafe=True)
    peaks = scores.new_full((edges.starts.numel() - 1,), -torch.inf)
    return peaks.scatter_reduce_(0, edges.node.long(), scores, "amax")


def totals_of(nodes: Tensor, numbers: Tensor, count: int) -> Tensor:
    """The numbers of the edges, summed for each of `count` nodes."""
    return numbers.new_zeros(count).index_add_(0, nodes, numbers)


@custom_op("jumok::attend_edges", mutates_args=())
def _attend(
    scores: Tensor, values: Tensor, kept: Tensor | None, scale: float, lists: list[Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    edges = Neighbours(*lists[:3]).live()
    end = edges.node.numel()
    context = values.new_empty(values.shape)
    strengths, totals = torch.empty_like(scores), scores.new_empty(values.shape[1], values.shape[0])
    strengths[:, end:] = 0
    for h in range(values.shape[1]):
        strength = strengths[h, :end]
        peaks = _peaks(edges, scores[h, :end])
        torch.sub(scores[h, :end], peaks.index_select(0, edges.node), out=strength).exp_()
        total = totals_of(edges.node, strength, values.shape[0]).clamp_(min=1)  # below 1: no edge at all
        used = strength if kept is None else strength * kept[h, :end] * scale
        context[:, h] = _sum_neighbours(edges, used, head_of(values, h)).div_(total[:, None])
        totals[h] = total
    return context, strengths, totals


@_attend.register_fake
def _(
    scores: Tensor, values: Tensor, kept: Tensor | None, scale: float, lists: list[Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    totals = scores.new_empty(values.shape[1], values.shape[0])
    return values.new_empty(values.shape), torch.empty_like(scores), totals


@custom_op("jumok::attend_edges_backward", mutates_args=())
def _attend_backward(
    grad: Tensor | None,
    dstrengths: Tensor | None,
    dtotals: Tensor | None,
    context: Tensor,
    strengths: Tensor,
    totals: Tensor,
    values: Tensor,
    kept: Tensor | None,
    scale: float,
    lists: list[Tensor],
) -> tuple[Tensor, Tensor]:
    """The peaks are constants here: whatever is taken off all scores of a node, its weights stay the same."""
    incoming, outgoing = Neighbours(*lists[:3]).live(), Neighbours(*lists[3:6]).live()
    end = incoming.node.numel()
    crossing = lists[6][:end]
    dscores, dvalues = torch.empty_like(strengths), values.new_zeros(values.shape)
    dscores[:, end:] = 0
    for h in range(values.shape[1]):
        strength, out = strengths[h, :end], dscores[h, :end]
        shared = totals.new_zeros(values.shape[0]) if dtotals is None else dtotals[h].clone()
        if grad is not None:
            used = strength if kept is None else strength * kept[h, :end] * scale
            g = head_of(grad, h).div(totals[h, :, None])
            shared -= (g * head_of(context, h)).sum(-1)
            dvalues[:, h] = _sum_neighbours(outgoing, used.index_select(0, crossing), g)
            torch.mul(_products(incoming, g, head_of(values, h), used), used, out=out)
        else:
            out.zero_()
        if dstrengths is not None:
            out.addcmul_(strength, dstrengths[h, :end])
        out.addcmul_(strength, shared.index_select(0, incoming.node))
    return dscores, dvalues


@_attend_backward.register_fake
def _(
    grad: Tensor | None,
    dstrengths: Tensor | None,
    dtotals: Tensor | None,
    context: Tensor,
    strengths: Tensor,
    totals: Tensor,
    values: Tensor,
    kept: Tensor | None,
    scale: float,
    lists: list[Tensor],
) -> tuple[Tensor, Tensor]:
    return torch.empty_like(strengths), values.new_empty(values.shape)


def _attend_setup(ctx, inputs, output):  # type: ignore[no-untyped-def]
    _, values, kept, ctx.scale, lists = inputs
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*output, values, kept, *lists)


def _attend_gradient(ctx, *grads):  # type: ignore[no-untyped-def]
    context, strengths, totals, values, kept, *lists = ctx.saved_tensors
    dscores, dvalues = _attend_backward(*grads, context, strengths, totals, values, kept, ctx.scale, lists)
    return dscores, dvalues, None, None, [None] * len(lists)


_attend.register_autograd(_attend_gradient, setup_context=_attend_setup)


def attend_edges(
    scores: Tensor, values: Tensor, kept: Tensor | None, scale: float, edges: PreparedEdges
) -> tuple[Tensor, Tensor, Tensor]:
    """Softmax over the edges into each node, and the sum of its neighbours' values with these weights.

    Gives the context `(N, heads, D)` and the weights in two parts, strengths `(heads, E')` and totals
    `(heads, N)`: the weight of an edge is its strength over its target's total. `kept` leaves edges out of
    the sum, and the rest is multiplied by `scale`: dropout.
    """
    context, strengths, totals = _attend(scores, values, kept, scale, edges.tensors())
    return context, strengths, totals
