"""A graph: nodes with features, edges, and what is known of the nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float32]

UNKNOWN = -1
"""The label of a node of which nothing is known."""

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, eq=False)
class Rows:
    """A table of which only the numbers that are not 0 are kept (CSR): those of row n are `starts[n]:starts[n + 1]`."""

    starts: Whole  # (N + 1,)
    columns: Whole
    values: Numbers
    width: int

    @classmethod
    def of(cls, table: Any) -> Rows:
        """The rows of a dense table, or of a sparse one of SciPy's."""
        if hasattr(table, "tocsr"):
            sparse = table.tocsr()
            return cls.checked(sparse.indptr, sparse.indices, sparse.data, int(sparse.shape[1]))
        dense = _numbers(table)
        if dense.ndim != 2:
            raise ValueError(f"features: expected a row of numbers for each node, got the shape {dense.shape}")
        rows, columns = dense.nonzero()
        starts = np.searchsorted(rows, np.arange(len(dense) + 1)).astype(np.int64)
        return cls.checked(starts, columns, dense[rows, columns], dense.shape[1])

    @classmethod
    def checked(cls, starts: Any, columns: Any, values: Any, width: int) -> Rows:
        """Rows from the three lists of a sparse table, which may come from a file."""
        rows = cls(_whole("starts", starts), _whole("columns", columns), _numbers(values), int(width))
        count = len(rows.columns)
        ends = rows.starts[[0, -1]].tolist() if rows.starts.size else []
        if ends != [0, count] or (np.diff(rows.starts) < 0).any() or len(rows.values) != count:
            raise ValueError("features: starts, columns and values do not fit together; write the file again")
        if count and not (rows.columns.min() >= 0 and rows.columns.max() < rows.width):
            raise ValueError(f"features: column {rows.columns.max()} of a table of {rows.width} columns")
        wrong = np.flatnonzero(~np.isfinite(rows.values))
        if len(wrong):
            node = int(np.searchsorted(rows.starts, wrong[0], side="right")) - 1
            raise ValueError(f"features: node {node} has {rows.values[wrong[0]]}; features are finite numbers")
        return rows

    @classmethod
    def identity(cls, count: int) -> Rows:
        """Each node has one feature, itself."""
        return cls(np.arange(count + 1), np.arange(count), np.ones(count, np.float32), count)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.starts) - 1

    def normalized(self) -> Rows:
        """Rows whose absolute values sum to 1; empty ones stay empty."""
        sizes = np.diff(self.starts)
        row = np.repeat(np.arange(self.count), sizes)
        sums = np.bincount(row, np.abs(self.values), self.count)
        return replace(self, values=(self.values / np.maximum(sums, 1e-12)[row]).astype(np.float32))

    def dense(self) -> Numbers:
        """The whole table."""
        table = np.zeros((self.count, self.width), np.float32)
        np.add.at(table, (np.repeat(np.arange(self.count), np.diff(self.starts)), self.columns), self.values)
        return table


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes with features, edges between them, and the labels of some.

    features: a row for each node.
    edges: `(E, 2)`, source and target of each, in the order in which they were given.
    labels: `(N,)`, a place in `classes`; -1 where none is known.
    names: of the nodes; None where they are numbers.
    splits: the nodes of `train`, `validation` and `test`; empty where the graph is not for learning.
    feature_names: of the columns of the features; None where they have none.

    >>> Graph.of([[1, 0], [0, 1], [1, 1]], [(0, 1), (1, 2)], ["cat", "dog", ""])
    Graph(3 nodes, 2 edges, 2 features, 2 classes)
    """

    features: Rows
    edges: Whole
    labels: Whole
    classes: tuple[str, ...] = ()
    names: tuple[str, ...] | None = None
    splits: Mapping[str, Whole] = field(default_factory=dict)
    feature_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if len(self.labels) != self.count:
            raise ValueError(f"labels: there are {len(self.labels)} for {self.count} nodes; give one each")
        if self.names is not None and len(self.names) != self.count:
            raise ValueError(f"names: there are {len(self.names)} for {self.count} nodes; give one each")
        for what, names in (("names", self.names), ("classes", self.classes), ("feature_names", self.feature_names)):
            _check_different(what, names or ())
        if self.feature_names is not None and len(self.feature_names) != self.features.width:
            told = f"there are {len(self.feature_names)} for {self.features.width} features"
            raise ValueError(f"feature_names: {told}; give one each")
        _check_edges(self.edges, self.count)
        for name, nodes in self.splits.items():
            _check_split(name, nodes, self.labels)
        _check_apart(self.splits)

    @classmethod
    def of(
        cls,
        features: Any,
        edges: Any,
        labels: Any = None,
        *,
        names: Sequence[str] | None = None,
        classes: Sequence[str] | None = None,
        feature_names: Sequence[str] | None = None,
        **splits: Any,
    ) -> Graph:
        """A graph of arrays, lists or tensors.

        features: a table, dense or of SciPy's sparse kinds, or `Rows`.
        edges: `(E, 2)`, or `(2, E)`, sources above targets.
        labels: words ('' where none is known) or numbers (negative where none is known), which `classes` may name.
        splits: `train`, `validation`, `test`, each a list of nodes or a mask.
        """
        rows = features if isinstance(features, Rows) else Rows.of(_plain(features))
        numbers, known = _labelled(labels, rows.count, classes)
        strange = next((name for name in splits if name not in SPLITS), None)
        if strange is not None:
            raise ValueError(f"there is no split {strange!r}; known: {', '.join(SPLITS)}")
        return cls(
            rows,
            _pairs(edges),
            numbers,
            known,
            None if names is None else tuple(map(str, names)),
            {name: _chosen(name, nodes, rows.count) for name, nodes in splits.items() if nodes is not None},
            None if feature_names is None else tuple(map(str, feature_names)),
        )

    @property
    def count(self) -> int:
        """How many nodes there are."""
        return self.features.count

    def name(self, node: int) -> str:
        """What a node is called."""
        return str(node) if self.names is None else self.names[node]

    def number(self, name: str | int) -> int:
        """The number of a node, by its name or its number."""
        if isinstance(name, str) and self.names is not None and name in self.names:
            return self.names.index(name)
        number = int(name) if isinstance(name, int) or name.isdecimal() else UNKNOWN
        if not 0 <= number < self.count or (isinstance(name, str) and self.names is not None):
            raise ValueError(f"there is no node {name!r}: the graph has {self._range()}")
        return number

    def label(self, node: int) -> str | None:
        """What a node is known to be."""
        return None if self.labels[node] == UNKNOWN else self.classes[self.labels[node]]

    def normalized(self) -> Graph:
        """The same graph with rows of features that sum to 1."""
        return replace(self, features=self.features.normalized())

    def _range(self) -> str:
        if self.names is None:
            return f"{self.count:,} nodes, numbered from 0"
        return f"{', '.join(self.names[:3])}, ... ({self.count:,} nodes)"

    def __repr__(self) -> str:
        return (
            f"Graph({self.count:,} nodes, {len(self.edges):,} edges, {self.features.width:,} features,"
            f" {len(self.classes)} classes)"
        )


def _plain(values: Any) -> Any:
    """An array of a tensor; anything else as it is."""
    return values.detach().cpu().numpy() if hasattr(values, "detach") else values


def _numbers(values: Any) -> Numbers:
    plain = _plain(values)
    try:
        array = np.asarray(plain)
        if array.dtype.kind in "biuf":
            with np.errstate(over="ignore"):  # what is too large is infinite, and told so
                return array.astype(np.float32)
    except (TypeError, ValueError):
        pass  # rows of different lengths
    raise ValueError("features: expected a row of numbers for each node")


def _whole(name: str, values: Any) -> Whole:
    array = np.asarray(_plain(values))
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name}: expected whole numbers, got {array.dtype}")
    return array.astype(np.int64)


def _pairs(edges: Any) -> Whole:
    pairs = _whole("edges", edges)
    if not pairs.size:
        return np.zeros((0, 2), np.int64)
    if pairs.ndim == 2 and pairs.shape[0] == 2 and pairs.shape[1] != 2:
        pairs = pairs.T
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"edges: expected a source and a target for each, got the shape {pairs.shape}")
    return np.ascontiguousarray(pairs)


def _check_different(what: str, names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise ValueError(f"{what}: {twice!r} is there twice; give each its own")


def _check_edges(edges: Whole, count: int) -> None:
    wrong = np.argwhere((edges < 0) | (edges >= count))
    if len(wrong):
        row, side = wrong[0].tolist()
        raise ValueError(
            f"edges: number {row} (from 0) goes {('from', 'to')[side]} node {edges[row, side]},"
            f" which is not there: the nodes are 0 to {count - 1}"
        )


def _labelled(labels: Any, count: int, classes: Sequence[str] | None) -> tuple[Whole, tuple[str, ...]]:
    """Numbers of classes, and what these are called."""
    if labels is None:
        return np.full(count, UNKNOWN, np.int64), tuple(classes or ())
    array = np.asarray(_plain(labels))
    if array.ndim != 1:
        raise ValueError(f"labels: expected one for each node, got the shape {array.shape}")
    if array.dtype.kind in "iu" and classes is not None:
        if array.size and array.max() >= len(classes):
            raise ValueError(f"labels: class {array.max()}, but only {len(classes)} are named")
        return np.maximum(array.astype(np.int64), UNKNOWN), tuple(map(str, classes))
    if array.dtype.kind in "iu":
        known = np.unique(array[array >= 0])
        places = np.where(array >= 0, np.searchsorted(known, array), UNKNOWN)
        return places.astype(np.int64), tuple(map(str, known.tolist()))
    if array.dtype.kind != "U":
        raise ValueError(f"labels: expected words or whole numbers, got {array.dtype}")
    words = [str(word) for word in array.tolist()]
    told = tuple(sorted({word for word in words if word})) if classes is None else tuple(classes)
    place = {word: number for number, word in enumerate(told)} | {"": UNKNOWN}
    strange = next((word for word in words if word not in place), None)
    if strange is not None:
        raise ValueError(f"labels: {strange!r} is not among the classes")
    return np.array([place[word] for word in words], np.int64), told


def _chosen(name: str, nodes: Any, count: int) -> Whole:
    """The nodes of a split, from their numbers or a mask."""
    array = np.asarray(_plain(nodes))
    if array.dtype == np.bool_:
        if array.shape != (count,):
            raise ValueError(f"{name}: a mask of shape {array.shape} for {count} nodes")
        return np.flatnonzero(array)
    return _whole(name, array).reshape(-1)


def _check_split(name: str, nodes: Whole, labels: Whole) -> None:
    outside = nodes[(nodes < 0) | (nodes >= len(labels))]
    if len(outside):
        raise ValueError(f"{name}: node {outside[0]} is not there: the nodes are 0 to {len(labels) - 1}")
    if len(np.unique(nodes)) < len(nodes):
        raise ValueError(f"{name}: a node is named twice")
    bare = nodes[labels[nodes] == UNKNOWN]
    if len(bare):
        raise ValueError(f"{name}: node {bare[0]} has no label; leave it out")


def _check_apart(splits: Mapping[str, Whole]) -> None:
    seen: dict[int, str] = {}
    for name, nodes in splits.items():
        for node in nodes.tolist():
            if node in seen:
                raise ValueError(f"node {node} is in {seen[node]} and in {name}; give each node one split")
            seen[node] = name
