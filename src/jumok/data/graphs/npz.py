"""Graphs in one `.npz` file of NumPy's: plain arrays, nothing in it can run code."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from jumok.core.files import check_file, write_whole
from jumok.data.graphs.graph import SPLITS, Graph, Rows

CSR = ("feat_indptr", "feat_indices", "feat_data", "shape")
VALIDATED = 500
"""Planetoid's validation nodes: so many after those to learn from."""


def read_npz(path: Path) -> Graph:
    """The graph in a file. Its arrays:

    edges: `(E, 2)`, source and target.
    features: a row for each node; or feat_indptr, feat_indices, feat_data and shape, as SciPy's CSR has them.
    labels: of the nodes, numbers (negative: none is known) or words.
    label_names, names, feature_names: what classes, nodes and features are called.
    train, validation, test: nodes, or masks; or n_train and test_index, as Planetoid has them.

    All but the edges may be missing; without features, each node is one.
    """
    arrays = _arrays(path)
    try:
        return _graph(arrays)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def save_npz(graph: Graph, path: str | Path) -> None:
    """Write a graph as `read_npz` reads it."""
    path = Path(path)
    if path.suffix.lower() != ".npz":
        raise ValueError(f"{path}: graphs are written as .npz; end the name so")
    arrays: dict[str, Any] = {"edges": graph.edges, "labels": graph.labels, "label_names": np.array(graph.classes, "U")}
    shape = np.array([graph.count, graph.features.width])
    arrays |= dict(zip(CSR, (graph.features.starts, graph.features.columns, graph.features.values, shape), strict=True))
    for name in ("names", "feature_names"):
        if getattr(graph, name) is not None:
            arrays[name] = np.array(getattr(graph, name), "U")
    content = io.BytesIO()
    arrays |= graph.splits
    np.savez_compressed(content, **arrays)
    write_whole(path, content.getvalue())


def _arrays(path: Path) -> dict[str, Any]:
    check_file(path, "name the .npz file of a graph")
    try:
        with path.open("rb") as file:
            arrays = np.load(file, allow_pickle=False)
            if isinstance(arrays, np.ndarray):
                raise ValueError("one array, as .npy files have it")
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, EOFError, KeyError, MemoryError, NotImplementedError, zipfile.BadZipFile, zlib.error):
        raise ValueError(
            f"{path}: not an .npz file of plain arrays, or damaged; write it again (pickled objects are never read)"
        ) from None


def _graph(arrays: Mapping[str, Any]) -> Graph:
    if "edges" not in arrays:
        raise ValueError(f"there is no array 'edges'; it has {', '.join(sorted(arrays)) or 'none'}")
    features = _features(arrays)
    splits = {name: arrays[name] for name in SPLITS if name in arrays}
    if not splits and "n_train" in arrays and "test_index" in arrays:
        learned = _count("n_train", arrays["n_train"])
        watched = np.arange(learned, learned + VALIDATED)
        splits = {"train": np.arange(learned), "validation": watched, "test": arrays["test_index"]}
    words = {name: arrays[name].tolist() for name in ("names", "feature_names") if name in arrays}
    classes = arrays["label_names"].tolist() if "label_names" in arrays else None
    return Graph.of(features, arrays["edges"], arrays.get("labels"), classes=classes, **words, **splits)


def _features(arrays: Mapping[str, Any]) -> Rows:
    if "features" in arrays:
        return Rows.of(arrays["features"])
    if "feat_indptr" in arrays:
        missing = [name for name in CSR if name not in arrays]
        if missing:
            raise ValueError(f"there is no array {missing[0]!r}; sparse features need {', '.join(CSR)}")
        starts, columns, values, shape = (arrays[name] for name in CSR)
        if shape.shape != (2,):
            raise ValueError(f"shape: expected the numbers of rows and columns, got {shape.tolist()!r}")
        count, width = (_count("shape", number) for number in shape)
        rows = Rows.checked(starts, columns, values, width)
        if rows.count != count:
            raise ValueError(f"features: {rows.count} rows, but shape says {count}")
        return rows
    if "labels" in arrays:
        return Rows.identity(len(arrays["labels"]))
    if arrays["edges"].dtype.kind not in "iu":
        raise ValueError(f"edges: expected whole numbers, got {arrays['edges'].dtype}")
    return Rows.identity(int(arrays["edges"].max(initial=-1)) + 1)


def _count(name: str, number: Any) -> int:
    if number.shape != () or number.dtype.kind not in "iu" or number < 0:
        raise ValueError(f"{name}: expected a number from 0, got {number.tolist()!r}")
    return int(number)
