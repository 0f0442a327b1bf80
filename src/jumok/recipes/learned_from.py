"""What the model in a folder learned from, by the recipe that it keeps."""

from __future__ import annotations

from pathlib import Path

from jumok.data.graphs import Graph, GraphFile, open_graphs
from jumok.recipes.running import KEPT, kept_recipe


def graph_of(model: Path) -> Graph:
    """The graph that the recipe of a graph classifier names."""
    if not (model / KEPT).exists():
        raise ValueError(f"{model}: has no {KEPT}, so the graph that it learned from is not known; give --graph FILE")
    data = kept_recipe(model).data
    if isinstance(data, GraphFile):
        data = data.model_copy(update={"normalize": False})  # the classifier scales the features itself
    return open_graphs(data).example
