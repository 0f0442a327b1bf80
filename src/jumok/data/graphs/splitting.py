"""Nodes to learn from, to watch, and to test on, where a file does not say which."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jumok.data.graphs.graph import SPLITS, Graph
from jumok.data.mixing import key, shuffled


def split(graph: Graph, train: float, validation: float, seed: int) -> Graph:
    """A graph whose labelled nodes are dealt out, those of each class alike; the rest of the shares is for testing.

    It follows from the seed, the same on every machine. Each class has a node to learn from.
    """
    parts: list[list[int]] = [[], [], []]
    for number in range(len(graph.classes)):
        nodes = np.flatnonzero(graph.labels == number)
        nodes = nodes[shuffled(len(nodes), key(seed, number))]
        first = max(1, round(train * len(nodes)))
        second = first + round(validation * len(nodes))
        for part, chosen in zip(parts, (nodes[:first], nodes[first:second], nodes[second:]), strict=True):
            part.extend(chosen.tolist())
    splits = {name: np.array(sorted(part), np.int64) for name, part in zip(SPLITS, parts, strict=True)}
    return replace(graph, splits=splits)
