"""DictionaryLookup (Brody et al. 2022, section 4.1): each query must find the key that is its own, and say its value.

A graph has k nodes that hold a key and a value, and k nodes that hold a key and ask for its value. Every query looks at
every key node. Static attention ranks the keys alike for all queries, so it can answer only some.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from jumok.data.graphs.graph import UNKNOWN, Graph, Rows, Whole
from jumok.data.graphs.links import Links, links_of
from jumok.data.mixing import key, shuffled

HELD_OUT = 10
"""One in so many dictionaries is never trained on."""

FEWEST = 4
"""Keys; with fewer there are too few dictionaries to hold some out."""


def dictionary(size: int, number: int, *, held_out: bool, seed: int) -> Whole:
    """The values of keys 0, 1, ...: dictionary `number`, of those that are held out or of the others."""
    attempt = 0
    while True:
        values = shuffled(size, key(seed, number, attempt)).astype(np.int64)
        if (key(*values.tolist()) % HELD_OUT == 0) == held_out:
            return values
        attempt += 1


def lookup(size: int, numbers: range, *, held_out: bool = False, seed: int = 0) -> Graph:
    """Several dictionaries as one graph, whose parts are not joined: in each the key nodes, then the queries.

    >>> graph = lookup(4, range(1))
    >>> graph, graph.name(0), graph.name(4)
    (Graph(8 nodes, 16 edges, 9 features, 4 classes), 'k0=v0', 'k0=?')
    """
    values = np.stack([dictionary(size, number, held_out=held_out, seed=seed) for number in numbers])
    count = len(values)
    keys = np.tile(np.arange(size), (count, 2))  # (count, 2 * size)
    said = np.concatenate([values, np.full_like(values, size)], 1)  # the number after the last value asks
    columns = np.stack([keys, size + said], -1).reshape(-1)
    nodes = count * 2 * size
    features = Rows(np.arange(0, 2 * nodes + 1, 2), columns, np.ones(2 * nodes, np.float32), 2 * size + 1)
    labels = np.concatenate([np.full_like(values, UNKNOWN), values], 1).reshape(-1)
    names = None
    if count == 1:
        names = (*(f"k{one}=v{value}" for one, value in enumerate(values[0])), *(f"k{one}=?" for one in range(size)))
    classes = tuple(f"v{value}" for value in range(size))
    return Graph(features, edges_of(size, count), labels, classes, names)


@lru_cache(maxsize=4)
def edges_of(size: int, count: int) -> Whole:
    """From every key node to every query of the same dictionary."""
    keys, queries = np.meshgrid(np.arange(size), np.arange(size, 2 * size), indexing="ij")
    one = np.stack([keys.reshape(-1), queries.reshape(-1)], -1)
    edges: Whole = (one[None] + 2 * size * np.arange(count)[:, None, None]).reshape(-1, 2)
    edges.setflags(write=False)
    return edges


@lru_cache(maxsize=4)
def links_between(size: int, count: int) -> Links:
    """The ways of so many dictionaries, which are the same whatever they hold."""
    return links_of(lookup(size, range(count)), directed=True)
