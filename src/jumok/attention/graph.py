"""Attention over the neighbours of a node: GAT and GATv2."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.utils import _pytree

from jumok.attention.edge_scores import dynamic_scores, static_scores
from jumok.attention.edge_sums import attend_edges
from jumok.attention.edges import PreparedEdges, prepare_edges
from jumok.attention.scores.base import checked_size


class AttendedEdges:
    """The result of attention along edges; iterates as `(context, weights)`.

    context: `(N, heads * D)`, or `(N, D)` where the heads were averaged.
    weights: `(E, heads)`, one for each edge, in the order in which the edges were given, before dropout.
    self_weights: `(N, heads)`, those of the self-loops that the layer added; 0 where the edges held the
        node's loop already. None where the layer adds no loops.

    The weights of the edges into a node, with its self weight, sum to 1 in each head. They are put together
    when they are first read, from tensors captured at the call, and are differentiable if the call was.
    """

    __slots__ = ("_all", "_edges", "_strengths", "_totals", "context")

    def __init__(self, context: Tensor, strengths: Tensor, totals: Tensor, edges: PreparedEdges) -> None:
        self.context = context
        self._strengths = strengths  # (heads, E'), sorted by target
        self._totals = totals  # (heads, N)
        self._edges = edges
        self._all: Tensor | None = None

    def _read(self) -> Tensor:
        """The weights of the given edges and of the added loops, `(heads, E')`."""
        if self._all is None:
            with torch.set_grad_enabled(self._strengths.requires_grad):
                totals = self._totals.index_select(1, self._edges.incoming.node)
                weights = (self._strengths / totals).index_select(1, self._edges.place)
                self._all = weights.to(self.context.dtype)
        return self._all

    @property
    def weights(self) -> Tensor:
        """One weight for each edge and head, before dropout, `(E, heads)`."""
        return self._read()[:, : self._edges.count].t()

    @property
    def self_weights(self) -> Tensor | None:
        """The weight of each node for itself, by the loop that the layer added, `(N, heads)`."""
        return self._read()[:, self._edges.count :].t() if self._edges.self_loops else None

    def __iter__(self) -> Iterator[Tensor]:
        yield self.context
        yield self.weights

    def __repr__(self) -> str:
        weights = (self._edges.count, self._totals.shape[0])
        return f"AttendedEdges(context={tuple(self.context.shape)}, weights={weights})"


def _flatten(attended: AttendedEdges) -> tuple[list[Any], Any]:
    return [attended.context, attended._strengths, attended._totals, attended._edges], None


_pytree.register_pytree_node(
    AttendedEdges,
    _flatten,
    lambda children, _: AttendedEdges(*children),
    serialized_type_name="jumok.attention.AttendedEdges",
)


class StaticScore(nn.Module):
    """`e = LeakyReLU(a_s . W x_source + a_t . W x_target)` (Veličković et al. 2018, eq. 3).

    Which neighbour counts most does not depend on the node that asks.
    """

    def __init__(self, in_size: int, out_size: int, heads: int, negative_slope: float) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.weight = nn.Parameter(torch.empty(heads, out_size, in_size))
        self.source = nn.Parameter(torch.empty(heads, out_size))
        self.target = nn.Parameter(torch.empty(heads, out_size))
        _spread(self.weight, in_size + out_size)
        _spread(self.source, out_size + 1)
        _spread(self.target, out_size + 1)

    def forward(self, nodes: Tensor, edges: PreparedEdges) -> tuple[Tensor, Tensor]:
        """The values `(N, heads, D)` and the scores `(heads, E')`."""
        heads, size, _ = self.weight.shape
        halves = torch.einsum("khd,hdf->khf", torch.stack([self.source, self.target]), self.weight)
        maps = torch.cat([self.weight.flatten(0, 1), halves.flatten(0, 1)])
        mapped = nn.functional.linear(nodes, maps)  # a . W x = (a W) . x, so one product gives all three
        values, source, target = mapped.split([heads * size, heads, heads], 1)
        return values.unflatten(1, (heads, size)), static_scores(source, target, self.negative_slope, edges)


class DynamicScore(nn.Module):
    """`e = a . LeakyReLU(W_s x_source + W_t x_target)` (Brody et al. 2022, eq. 7): GATv2.

    Every node can prefer another neighbour.
    """

    def __init__(self, in_size: int, out_size: int, heads: int, negative_slope: float, share_weights: bool) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.source = nn.Parameter(torch.empty(heads, out_size, in_size))
        self.target = None if share_weights else nn.Parameter(torch.empty(heads, out_size, in_size))
        self.vector = nn.Parameter(torch.empty(heads, out_size))
        _spread(self.source, in_size + out_size)
        if self.target is not None:
            _spread(self.target, in_size + out_size)
        _spread(self.vector, out_size + 1)

    def forward(self, nodes: Tensor, edges: PreparedEdges) -> tuple[Tensor, Tensor]:
        """The values `(N, heads, D)` and the scores `(heads, E')`."""
        source = target = _mapped(nodes, self.source)
        if self.target is not None:
            target = _mapped(nodes, self.target)
        return source, dynamic_scores(source, target, self.vector, self.negative_slope, edges)


def _mapped(nodes: Tensor, weight: Tensor) -> Tensor:
    mapped: Tensor = nn.functional.linear(nodes, weight.flatten(0, 1)).unflatten(1, weight.shape[:2])
    return mapped  # (N, heads, D)


def _spread(weight: Tensor, fans: int) -> None:
    """Uniform numbers, wider for fewer inputs and outputs (Glorot & Bengio 2010)."""
    bound = math.sqrt(6 / fans)
    nn.init.uniform_(weight, -bound, bound)


class GraphAttention(nn.Module):
    """`x'_i = sum_j softmax_j(e_ji) W x_j` over the edges j -> i (Veličković et al. 2018; Brody et al. 2022).

        attended = GraphAttention(in_size, out_size, heads=8)(nodes, edges)
        attended.context, attended.weights      # (N, heads * out_size), (E, heads)

    version: 2, `e = a . LeakyReLU(W_s x_j + W_t x_i)`, or 1, `e = LeakyReLU(a_s . W x_j + a_t . W x_i)`.
    concat: the heads' results side by side; False gives their mean.
    negative_slope: of LeakyReLU below 0.
    dropout: how many of the weights are left out of the sum in training, from 0 to below 1.
    self_loops: every node looks at itself too; a loop that is among the edges is not added again.
    share_weights: version 2 only, W_s and W_t are one.
    """

    def __init__(
        self,
        in_size: int,
        out_size: int,
        heads: int = 1,
        *,
        version: Literal[1, 2] = 2,
        concat: bool = True,
        negative_slope: float = 0.2,
        dropout: float = 0.0,
        self_loops: bool = True,
        bias: bool = True,
        share_weights: bool = False,
    ) -> None:
        super().__init__()
        self.in_size = checked_size("in_size", in_size)
        self.out_size = checked_size("out_size", out_size)
        self.heads = checked_size("heads", heads)
        if version not in (1, 2):
            raise ValueError(f"version: expected 1 (GAT) or 2 (GATv2), got {version!r}")
        if share_weights and version == 1:
            raise ValueError("share_weights: version 1 has only one W; leave it out, or set version=2")
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout: must be from 0 to below 1, got {dropout}")
        if not 0 <= negative_slope < math.inf:
            raise ValueError(f"negative_slope: must be 0 or more, got {negative_slope}")
        self.concat = concat
        self.dropout = dropout
        self.self_loops = self_loops
        self.score: StaticScore | DynamicScore
        if version == 1:
            self.score = StaticScore(in_size, out_size, heads, negative_slope)
        else:
            self.score = DynamicScore(in_size, out_size, heads, negative_slope, share_weights)
        self.bias = nn.Parameter(torch.zeros(heads * out_size if concat else out_size)) if bias else None

    def prepare(self, edges: Tensor, nodes: int) -> PreparedEdges:
        """The edges sorted once, for a graph that stays: any layer with the same `self_loops` takes them."""
        return prepare_edges(edges, nodes, self_loops=self.self_loops)

    def forward(
        self, nodes: Tensor, edges: Tensor | PreparedEdges, generator: torch.Generator | None = None
    ) -> AttendedEdges:
        """Attend along edges `(2, E)`, sources above targets, or prepared, between nodes `(N, in_size)`."""
        if nodes.dim() != 2 or nodes.shape[1] != self.in_size:
            raise ValueError(f"nodes: expected shape (N, {self.in_size}), got {tuple(nodes.shape)}")
        edges = self._checked(edges, nodes.shape[0])
        values, scores = self.score(nodes, edges)
        kept = self._kept(scores, generator)
        context, strengths, totals = attend_edges(scores, values, kept, 1 / (1 - self.dropout), edges)
        context = context.flatten(1) if self.concat else context.mean(1)
        if self.bias is not None:
            context = context + self.bias
        return AttendedEdges(context, strengths, totals, edges)

    def _checked(self, edges: Tensor | PreparedEdges, nodes: int) -> PreparedEdges:
        if isinstance(edges, Tensor):
            return self.prepare(edges, nodes)
        if edges.nodes != nodes:
            raise ValueError(f"edges: prepared for {edges.nodes} nodes, but nodes holds {nodes}")
        if edges.self_loops != self.self_loops:
            raise ValueError(f"edges: prepared with self_loops={edges.self_loops}, unlike this layer")
        return edges

    def _kept(self, scores: Tensor, generator: torch.Generator | None) -> Tensor | None:
        """Which weights stay in the sum; None for all of them."""
        if not self.training or self.dropout == 0:
            return None
        return torch.rand(scores.shape, generator=generator, device=scores.device) >= self.dropout

    def extra_repr(self) -> str:
        sizes = f"{self.in_size}, {self.out_size}, heads={self.heads}"
        return f"{sizes}, concat={self.concat}, dropout={self.dropout}, self_loops={self.self_loops}"
