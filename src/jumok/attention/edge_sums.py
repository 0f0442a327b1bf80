"""Softmax and sums along the edges of a graph, without an `(edges x features)` tensor.

The edges of one node lie together, so a sum over its neighbours is a bag of rows with weights. Its gradient is such
a sum in the other direction and, for the weights, a product of two rows taken only where there is an edge. Where a
device lacks one of these operations, the same sums go in blocks of edges.

Tables are `(N, heads, ...)`; what belongs to edges is `(heads, E')`, ordered as `PreparedEdges.incoming`. What needs
the ends of the edges goes head by head, so that the table of one head stays in the cache; the rest goes at once.
The operator and its backward are opaque to `torch.compile`. The slow twin is `reference.attend_edges`.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from typing import Literal

import torch
from torch import Tensor
from torch.library import custom_op
from torch.nn.functional import embedding_bag

from jumok.attention.edges import Neighbours, PreparedEdges
from jumok.attention.precision import wide

BLOCK_BYTES = 1 << 24  # of one block of edges; smaller is hardly faster, and waits more on a busy machine


@functools.cache
def has_fast_sums(device: str, dtype: torch.dtype) -> bool:
    """Whether a device has the operations below; found out by trying them on one edge."""
    one = torch.ones(1, 1, dtype=dtype, device=device)
    starts = torch.tensor([0, 1], dtype=torch.int32, device=device)
    edge = Neighbours(starts, starts[:1], starts[:1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch says once that sparse rows are in beta
        try:
            result = _reduce_fast(edge, one.clone(), "max")[0]
            _add_products_fast(edge, _bags(starts[:1], one, starts, one[0]), one, out=result)
        except (RuntimeError, NotImplementedError):
            return False
    return result.item() == 2


def is_fast(tensor: Tensor) -> bool:
    """Whether the sums of this tensor go by bags and sparse rows, or in blocks."""
    return has_fast_sums(tensor.device.type, tensor.dtype)


def blocks(edges: Tensor, table: Tensor) -> Iterator[slice]:
    """Slices of the edges for which a row of the table each fits one block."""
    size = max(1, BLOCK_BYTES // (table.element_size() * max(1, table.shape[1])))
    return (slice(start, min(start + size, edges.numel())) for start in range(0, edges.numel(), size))


def sum_neighbours(edges: Neighbours, weights: Tensor, table: Tensor) -> Tensor:
    """For each node the rows of its neighbours, summed with the weights of the edges: `(N, D)`."""
    if is_fast(table):
        return _bags(edges.neighbour, table, edges.starts, weights)
    total = table.new_zeros(edges.starts.numel() - 1, table.shape[1])
    for part in blocks(weights, table):
        add_rows(edges, part, weights, table.index_select(0, edges.neighbour[part]), out=total)
    return total


def add_rows(edges: Neighbours, part: slice, weights: Tensor, rows: Tensor, out: Tensor) -> None:
    """Add the rows of a block of edges, with their weights, to the rows of their nodes in `out`."""
    if not is_fast(rows):
        out.index_add_(0, edges.node[part].long(), rows * weights[part, None])
        return
    first, last = int(edges.node[part.start]), int(edges.node[part.stop - 1])
    starts = edges.starts[first : last + 2].clamp(part.start, part.stop).sub_(part.start)
    each = torch.arange(len(rows), dtype=starts.dtype, device=starts.device)
    out[first : last + 1] += _bags(each, rows, starts, weights[part])


def _bags(index: Tensor, table: Tensor, starts: Tensor, weights: Tensor) -> Tensor:
    """Sums of rows of the table with weights; a bag begins where the one before ends."""
    return embedding_bag(index, table, starts, mode="sum", per_sample_weights=weights, include_last_offset=True)


def add_products(edges: Neighbours, table: Tensor, neighbours: Tensor, out: Tensor) -> None:
    """Add to `out`, for each edge, the product of its node's row and its neighbour's row."""
    if is_fast(table) and out.numel() <= table.shape[0] ** 2:  # sampled_addmm cuts off more edges than cells
        _add_products_fast(edges, table, neighbours, out)
        return
    for part in blocks(out, table):
        rows = neighbours.index_select(0, edges.neighbour[part]).mul_(table.index_select(0, edges.node[part]))
        out[part] += rows.sum(-1)


def _add_products_fast(edges: Neighbours, table: Tensor, neighbours: Tensor, out: Tensor) -> None:
    size = (table.shape[0], neighbours.shape[0])
    cells = torch.sparse_csr_tensor(edges.starts, edges.neighbour, out, size, check_invariants=False)
    torch.sparse.sampled_addmm(cells, table, neighbours.t(), out=cells)


def reduce_edges(edges: Neighbours, numbers: Tensor, how: Literal["max", "sum"]) -> Tensor:
    """The largest (-inf for none), or the sum, of the numbers `(heads, E')` of each node's edges: `(heads, N)`."""
    if is_fast(numbers):
        return _reduce_fast(edges, numbers, how)
    end = edges.neighbour.numel()
    start = -torch.inf if how == "max" else 0.0
    result = numbers.new_full((numbers.shape[0], edges.starts.numel() - 1), start)
    index = edges.node.long().expand(numbers.shape[0], end)
    return result.scatter_reduce_(1, index, numbers[:, :end], "amax" if how == "max" else "sum")


def _reduce_fast(edges: Neighbours, numbers: Tensor, how: Literal["max", "sum"]) -> Tensor:
    offsets = edges.starts.expand(numbers.shape[0], -1)
    return torch.segment_reduce(numbers, how, offsets=offsets, axis=1, unsafe=True)


def spread(edges: Neighbours, numbers: Tensor, out: Tensor) -> Tensor:
    """The number of its node `(heads, N)` for each edge, written to `out` `(heads, E')`; after the last edge, 0."""
    end = edges.node.numel()
    for of_nodes, of_edges in zip(numbers, out, strict=True):
        torch.index_select(of_nodes, 0, edges.node, out=of_edges[:end])
    out[:, end:] = 0
    return out


@custom_op("jumok::attend_edges", mutates_args=())
def _attend(
    scores: Tensor, values: Tensor, kept: Tensor | None, scale: float, lists: list[Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    edges = Neighbours(*lists[:3]).live()
    end = edges.node.numel()
    strengths = spread(edges, reduce_edges(edges, scores, "max"), torch.empty_like(scores))
    torch.sub(scores, strengths, out=strengths).exp_()
    strengths[:, end:] = 0
    totals = reduce_edges(edges, strengths, "sum").clamp_(min=1)  # below 1 only where there is no edge
    used = strengths if kept is None else (strengths * kept).mul_(scale)
    tables = wide(values.detach()).unbind(1)
    heads = [sum_neighbours(edges, used[h, :end], table) for h, table in enumerate(tables)]
    context = torch.stack(heads, 1).div_(totals.t()[:, :, None])  # (N, heads, D)
    return context.to(values.dtype), strengths, totals


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
    shared = torch.zeros_like(totals) if dtotals is None else dtotals.clone()
    if grad is None:
        grad = torch.zeros_like(context)
    else:
        shared -= (grad * context).sum(-1, dtype=shared.dtype).t() / totals
    dscores = spread(incoming, shared, torch.empty_like(strengths))
    if dstrengths is not None:
        dscores += dstrengths
    dheads = []
    for h in range(values.shape[1]):
        g, v, used = grad[:, h] / totals[h, :, None], wide(values[:, h]).contiguous(), strengths[h, :end]
        if kept is None:
            add_products(incoming, g, v, out=dscores[h, :end])
        else:
            share = kept[h, :end] * scale
            looks = torch.zeros_like(used)
            add_products(incoming, g, v, out=looks)
            dscores[h, :end].addcmul_(looks, share)
            used = used * share
        dheads.append(sum_neighbours(outgoing, used.index_select(0, lists[6][:end]), g))
    return dscores.mul_(strengths), torch.stack(dheads, 1).to(values.dtype)


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
