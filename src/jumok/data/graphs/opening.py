"""From settings to graphs: what is learned from, epoch by epoch, and what is held out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, overload

import numpy as np

from jumok.data.graphs.graph import UNKNOWN, Graph, Whole
from jumok.data.graphs.karate import karate
from jumok.data.graphs.links import Links, links_of
from jumok.data.graphs.lookup import links_between, lookup
from jumok.data.graphs.npz import read_npz
from jumok.data.graphs.settings import GraphFile, KarateData, LookupData
from jumok.data.graphs.splitting import split
from jumok.data.graphs.tables import ENDINGS, read_tables

Held = Literal["validation", "test"]


class Part(NamedTuple):
    """A graph, and those of its nodes that are asked for."""

    graph: Graph
    links: Links
    nodes: Whole


class GraphSource(Protocol):
    """Graphs to learn from and to be judged by."""

    @property
    def example(self) -> Graph:
        """A graph to show: the whole one, or one that is held out."""

    @property
    def directed(self) -> bool:
        """Whether edges go one way only."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels that can be learned."""

    def training(self, epoch: int) -> Sequence[Part]:
        """The graphs of an epoch, one for each update."""

    def held_out(self, which: Held) -> Sequence[Part]:
        """The graphs of a split that training does not learn from."""


class OneGraph:
    """One graph, of which some nodes are learned from and others held out."""

    def __init__(self, graph: Graph, directed: bool) -> None:
        self.example, self.directed = graph, directed
        self._links = links_of(graph, directed)
        learned = set(graph.labels[graph.splits["train"]].tolist())
        self.classes = tuple(name for number, name in enumerate(graph.classes) if number in learned)

    def training(self, epoch: int) -> Sequence[Part]:
        """The whole graph, once."""
        return [self._part("train")]

    def held_out(self, which: Held) -> Sequence[Part]:
        """The whole graph, and the nodes of a split."""
        return [self._part(which)]

    def _part(self, name: str) -> Part:
        return Part(self.example, self._links, self.example.splits.get(name, np.zeros(0, np.int64)))


class Lookups:
    """Dictionaries without end."""

    directed = True

    def __init__(self, settings: LookupData) -> None:
        self._settings = settings
        self.classes = self.example.classes

    @property
    def example(self) -> Graph:
        """The first dictionary that is held out for testing."""
        settings = self._settings
        return lookup(settings.size, range(settings.held_out, settings.held_out + 1), held_out=True, seed=settings.seed)

    def training(self, epoch: int) -> Sequence[Part]:
        """The dictionaries of an epoch, so many for each update."""
        first = epoch * self._settings.graphs
        return _Unions(self._settings, range(first, first + self._settings.graphs), held_out=False)

    def held_out(self, which: Held) -> Sequence[Part]:
        """Dictionaries that training never sees."""
        count = self._settings.held_out
        numbers = range(count) if which == "validation" else range(count, 2 * count)
        return _Unions(self._settings, numbers, held_out=True)


class _Unions(Sequence[Part]):
    """Dictionaries by their numbers, several at a time, made when they are asked for."""

    def __init__(self, settings: LookupData, numbers: range, held_out: bool) -> None:
        self._settings, self._held_out = settings, held_out
        self._numbers = [numbers[start : start + settings.batch] for start in range(0, len(numbers), settings.batch)]

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Part: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Part]: ...
    def __getitem__(self, place: int | slice) -> Part | Sequence[Part]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        settings, numbers = self._settings, self._numbers[place]
        graph = lookup(settings.size, numbers, held_out=self._held_out, seed=settings.seed)
        return Part(graph, links_between(settings.size, len(numbers)), np.flatnonzero(graph.labels != UNKNOWN))

    def __iter__(self) -> Iterator[Part]:
        return (self[number] for number in range(len(self)))


def open_graphs(settings: GraphFile | KarateData | LookupData) -> GraphSource:
    """The graphs that settings name, ready to learn from."""
    if isinstance(settings, LookupData):
        return Lookups(settings)
    if isinstance(settings, KarateData):
        return OneGraph(karate(), directed=False)
    graph = read_graph(settings.path, settings.nodes)
    if not graph.splits:
        if not graph.classes:
            raise ValueError(
                f"{settings.nodes or settings.path}: has no labels, so there is nothing to learn; label some nodes"
            )
        graph = split(graph, settings.train_share, settings.validation_share, settings.split_seed)
    _check_teaches(graph, settings.nodes or settings.path)
    return OneGraph(graph.normalized() if settings.normalize else graph, settings.directed)


def _check_teaches(graph: Graph, where: str) -> None:
    """Refuse a graph from which nothing can be learned."""
    for name in ("train", "validation"):
        if not len(graph.splits.get(name, ())):
            raise ValueError(f"{where}: no node is in the split {name!r}; put labelled nodes there")
    learned = np.unique(graph.labels[graph.splits["train"]])
    if len(learned) < 2:
        label = graph.classes[learned[0]]
        raise ValueError(f"{where}: all nodes to learn from have the label {label!r}; give two labels at least")
    if not graph.features.width:
        raise ValueError(f"{where}: the nodes have no features; leave the empty table out, and each node is one")


def read_graph(path: str | Path, nodes: str | Path | None = None) -> Graph:
    """The graph in an `.npz`, or in a list of edges and a table of nodes."""
    path = Path(path)
    if path.name.startswith("ind."):
        raise ValueError(
            f"{path}: Planetoid's files are pickles, which can run code when they are read; convert them to one .npz"
            " first, as docs/graphs.md says"
        )
    if path.suffix.lower() == ".npz":
        if nodes is not None:
            raise ValueError(f"nodes: goes with a list of edges; {path} holds its nodes itself")
        return read_npz(path)
    if path.suffix.lower() not in ENDINGS:
        raise ValueError(f"{path}: cannot tell what this is; graphs are .npz, lists of edges {', '.join(ENDINGS)}")
    if nodes is None:
        raise ValueError(
            f"{path}: a list of edges needs the table of its nodes, too; name it with data.nodes or --nodes"
        )
    return read_tables(path, Path(nodes))
