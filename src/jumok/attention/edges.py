"""The edges of a graph, sorted once: who looks at whom, listed by target and listed by source.

Sums over neighbours go fast when the edges of one node lie together. Forward these are the edges into a
node, backward those out of it, so the prepared edges hold both lists, the way from one to the other, and the
way back to the order in which the caller gave the edges.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.library import custom_op
from torch.utils import _pytree


class Neighbours(NamedTuple):
    """Edges sorted by one of their ends; those of node n are `starts[n]:starts[n + 1]`."""

    starts: Tensor  # (N + 1,)
    node: Tensor  # (E',), the end that they are sorted by
    neighbour: Tensor  # (E',), the other end

    def live(self) -> Neighbours:
        """Without the edges after the last node's: loops that were not needed."""
        end = int(self.starts[-1])
        return Neighbours(self.starts, self.node[:end], self.neighbour[:end])


@dataclass(frozen=True)
class PreparedEdges:
    """Edges of a fixed graph, ready for any layer that treats self-loops alike; see `prepare_edges`.

    count: how many edges the caller gave, E.
    nodes: how many nodes there are, N.
    self_loops: whether N loops were added behind the caller's edges, so that E' = E + N; otherwise E' = E.
        A loop that the caller gave already is not needed a second time: it comes last and belongs to no node.
    incoming, outgoing: the E' edges sorted by target and by source.
    crossing: `(E',)`, for each outgoing edge its place among the incoming ones.
    place: `(E',)`, for each of the caller's edges, then for each node's loop, its place among the incoming.
    """

    count: int
    nodes: int
    self_loops: bool
    incoming: Neighbours
    outgoing: Neighbours
    crossing: Tensor
    place: Tensor

    def tensors(self) -> list[Tensor]:
        """What the sums need, as the operators take it."""
        return [*self.incoming, *self.outgoing, self.crossing]

    def to(self, device: torch.device | str) -> PreparedEdges:
        """The same edges on another device."""
        moved: PreparedEdges = _pytree.tree_map_only(Tensor, lambda tensor: tensor.to(device), self)
        return moved


def _flatten(edges: PreparedEdges) -> tuple[list[Any], Any]:
    children = [getattr(edges, field.name) for field in fields(PreparedEdges)]
    return children[3:], children[:3]


_pytree.register_pytree_node(
    PreparedEdges,
    _flatten,
    lambda children, spec: PreparedEdges(*spec, *children),
    serialized_type_name="jumok.attention.PreparedEdges",
)


def prepare_edges(edges: Tensor, nodes: int, *, self_loops: bool = True) -> PreparedEdges:
    """Check and sort `(2, E)` edges, sources above targets, of a graph of so many nodes.

    >>> prepared = prepare_edges(torch.tensor([[2, 0, 1], [1, 1, 0]]), nodes=3, self_loops=False)
    >>> prepared.incoming.neighbour  # 1 into node 0, then 2 and 0 into node 1
    tensor([1, 2, 0], dtype=torch.int32)
    """
    if edges.dtype == torch.bool or edges.is_floating_point() or edges.is_complex():
        raise TypeError(f"edges: expected whole numbers, got {edges.dtype} of shape {tuple(edges.shape)}")
    if edges.dim() != 2 or edges.shape[0] != 2:
        raise ValueError(f"edges: expected shape (2, E), sources above targets, got {tuple(edges.shape)}")
    *lists, crossing, place = _sort(edges, nodes, self_loops)
    incoming, outgoing = Neighbours(*lists[:3]), Neighbours(*lists[3:])
    return PreparedEdges(edges.shape[1], nodes, self_loops, incoming, outgoing, crossing, place)


def _check_range(edges: Tensor, nodes: int) -> None:
    if not edges.numel():
        return
    least, most = (int(bound) for bound in edges.aminmax())
    if least >= 0 and most < nodes:
        return
    outside = (edges < 0) | (edges >= nodes)
    column = int(outside.any(0).nonzero()[0])
    node = int(edges[:, column][outside[:, column]][0])
    reason = "nodes are numbered from 0" if node < 0 else f"there are only {nodes} nodes"
    raise ValueError(f"edges: node {node} at column {column}, but {reason}")


def _index_type(nodes: int, edges: int) -> torch.dtype:
    return torch.int32 if max(nodes, edges) < 2**31 else torch.int64  # half the memory, faster sums


def _with_loops(edges: Tensor, nodes: int) -> Tensor:
    """The edges and N loops; a loop that is there already runs from N to N, behind every node."""
    own = torch.arange(nodes, dtype=edges.dtype, device=edges.device)
    given = edges[0][edges[0] == edges[1]]
    loops = own.index_fill(0, given.long(), nodes)
    return torch.cat([edges, loops.expand(2, nodes)], 1)


def _grouped(ends: Tensor, nodes: int) -> tuple[Tensor, Tensor, Tensor]:
    """`starts`, the sorted ends, and where each came from."""
    ends, order = ends.sort(stable=True)
    starts = ends.new_zeros(nodes + 1)
    starts[1:] = torch.bincount(ends, minlength=nodes)[:nodes].cumsum(0)
    return starts, ends.clamp_(max=nodes - 1), order


@custom_op("jumok::sort_edges", mutates_args=())
def _sort(
    edges: Tensor, nodes: int, self_loops: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    _check_range(edges, nodes)
    edges = edges.to(_index_type(nodes, edges.shape[1] + nodes))
    source, target = _with_loops(edges, nodes) if self_loops else edges
    starts, node, order = _grouped(target, nodes)
    neighbour = source.index_select(0, order)
    out_starts, out_node, crossing = _grouped(neighbour, nodes)
    out_neighbour = node.index_select(0, crossing)
    place = torch.empty_like(neighbour)
    place[order] = torch.arange(len(place), dtype=place.dtype, device=place.device)
    neighbour.clamp_(max=nodes - 1)
    return starts, node, neighbour, out_starts, out_node, out_neighbour, crossing.to(place.dtype), place


@_sort.register_fake
def _(
    edges: Tensor, nodes: int, self_loops: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    count = edges.shape[1] + (nodes if self_loops else 0)
    kind = _index_type(nodes, edges.shape[1] + nodes)

    def starts() -> Tensor:
        return edges.new_empty(nodes + 1, dtype=kind)

    def ends() -> Tensor:
        return edges.new_empty(count, dtype=kind)

    return starts(), ends(), ends(), starts(), ends(), ends(), ends(), ends()
