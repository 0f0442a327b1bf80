"""What the nodes of a graph looked at: the record; its pictures are drawn beside."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jumok.core.files import write_whole
from jumok.viewing.map import AttentionMap
from jumok.viewing.saving import write_scene, writer_for

Weights = npt.NDArray[np.float32]
Edges = npt.NDArray[np.int64]

KIND, VERSION = "graph-look", 1
MOST_NODES = 300
"""A picture of more nodes could not be read, and a table of them neither."""


class LayerLook(NamedTuple):
    """What one layer looked at, head by head."""

    weights: Weights  # (E, heads): how much the target of each edge looked at its source
    back: Weights | None  # (E, heads): how much its source looked at its target; None where edges go one way
    own: Weights | None  # (N, heads): how much each node looked at itself; None where it could not


@dataclass(frozen=True, eq=False)
class GraphLook:
    """What each node looked at, along edges that stand in the order in which they were given.

    For every node and head, the weights of its neighbours and its own sum to 1. An edge that was given twice has its
    weight twice, and counts once.

    nodes: their names. edges: `(E, 2)`, source and target. layers: the weights. labels: what each node is said to be.
    """

    nodes: tuple[str, ...]
    edges: Edges
    layers: tuple[LayerLook, ...]
    labels: tuple[str, ...] = ()
    title: str = ""

    def layer(self, number: int = -1) -> LayerLook:
        """One layer, counted from 0; -1 is the last."""
        if not -len(self.layers) <= number < len(self.layers):
            raise ValueError(
                f"there is no layer {number}: there are {len(self.layers)}, counted from 0 (-1 is the last)"
            )
        return self.layers[number]

    def map(self, nodes: Sequence[int] | None = None, layer: int = -1) -> AttentionMap:
        """A table of one layer: rows = the nodes that look (all, unless some are named), columns = what they see."""
        rows = list(range(len(self.nodes))) if nodes is None else list(nodes)
        if len(rows) > MOST_NODES:
            raise ValueError(
                f"{len(rows):,} nodes are too many for one table: name at most {MOST_NODES} whose look to show"
            )
        looks = self._looks(rows, self.layer(layer))
        columns = sorted({seen for row in looks for seen in row})
        place = {node: number for number, node in enumerate(columns)}
        heads = self.layer(layer).weights.shape[1]
        weights = np.zeros((heads, len(rows), len(columns)), np.float32)
        for number, row in enumerate(looks):
            for seen, each in row.items():
                weights[:, number, place[seen]] = each
        names = [self.nodes[node] for node in rows], [self.nodes[node] for node in columns]
        title = self.title if len(self.layers) == 1 else f"{self.title} layer {layer % len(self.layers) + 1}".strip()
        return AttentionMap.from_arrays(weights, *names, row_name="node", column_name="looks at", title=title)

    def _looks(self, nodes: Sequence[int], layer: LayerLook) -> list[dict[int, Weights]]:
        """For each of the nodes whom it sees, and how much in each head."""
        looks: dict[int, dict[int, Weights]] = {node: {} for node in nodes}
        touching = np.flatnonzero(np.isin(self.edges, list(looks)).any(1)).tolist()
        for edge in touching:
            source, target = self.edges[edge].tolist()
            if target in looks:
                looks[target][source] = layer.weights[edge]
            if layer.back is not None and source in looks:
                looks[source][target] = layer.back[edge]
        for node, row in looks.items():
            if layer.own is not None and layer.own[node].any():
                row[node] = layer.own[node]
        return [looks[node] for node in nodes]

    def around(self, node: int, steps: int = 1) -> GraphLook:
        """The part of the graph that lies within so many edges of a node."""
        if not 0 <= node < len(self.nodes):
            raise ValueError(f"there is no node {node}: the nodes are 0 to {len(self.nodes) - 1}")
        near = np.zeros(len(self.nodes), bool)
        near[node] = True
        for _ in range(steps):
            touched = near[self.edges].any(1)
            near[self.edges[touched].reshape(-1)] = True
        return self.part(np.flatnonzero(near))

    def part(self, nodes: Edges) -> GraphLook:
        """Some of the nodes, and the edges between them."""
        place = np.full(len(self.nodes), -1)
        place[nodes] = np.arange(len(nodes))
        edges = place[self.edges]
        inside = (edges >= 0).all(1)
        layers = tuple(
            LayerLook(
                each.weights[inside],
                None if each.back is None else each.back[inside],
                None if each.own is None else each.own[nodes],
            )
            for each in self.layers
        )
        names, labels = ([known[node] for node in nodes] if known else [] for known in (self.nodes, self.labels))
        return replace(self, nodes=tuple(names), edges=edges[inside], layers=layers, labels=tuple(labels))

    def to_dict(self, digits: int = 6) -> dict[str, Any]:
        """Plain values, versioned: for each layer the weights of each edge, head by head."""

        def plain(weights: Weights | None) -> Any:
            return (
                None if weights is None else [[float(f"{one:.{digits}g}") for one in row] for row in weights.tolist()]
            )

        layers = [{name: plain(value) for name, value in each._asdict().items()} for each in self.layers]
        names = {"nodes": list(self.nodes), "labels": list(self.labels), "edges": self.edges.tolist()}
        return {"jumok": KIND, "version": VERSION, "title": self.title, **names, "layers": layers}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> GraphLook:
        """The look that `to_dict` gave."""
        version = values.get("version")
        if not isinstance(version, int) or not 1 <= version <= VERSION:
            raise ValueError(f"graph look of version {version!r}: this jumok reads up to {VERSION}")
        try:
            nodes, labels = ([str(name) for name in values[side]] for side in ("nodes", "labels"))
            edges = np.array(values["edges"], np.int64).reshape(-1, 2)
            layers = tuple(_layer(each, len(nodes), len(edges)) for each in values["layers"])
            if len(edges) and not (edges.min() >= 0 and edges.max() < len(nodes)):
                raise ValueError(f"an edge has a node that is not there; the nodes are 0 to {len(nodes) - 1}")
            if not layers or (labels and len(labels) != len(nodes)):
                raise ValueError("give at least one layer, and a label for each node or none")
            return cls(tuple(nodes), edges, layers, tuple(labels), str(values.get("title", "")))
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise ValueError(f"damaged graph look: {_reason(error)}") from None

    def save(self, path: str | Path, *, layer: int = -1) -> None:
        """Write it; the ending says as what.

        .svg, .png, .pdf: the graph with one layer's looks (`graph_drawing`). .html: a page with a table for each layer.
        .json: the weights of all edges.
        """
        path = Path(path)
        writer_for(path, WRITERS)(self, path, layer)

    def _repr_html_(self) -> str:
        from jumok.viewing.graph_drawing import scene_of
        from jumok.viewing.svg import to_svg

        return to_svg(scene_of(self))

    def __repr__(self) -> str:
        heads = ", ".join(str(each.weights.shape[1]) for each in self.layers)
        return f"GraphLook({len(self.nodes):,} nodes, {len(self.edges):,} edges, heads {heads})"


def _layer(values: Mapping[str, Any], nodes: int, edges: int) -> LayerLook:
    def numbers(name: str, count: int) -> Weights | None:
        if values[name] is None:
            return None
        found = np.array(values[name], np.float32)
        if found.ndim != 2 or len(found) != count:
            raise ValueError(f"{name} has shape {found.shape}; expected ({count}, heads)")
        if not (np.isfinite(found) & (found >= 0)).all():
            raise ValueError(f"{name}: weights are finite and not negative")
        return found

    weights = numbers("weights", edges)
    if weights is None:
        raise ValueError("a layer has no weights")
    return LayerLook(weights, numbers("back", edges), numbers("own", nodes))


def _reason(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error)


def _still(look: GraphLook, path: Path, layer: int) -> None:
    from jumok.viewing.graph_drawing import scene_of

    write_scene(scene_of(look, layer), path)


def _html(look: GraphLook, path: Path, layer: int) -> None:
    from jumok.viewing.html import save_html

    count = len(look.layers)
    save_html([look.map(layer=(layer - number) % count) for number in range(count)], path)


def _json(look: GraphLook, path: Path, layer: int) -> None:
    write_whole(path, json.dumps(look.to_dict(), ensure_ascii=False, allow_nan=False) + "\n")


WRITERS = {".svg": _still, ".html": _html, ".png": _still, ".pdf": _still, ".json": _json}
