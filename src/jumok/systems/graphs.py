"""The graph classifier: from a graph, or many, to a model folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from jumok.attention.edges import PreparedEdges, prepare_edges
from jumok.core.settings import Settings
from jumok.data.graphs import GraphDataSettings, GraphFile, GraphSource, Links, Part, open_graphs
from jumok.models.graph_features import SparseFeatures, features_of
from jumok.models.graph_network import GraphNetwork, GraphNetworkSettings
from jumok.systems.node_classifier import NodeClassifier
from jumok.systems.system import Running
from jumok.training import Loss, Outcome, TrainingSettings
from jumok.training.devices import choose
from jumok.training.processes import rank_and_world


class GraphRecipe(Settings):
    """All that decides a graph classifier."""

    system: Literal["graphs"] = "graphs"
    seed: int = 1
    """Where random numbers start: the first weights, dropout."""
    data: GraphDataSettings
    """The graph."""
    model: GraphNetworkSettings = GraphNetworkSettings()
    """The network."""
    training: TrainingSettings
    """How it learns."""


@dataclass(frozen=True, eq=False)
class GraphBatch:
    """A graph as the network takes it, and the nodes that are asked for with their classes."""

    features: Tensor | SparseFeatures
    edges: PreparedEdges
    nodes: Tensor
    classes: Tensor  # of the nodes; -1 where no node to learn from has that label

    def to(self, device: torch.device | str) -> GraphBatch:
        """The same on another device."""
        if self.nodes.device == torch.device(device):
            return self
        moved = (part.to(device) for part in (self.features, self.edges, self.nodes, self.classes))
        return GraphBatch(*moved)  # type: ignore[arg-type]


class GraphTask:
    """What the trainer trains: the whole graph goes in at every update, and some of its nodes are learned from.

    Processes share these nodes: each sends the graph through, and answers for its own.
    """

    def __init__(self, model: GraphNetwork, source: GraphSource, device: torch.device) -> None:
        self.model = model
        self._source, self._device = source, device
        self._edges: dict[int, tuple[Links, PreparedEdges]] = {}
        self._whole: tuple[Part, GraphBatch] | None = None

    def batches(self, epoch: int) -> Sequence[GraphBatch]:
        """The graphs of an epoch, this process's nodes of each."""
        place = rank_and_world()
        return _Batches(self, self._source.training(epoch), place.rank, place.world)

    def loss(self, batch: GraphBatch) -> Loss:
        """The cross-entropy summed over the nodes, and the penalty as often."""
        count = len(batch.nodes)
        logits = self.model(batch.features, batch.edges).logits.index_select(0, batch.nodes)
        total = nn.functional.cross_entropy(logits, batch.classes, reduction="sum")
        if not self.model.settings.l2:
            return Loss(total, count)
        penalty = count * self.model.penalty()
        return Loss(total + penalty, count, {"penalty": penalty.detach()})

    def evaluate(self) -> Mapping[str, float]:
        """Loss and accuracy on the validation nodes."""
        return self.figures("validation")

    def figures(self, which: Literal["validation", "test"]) -> dict[str, float]:
        """Loss and accuracy on nodes that are held out; the loss is over those whose label could be learned."""
        loss, hits, known, count = 0.0, 0, 0, 0
        for part in self._source.held_out(which):
            batch = self.batch(part)
            logits = self.model(batch.features, batch.edges).logits.index_select(0, batch.nodes).float()
            loss += float(nn.functional.cross_entropy(logits, batch.classes, reduction="sum", ignore_index=-1))
            hits += int((logits.argmax(-1) == batch.classes).sum())
            known += int((batch.classes >= 0).sum())
            count += len(batch.nodes)
        return {"loss": loss / max(known, 1), "accuracy": hits / max(count, 1)}

    @torch.no_grad()
    def tested(self, which: Literal["validation", "test"]) -> dict[str, float]:
        """The same of a model that has learned, without dropout."""
        self.model.eval()
        return self.figures(which)

    def updated(self, parts: Mapping[str, float], count: float) -> None:
        """An update is done; nothing changes but the weights."""

    def batch(self, part: Part) -> GraphBatch:
        """A part as the network takes it; a graph that stays is prepared once."""
        if self._whole is not None and self._whole[0].graph is part.graph:
            kept = self._whole[1]
            return replace(kept, nodes=self._moved(part.nodes), classes=self._classes(part))
        features, edges = features_of(part.graph.features), self._prepared(part.links)
        batch = GraphBatch(features, edges, self._moved(part.nodes), self._classes(part)).to(self._device)
        self._whole = part, batch
        return batch

    def _classes(self, part: Part) -> Tensor:
        """The classes of the nodes that are asked for, as the model numbers them."""
        graph = part.graph
        place = {name: number for number, name in enumerate(self._source.classes)}
        numbers = np.array([*(place.get(name, -1) for name in graph.classes), -1])  # the last is for 'none known'
        return self._moved(numbers[graph.labels[part.nodes]])

    def _moved(self, numbers: np.ndarray) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(numbers)).to(self._device)

    def _prepared(self, links: Links) -> PreparedEdges:
        if id(links) not in self._edges:
            pairs = torch.from_numpy(links.pairs)
            loops = self.model.settings.self_loops
            self._edges[id(links)] = links, prepare_edges(pairs, links.nodes, self_loops=loops)
        return self._edges[id(links)][1]


class _Batches(Sequence[GraphBatch]):
    """Parts as batches, made when they are asked for."""

    def __init__(self, task: GraphTask, parts: Sequence[Part], rank: int, world: int) -> None:
        self._task, self._parts, self._rank, self._world = task, parts, rank, world

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, place: int) -> GraphBatch:  # type: ignore[override]
        part = self._parts[place]
        return self._task.batch(part._replace(nodes=part.nodes[self._rank :: self._world]))


class Graphs:
    """The system `graphs`."""

    recipe = GraphRecipe

    @staticmethod
    def train(recipe: GraphRecipe, folder: Path, resume: bool = False, quiet: bool = False) -> Outcome:
        """Train a graph classifier into `folder`, in which the caller keeps the recipe."""
        with Running.begun(recipe, folder, resume, quiet) as running:
            source = open_graphs(recipe.data)
            for line in told(source):
                running.waiting.say(line)
            torch.manual_seed(recipe.seed)
            features, classes = source.example.features.width, len(source.classes)
            model = GraphNetwork(recipe.model, features, classes)
            task = GraphTask(model, source, choose(recipe.training.device))
            names = source.example.feature_names
            inputs = {
                "classes": list(source.classes),
                "features": None if names is None else list(names),
                "directed": source.directed,
                "normalize": isinstance(recipe.data, GraphFile) and recipe.data.normalize,
            }
            words = {"features": features, "classes": classes}
            outcome = running.train(task, "graphs", recipe.model, words=words, inputs=inputs)
            if outcome.finished and running.is_first and not quiet:
                running.waiting.say(_tested(task, source))
            return outcome

    @staticmethod
    def load(*folders: str | Path, device: str = "auto") -> NodeClassifier:
        """The graph classifier in a model folder."""
        return NodeClassifier.load(*folders, device=device)


def told(source: GraphSource) -> list[str]:
    """What the data are, and what of them cannot be learned."""
    graph, loose = source.example, 0
    if len(graph.edges) or graph.count:
        loose = graph.count - len(np.unique(graph.edges))
    lines = [f"graph: {graph.count:,} nodes, {len(graph.edges):,} edges, {graph.features.width:,} features"]
    if loose:
        lines.append(f"{loose:,} nodes have no edge: they see only themselves")
    for name in ("validation", "test"):
        nodes = graph.splits.get(name, np.zeros(0, np.int64))
        strange = [label for node in nodes.tolist() if (label := graph.label(node)) not in source.classes]
        if strange:
            lines.append(
                f"{name}: {len(strange):,} nodes have a label that no training node has, such as {strange[0]!r};"
                " they count as wrong"
            )
    return lines


def _tested(task: GraphTask, source: GraphSource) -> str:
    """The figures on the test nodes, with the best weights."""
    count = sum(len(part.nodes) for part in source.held_out("test"))
    if not count:
        return "test: there are no nodes to test on"
    figures = task.tested("test")
    return f"test: accuracy {figures['accuracy']:.4f} of {count:,} nodes, loss {figures['loss']:.4f}"
