"""Places for the nodes of a small graph: near in the graph, near on paper. The same every time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.float64]
Edges = npt.NDArray[np.int64]

ROUNDS = 150


def laid_out(count: int, edges: Edges) -> Places:
    """`(N, 2)`, about 1 apart where an edge joins two nodes.

    A spring between every two nodes is as long as the way between them in the graph, and the weaker the longer
    (Kamada & Kawai 1989); each round puts every node where the springs pull it (Gansner et al. 2004).
    """
    lengths = distances(count, edges)
    off = ~np.eye(count, dtype=bool)
    pulls = np.divide(1.0, lengths**2, out=np.zeros_like(lengths), where=off)
    turn = np.arange(count) * 2.399963229728653  # the golden angle: no two nodes start at one place
    places = np.sqrt(np.arange(count) + 0.5)[:, None] * np.stack([np.cos(turn), np.sin(turn)], 1)
    total = np.maximum(pulls.sum(1, keepdims=True), 1e-9)
    for _ in range(ROUNDS):
        apart = places[:, None] - places[None]  # (N, N, 2)
        far = np.maximum(np.sqrt((apart**2).sum(-1)), 1e-9)
        wanted = places[None] + apart * (lengths / far)[:, :, None]
        places = (pulls[:, :, None] * wanted).sum(1) / total
    return np.asarray(places, np.float64)


def distances(count: int, edges: Edges) -> Places:
    """`(N, N)`, how many edges lie between two nodes; those that are not joined are a little further than all."""
    joined = np.zeros((count, count), bool)
    joined[edges[:, 0], edges[:, 1]] = joined[edges[:, 1], edges[:, 0]] = True
    lengths = np.where(np.eye(count, dtype=bool), 0.0, np.inf)
    reached, steps = np.eye(count, dtype=bool), 0
    while True:
        steps += 1
        new = (reached.astype(np.float32) @ joined.astype(np.float32) > 0) & np.isinf(lengths)
        if not new.any():
            break
        lengths[new] = steps
        reached |= new
    farthest = lengths[np.isfinite(lengths)].max(initial=0.0)
    lengths[np.isinf(lengths)] = farthest + 1
    return lengths
