"""Graphs in the page: what the nodes are said to be, and whom each looks at."""

from __future__ import annotations

from typing import Any

from jumok.recipes.learned_from import graph_of
from jumok.studio.shelf import Held
from jumok.systems.node_classifier import GraphPrediction
from jumok.viewing.chart_page import BY_NAME
from jumok.viewing.graph_drawing import scene_of
from jumok.viewing.graph_look import MOST_NODES
from jumok.viewing.svg import to_svg

LISTED = 3000
"""Nodes whose names the page gets to know."""


class Graphs:
    """The graphs that classifiers learned from, each classified once."""

    def __init__(self) -> None:
        self._known: dict[str, GraphPrediction] = {}

    def seen(self, held: Held, node: str | None, layer: int, steps: int) -> dict[str, Any]:
        """The graph, or the part around a node, drawn; and what its nodes are said to be."""
        prediction = self._prediction(held)
        look = prediction.attention
        if not -len(look.layers) <= layer < len(look.layers):
            raise ValueError(f"there is no layer {layer}: there are {len(look.layers)}, counted from 0")
        if node is not None:
            look = look.around(prediction.graph.number(node), steps)
        elif len(look.nodes) > MOST_NODES:
            look = look.around(0, steps)
        return {
            "svg": to_svg(scene_of(look, layer), BY_NAME),
            "layers": len(look.layers),
            "names": list(prediction.attention.nodes[:LISTED]),
            "accuracy": prediction.accuracy(),
            "nodes": [prediction[name]._asdict() for name in look.nodes],
        }

    def _prediction(self, held: Held) -> GraphPrediction:
        if held.name not in self._known:
            if held.folder is None:
                raise ValueError(f"model {held.name}: has no folder, so its graph is not known")
            self._known[held.name] = held.model(graph_of(held.folder))
        return self._known[held.name]
