"""A network of graph attention: nodes in, a class for each out, and what each looked at."""

from __future__ import annotations

from typing import Literal, NamedTuple

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn

from jumok.attention import GraphAttention
from jumok.attention.edges import PreparedEdges
from jumok.attention.graph import AttendedEdges
from jumok.core.settings import Settings
from jumok.models.graph_features import SparseFeatures


class GraphNetworkSettings(Settings):
    """Layers of attention over a graph."""

    attention: Literal["gat", "gatv2"] = "gat"
    """GAT (Veličković et al. 2018) ranks neighbours alike for every node, GATv2 (Brody et al. 2022) for each its own
    way."""
    layers: int = Field(default=2, ge=1)
    """How far a node sees: so many edges away."""
    heads: int = Field(default=8, ge=1)
    """Looks that each node takes in each layer, side by side."""
    hidden_size: int = Field(default=8, ge=1)
    """Size of what a head gives."""
    output: Literal["attention", "linear"] = "attention"
    """What gives the classes: the last layer of attention itself, or a linear map after it."""
    output_heads: int = Field(default=1, ge=1)
    """Where it is attention: the heads of that layer, which are averaged."""
    dropout: float = Field(default=0.0, ge=0, lt=1)
    """Share of the features, and of each layer's inputs, that is left out while learning."""
    attention_dropout: float = Field(default=0.0, ge=0, lt=1)
    """Share of the weights of attention that is left out while learning."""
    negative_slope: float = Field(default=0.2, ge=0)
    """Of LeakyReLU below 0."""
    self_loops: bool = True
    """Whether each node looks at itself, too."""
    share_weights: bool = False
    """GATv2 only: whether the node that looks and the one that is looked at are mapped alike."""
    l2: float = Field(default=0.0, ge=0)
    """Weight of the penalty on large weights: half the sum of their squares; biases have none."""

    @model_validator(mode="after")
    def _shared(self) -> GraphNetworkSettings:
        if self.share_weights and self.attention == "gat":
            raise ValueError("share_weights: GAT has only one map; leave it out, or set attention to gatv2")
        return self


class GraphStep(NamedTuple):
    """What the network says of each node."""

    logits: Tensor  # (N, classes)
    attended: tuple[AttendedEdges, ...]  # one a layer


class GraphNetwork(nn.Module):
    """`x' = ELU(attend(x))`, layer after layer; the last one gives the classes (Veličković et al. 2018, 3.3)."""

    def __init__(self, settings: GraphNetworkSettings, features: int, classes: int) -> None:
        super().__init__()
        self.settings = settings
        self.layers = nn.ModuleList()
        hidden = settings.heads * settings.hidden_size
        ends = settings.output == "attention"
        for number in range(settings.layers):
            inputs = hidden if number else features
            if ends and number == settings.layers - 1:
                self.layers.append(self._attention(inputs, classes, settings.output_heads, concat=False))
            else:
                self.layers.append(self._attention(inputs, settings.hidden_size, settings.heads, concat=True))
        self.output = None if ends else nn.Linear(hidden, classes)

    def _attention(self, inputs: int, outputs: int, heads: int, concat: bool) -> GraphAttention:
        settings = self.settings
        return GraphAttention(
            inputs,
            outputs,
            heads,
            version=1 if settings.attention == "gat" else 2,
            concat=concat,
            negative_slope=settings.negative_slope,
            dropout=settings.attention_dropout,
            self_loops=settings.self_loops,
            share_weights=settings.share_weights,
        )

    def forward(self, nodes: Tensor | SparseFeatures, edges: PreparedEdges) -> GraphStep:
        """The classes of the nodes `(N, F)` of a graph, as logits."""
        attended = []
        for number, layer in enumerate(self.layers):
            found: AttendedEdges = layer(self._dropped(nodes), edges)
            attended.append(found)
            is_last = number == len(self.layers) - 1 and self.output is None
            nodes = found.context if is_last else nn.functional.elu(found.context)
        logits = nodes if self.output is None else self.output(self._dropped(nodes))
        assert isinstance(logits, Tensor)
        return GraphStep(logits, tuple(attended))

    def _dropped(self, nodes: Tensor | SparseFeatures) -> Tensor | SparseFeatures:
        share = self.settings.dropout if self.training else 0.0
        if share == 0:
            return nodes
        return nodes.dropped(share) if isinstance(nodes, SparseFeatures) else nn.functional.dropout(nodes, share)

    def penalty(self) -> Tensor:
        """`l2 / 2 * |W|^2` over all weights but the biases."""
        weights = [parameter for parameter in self.parameters() if parameter.ndim > 1]
        return self.settings.l2 / 2 * torch.stack([weight.square().sum() for weight in weights]).sum()
