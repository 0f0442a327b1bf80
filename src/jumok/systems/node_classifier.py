"""A trained graph classifier: a graph in, a label for each node out, with what each looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from jumok.attention.edges import prepare_edges
from jumok.attention.graph import AttendedEdges
from jumok.core.settings import read_settings
from jumok.data.graphs import Graph, Links, Rows, links_of, read_graph
from jumok.models.graph_features import features_of
from jumok.models.graph_network import GraphNetwork, GraphNetworkSettings
from jumok.systems.folders import CONFIG, load_model, read_config
from jumok.training.devices import choose
from jumok.viewing.graph_look import GraphLook, LayerLook


class NodePrediction(NamedTuple):
    """What one node is said to be."""

    name: str
    label: str
    probability: float
    known: str | None  # its label in the graph, where it has one


class GraphPrediction:
    """What every node of a graph is said to be; `prediction["name"]` is one node's.

    graph: what was asked about. classes: the labels that the model knows.
    probabilities: `(N, classes)`. labels: the likeliest of each node.
    attention: what each node looked at, in every layer and head, for each edge in the order of the graph's edges.
    """

    def __init__(
        self,
        graph: Graph,
        classes: tuple[str, ...],
        probabilities: npt.NDArray[np.float32],
        links: Links,
        attended: tuple[AttendedEdges, ...],
    ) -> None:
        self.graph, self.classes, self.probabilities = graph, classes, probabilities
        self.labels = tuple(classes[number] for number in probabilities.argmax(1).tolist())
        layers = tuple(_layer(links, each) for each in attended)
        names = tuple(graph.name(node) for node in range(graph.count))
        self.attention = GraphLook(names, graph.edges, layers, self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, node: str | int) -> NodePrediction:
        number = self.graph.number(node)
        sure = float(self.probabilities[number].max())
        return NodePrediction(self.graph.name(number), self.labels[number], sure, self.graph.label(number))

    def __iter__(self) -> Iterator[NodePrediction]:
        return (self[number] for number in range(len(self)))

    def accuracy(self, split: str | None = None) -> float | None:
        """The share of right labels among the nodes of a split, or among all whose label is known; None for no node."""
        known = np.flatnonzero(self.graph.labels >= 0) if split is None else self.graph.splits.get(split, ())
        nodes = [int(node) for node in known]
        if not nodes:
            return None
        right = [self.labels[node] == self.graph.label(node) for node in nodes]
        return float(sum(right)) / len(right)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, the attention in its own form."""
        nodes = [
            {"name": one.name, "label": one.label, "known": one.known, "probabilities": sure}
            for one, sure in zip(self, self.probabilities.round(6).tolist(), strict=True)
        ]
        return {"classes": list(self.classes), "nodes": nodes, "attention": self.attention.to_dict()}

    def __repr__(self) -> str:
        return f"GraphPrediction({len(self):,} nodes, {len(self.classes)} classes)"

    def _repr_html_(self) -> str:
        return self.attention._repr_html_()


class NodeClassifier:
    """Says what the nodes of a graph are, and what each looked at.

    classes: the labels that it learned.
    features: how many a node has. feature_names: what they are called, if they are.
    directed, normalize: how it reads a graph, as the recipe's data said.
    """

    def __init__(
        self,
        network: GraphNetwork,
        classes: tuple[str, ...],
        features: int,
        feature_names: tuple[str, ...] | None = None,
        directed: bool = False,
        normalize: bool = False,
    ) -> None:
        self.network, self.classes, self.features, self.feature_names = network, classes, features, feature_names
        self.directed, self.normalize = directed, normalize

    @classmethod
    def load(cls, *folders: str | Path, device: str = "auto") -> NodeClassifier:
        """The graph classifier in a model folder."""
        if len(folders) != 1:
            raise ValueError("load: give the folder of one graph classifier; several do not decide together")
        folder = Path(folders[0])
        config = read_config(folder)
        if config.system != "graphs":
            raise ValueError(f"{folder}: holds a model for {config.system}, not for graphs")
        settings = read_settings(GraphNetworkSettings, config.model, str(folder / CONFIG))
        try:
            features, inputs = int(config.words["features"]), config.inputs
            classes, names = tuple(map(str, inputs["classes"])), inputs["features"]
            directed, normalize = bool(inputs["directed"]), bool(inputs["normalize"])
            names = None if names is None else tuple(map(str, names))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{folder / CONFIG}: damaged ({error!r}); copy the folder again") from None
        network = GraphNetwork(settings, features, len(classes))
        load_model(network, folder)
        return cls(network.to(choose(device)).eval(), classes, features, names, directed, normalize)

    def __call__(self, graph: Graph | str | Path | Any, edges: Any = None, *, nodes: Any = None) -> GraphPrediction:
        """What every node is.

        graph: a `Graph`; or a file (for a list of edges, `nodes` is the table of its nodes); or a table of features,
        with the `edges` beside it.
        """
        if isinstance(graph, str | Path):
            graph = read_graph(graph, nodes)
        elif not isinstance(graph, Graph):
            if edges is None:
                raise ValueError("edges: are missing; give them beside the features")
            graph = Graph.of(graph, edges)
        return self._told(graph)

    def _told(self, graph: Graph) -> GraphPrediction:
        if not graph.count:
            raise ValueError("the graph has no nodes")
        rows = self._rows(graph)
        links = links_of(graph, self.directed)
        device = next(self.network.parameters()).device
        pairs = torch.from_numpy(links.pairs)
        prepared = prepare_edges(pairs, graph.count, self_loops=self.network.settings.self_loops)
        with torch.no_grad():
            step = self.network(features_of(rows).to(device), prepared.to(device))
        return GraphPrediction(graph, self.classes, step.logits.softmax(-1).cpu().numpy(), links, step.attended)

    def _rows(self, graph: Graph) -> Rows:
        """The features as the model learned them."""
        rows, names = graph.features, graph.feature_names
        if names is not None and self.feature_names is not None and names != self.feature_names:
            missing = next((name for name in self.feature_names if name not in names), None)
            if missing is not None:
                raise ValueError(f"the graph has no feature {missing!r}, which the model learned from")
            place = {name: number for number, name in enumerate(self.feature_names)}
            strange = next((name for name in names if name not in place), None)
            if strange is not None:
                raise ValueError(f"the graph has a feature {strange!r}, which the model did not learn from")
            rows = replace(rows, columns=np.array([place[name] for name in names])[rows.columns])
        if rows.width != self.features:
            raise ValueError(
                f"the graph has {rows.width:,} features for each node; the model learned from {self.features:,}"
            )
        return rows.normalized() if self.normalize else rows


def _layer(links: Links, attended: AttendedEdges) -> LayerLook:
    """The weights of a layer for the given edges, in their order."""
    weights, own = attended.weights.cpu().numpy(), attended.self_weights
    loops = links.pairs[0] == links.pairs[1]
    if own is not None:
        kept = own.cpu().numpy().copy()
        kept[links.pairs[0, loops]] = weights[loops]  # a loop that was among the edges
    back = None if links.back is None else weights[links.back]
    return LayerLook(weights[links.along], back, None if own is None else kept)
