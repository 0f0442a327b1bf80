"""Who looks at whom: each way once, and where the given edges are among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumok.data.graphs.graph import Graph, Whole


@dataclass(frozen=True, eq=False)
class Links:
    """The ways along which nodes look at each other.

    An edge from u to v lets v look at u; in a graph that is not directed, u looks at v, too. An edge that was given
    twice, or once in each direction, is there once for each way.

    pairs: `(2, L)`, sources above targets.
    along: `(E,)`, for each given edge the place of its way among the pairs.
    back: `(E,)`, the place of its way back; None in a directed graph.
    """

    nodes: int
    pairs: Whole
    along: Whole
    back: Whole | None


def links_of(graph: Graph, directed: bool) -> Links:
    """The ways of a graph.

    >>> links = links_of(Graph.of([[1], [1], [1]], [(0, 1), (1, 2), (0, 1)]), directed=False)
    >>> links.pairs.tolist(), links.along.tolist()
    ([[0, 1, 1, 2], [1, 0, 2, 1]], [0, 2, 0])
    """
    count = max(graph.count, 1)
    ways = graph.edges if directed else np.concatenate([graph.edges, graph.edges[:, ::-1]])
    known, place = np.unique(ways[:, 0] * count + ways[:, 1], return_inverse=True)
    place = place.reshape(-1).astype(np.int64)
    edges = len(graph.edges)
    back = None if directed else place[edges:]
    return Links(graph.count, np.stack([known // count, known % count]), place[:edges], back)
