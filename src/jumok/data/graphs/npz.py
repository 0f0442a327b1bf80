"""Graphs in one `.npz` file of NumPy's: plain arrays, nothing in it can run code."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from jumok.core.files import write_whole
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
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file; set data.path to a graph")
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (ValueError, OSError, EOFError, KeyError, AttributeError, zipfile.BadZipFile):
        raise ValueError(f"{path}: not an .npz file of plain arrays; pickled ones are never read") from None


def _graph(arrays: Mapping[str, Any]) -> Graph:
    if "edges" not in arrays:
        raise ValueError(f"there is no array 'edges'; it has {', '.join(sorted(arrays)) or 'none'}")
    features = _features(arrays)
    splits = {name: arrays[name] for name in SPLITS if name in arrays}
    if not splits and "n_train" in arrays and "test_index" in arrays:
        learned = int(arrays["n_train"])
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
        rows = Rows.checked(starts, columns, values, int(shape[1]))
        if rows.count != int(shape[0]):
            raise ValueError(f"features: {rows.count} rows, but shape says {int(shape[0])}")
        return rows
    if "labels" in arrays:
        return Rows.identity(len(arrays["labels"]))
    return Rows.identity(int(arrays["edges"].max(initial=-1)) + 1)
