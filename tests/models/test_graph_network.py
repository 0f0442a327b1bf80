"""Networks of graph attention: sparse features are dense ones, and what a graph looks like does not matter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from jumok.attention import prepare_edges
from jumok.data.graphs import Rows
from jumok.models import GraphNetwork, GraphNetworkSettings
from jumok.models.graph_features import SparseFeatures, features_of


def table(rows: int = 12, columns: int = 30) -> Rows:
    dense = torch.randn(rows, columns) * (torch.rand(rows, columns) < 0.1)
    dense[3] = 0  # a node without features
    return Rows.of(dense.numpy())


def network(**more: Any) -> GraphNetwork:
    settings = GraphNetworkSettings(**{"heads": 2, "hidden_size": 4, **more})
    return GraphNetwork(settings, 30, 3)


def edges(count: int = 12) -> torch.Tensor:
    return torch.randint(count, (2, 40))


def test_sparse_features_are_mapped_like_dense_ones() -> None:
    rows = table()
    weight = torch.randn(7, 30, requires_grad=True)
    gradient = torch.randn(12, 7)
    results = []
    for features in (SparseFeatures.of(rows), torch.from_numpy(rows.dense())):
        weight.grad = None
        mapped = torch.nn.functional.linear(features, weight)  # type: ignore[arg-type]
        mapped.backward(gradient)
        assert weight.grad is not None
        results.append((mapped.detach(), weight.grad.clone()))
    torch.testing.assert_close(results[0], results[1])


def test_a_table_of_zeros_maps_to_zeros() -> None:
    features = SparseFeatures.of(Rows.of(np.zeros((4, 5))))
    weight = torch.randn(3, 5, requires_grad=True)
    mapped = torch.nn.functional.linear(features, weight)  # type: ignore[arg-type]
    mapped.sum().backward()
    assert weight.grad is not None
    assert not mapped.any()
    assert not weight.grad.any()


def test_only_full_tables_become_dense() -> None:
    assert isinstance(features_of(table()), SparseFeatures)
    assert isinstance(features_of(Rows.of(np.ones((3, 3)))), torch.Tensor)


def test_dropout_keeps_the_mean_and_the_zeros() -> None:
    features = SparseFeatures.of(Rows.of(np.eye(2000)))
    dropped = features.dropped(0.6).values
    assert set(dropped.unique().tolist()) == {0.0, 2.5}
    assert dropped.mean().item() == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("attention", ["gat", "gatv2"])
@pytest.mark.parametrize("output", ["attention", "linear"])
@pytest.mark.parametrize("layers", [1, 3])
def test_sparse_and_dense_give_the_same_in_value_and_gradient(attention: str, output: str, layers: int) -> None:
    model = network(attention=attention, output=output, layers=layers, l2=0.1)
    rows, pairs = table(), prepare_edges(edges(), 12)
    found = []
    for features in (SparseFeatures.of(rows), torch.from_numpy(rows.dense())):
        model.zero_grad()
        step = model(features, pairs)
        (step.logits.square().sum() + model.penalty()).backward()
        found.append((step.logits.detach(), {name: p.grad.clone() for name, p in model.named_parameters()}))
        assert step.logits.shape == (12, 3)
        assert len(step.attended) == layers
    torch.testing.assert_close(found[0], found[1], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("attention", ["gat", "gatv2"])
def test_renumbering_the_nodes_renumbers_the_answers(attention: str) -> None:
    model = network(attention=attention).eval()
    dense, pairs = torch.from_numpy(table().dense()), edges()
    order = torch.randperm(12)
    place = order.argsort()
    before = model(dense, prepare_edges(pairs, 12))
    after = model(dense[order], prepare_edges(place[pairs], 12))
    torch.testing.assert_close(after.logits, before.logits[order])
    torch.testing.assert_close(after.attended[0].weights, before.attended[0].weights)


def test_a_node_sees_as_far_as_there_are_layers() -> None:
    path = prepare_edges(torch.tensor([[0, 1, 2], [1, 2, 3]]), 4)
    features = torch.randn(4, 30)
    changed = features.clone()
    changed[0] += 1
    for layers in (1, 2, 3):
        model = network(layers=layers).eval()
        moved = (model(features, path).logits != model(changed, path).logits).any(1)
        assert moved.tolist() == [node <= layers for node in range(4)]


def test_the_penalty_is_half_the_squares_of_all_but_biases() -> None:
    model = network(l2=0.5)
    squares = sum(float(p.detach().square().sum()) for name, p in model.named_parameters() if "bias" not in name)
    assert model.penalty().item() == pytest.approx(0.25 * squares)


def test_gat_has_no_second_map_to_share() -> None:
    with pytest.raises(ValidationError, match="GAT has only one map"):
        GraphNetworkSettings(attention="gat", share_weights=True)
