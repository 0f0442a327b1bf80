"""The graph classifier: from a recipe to a model folder that says what its nodes looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import jumok
from jumok.cli import app
from jumok.data.graphs import Graph, GraphFile, KarateData, LookupData, karate, lookup, save_npz
from jumok.models import GraphNetworkSettings
from jumok.recipes import find, load
from jumok.systems import GraphRecipe, NodeClassifier
from jumok.training import TrainingSettings

SHORT: dict[str, Any] = {"training.updates": 6, "training.evaluate_every": 3, "training.threads": 1}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(recipe: str, out: str, resume: bool = False, **more: Any) -> Path:
    changes = {**SHORT, **{name.replace("__", "."): value for name, value in more.items()}}
    return jumok.train(recipe, out, set=changes, resume=resume, quiet=True).folder


def two_rings(count: int = 12, **more: Any) -> Graph:
    """Two rings of nodes with noisy features; each ring is a class."""
    random = np.random.default_rng(0)
    ring = [(node, (node + 1) % count) for node in range(count)]
    edges = [*ring, *((count + one, count + other) for one, other in ring)]
    labels = ["left"] * count + ["right"] * count
    features = random.normal(size=(2 * count, 4)) + np.repeat([[1.0], [-1.0]], count, 0)
    return Graph.of(features, edges, labels, **more)


def last(folder: Path, update: int) -> list[bytes]:
    kept = folder / "checkpoints" / str(update)
    return [(kept / name).read_bytes() for name in ("weights.safetensors", "optimiser.safetensors")]


@pytest.mark.parametrize(
    ("recipe", "more"),
    [
        ("karate", {}),
        ("lookup", {"data__size": 5, "data__graphs": 6, "data__held_out": 2, "model__dropout": 0.2}),
    ],
)
def test_resumed_gives_the_same_bits(recipe: str, more: dict[str, Any]) -> None:
    constant = {"training__schedule": "constant", **more}
    whole = train(recipe, "whole", training__updates=7, **constant)
    parts = train(recipe, "parts", training__updates=2, **constant)
    train(recipe, "parts", resume=True, training__updates=5, **constant)
    train(recipe, "parts", resume=True, training__updates=7, **constant)
    assert last(whole, 7) == last(parts, 7)


def test_the_same_seed_gives_the_same_weights_and_another_does_not() -> None:
    one, same, other = (train("karate", out, seed=seed) for out, seed in (("a", 1), ("b", 1), ("c", 2)))
    weights = [(folder / "model.safetensors").read_bytes() for folder in (one, same, other)]
    assert weights[0] == weights[1]
    assert weights[0] != weights[2]


def test_the_reference_names_every_field_and_gives_the_defaults() -> None:
    text = find("graphs").path.read_text(encoding="utf-8")
    kinds = (GraphRecipe, GraphFile, KarateData, LookupData, GraphNetworkSettings, TrainingSettings)
    missing = {name for kind in kinds for name in kind.model_fields if f"{name}:" not in text}
    assert missing == set()
    told = load("graphs").settings
    data, training = {"path": told.data.path}, {"updates": told.training.updates}  # type: ignore[attr-defined]
    assert told == GraphRecipe.model_validate({"data": data, "training": training})


@pytest.mark.slow
def test_the_club_breaks_as_it_did() -> None:
    """All but member 9, who followed Mr. Hi because his black belt was three weeks away (Zachary 1977)."""
    folder = jumok.train("karate", "club", set={"training.threads": 1}, quiet=True).folder
    prediction = jumok.load(folder)(karate())
    wrong = [one.name for one in prediction if one.label != one.known]
    assert prediction.accuracy("test") == 1
    assert set(wrong) <= {"9", "10"}


@pytest.mark.slow
def test_dictionaries_are_read_by_gatv2_and_not_by_gat() -> None:
    found = {}
    for attention in ("gatv2", "gat"):
        changes = {"data.size": 24, "model.attention": attention, "training.threads": 1}
        changes |= {"model.share_weights": attention == "gatv2"}
        run = jumok.train("lookup", attention, set=changes, quiet=True)
        found[attention] = run.outcome.best["accuracy"]
    assert found["gatv2"] == 1
    assert found["gat"] < 0.9  # its keys are ranked alike for every query (Brody et al. 2022); heads share the work


def test_a_graph_of_ones_own_is_learned_from_a_file() -> None:
    save_npz(two_rings(), "rings.npz")
    folder = train("graphs", "out", data__path="rings.npz", training__updates=60, training__learning_rate=0.02)
    classifier = jumok.load(folder)
    assert isinstance(classifier, NodeClassifier)
    assert set(classifier.classes) == {"left", "right"}
    accuracy = classifier("rings.npz").accuracy()
    assert accuracy is not None
    assert accuracy > 0.9


def test_looks_sum_to_one_in_the_order_of_the_edges() -> None:
    """Whatever the order, the repetition and the direction in which the edges were given."""
    folder = train("karate", "club")
    classifier, club = jumok.load(folder), karate()
    order = np.random.default_rng(1).permutation(len(club.edges))
    turned = club.edges[order].copy()
    turned[::2] = turned[::2, ::-1]
    moved = np.concatenate([turned, turned[:5]])  # five edges are there twice
    first = classifier(club).attention
    second = classifier(Graph.of(club.features, moved)).attention
    for one, other in zip(first.layers, second.layers, strict=True):
        assert one.back is not None
        assert one.own is not None
        assert other.back is not None
        sums = one.own.copy()
        np.add.at(sums, club.edges[:, 1], one.weights)
        np.add.at(sums, club.edges[:, 0], one.back)
        assert sums == pytest.approx(1, abs=1e-5)
        forth, back = one.weights[order].copy(), one.back[order].copy()
        forth[::2], back[::2] = back[::2].copy(), forth[::2].copy()
        assert other.weights[:78] == pytest.approx(forth, abs=1e-6)
        assert other.back[:78] == pytest.approx(back, abs=1e-6)
        assert (other.weights[78:] == other.weights[:5]).all()


def test_an_edge_from_a_node_to_itself_is_its_own_look() -> None:
    classifier = jumok.load(train("karate", "club"))
    club = karate()
    plain = classifier(club)
    looped = classifier(Graph.of(club.features, np.concatenate([club.edges, [[3, 3]]])))
    assert looped.probabilities == pytest.approx(plain.probabilities, abs=1e-6)
    own = plain.attention.layers[0].own
    assert own is not None
    assert looped.attention.layers[0].own == pytest.approx(own, abs=1e-6)
    assert looped.attention.layers[0].weights[-1] == pytest.approx(own[3], abs=1e-6)


def test_a_node_without_edges_looks_at_itself() -> None:
    save_npz(two_rings(), "rings.npz")
    classifier = jumok.load(train("graphs", "out", data__path="rings.npz"))
    prediction = classifier(np.ones((3, 4)), [(0, 1)])
    own = prediction.attention.layers[0].own
    assert own is not None
    assert own[2] == pytest.approx(1)
    assert prediction.attention.map([2]).columns == ("2",)
    assert classifier(np.ones((2, 4)), np.zeros((0, 2), int)).labels[0] == prediction.labels[2]


def test_a_label_that_was_never_learned_counts_as_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    graph = two_rings()
    labels = [graph.label(node) for node in range(24)]
    labels[5] = "strange"
    nodes = {"train": [0, 1, 12, 13], "validation": [2, 14, 5], "test": [3, 15]}
    save_npz(Graph.of(graph.features, graph.edges, labels, **nodes), "rings.npz")
    changes = SHORT | {"data.path": "rings.npz", "training.updates": 60, "training.learning_rate": 0.02}
    run = jumok.train("graphs", "out", set=changes)
    assert "validation: 1 nodes have a label that no training node has, such as 'strange'" in capsys.readouterr().err
    assert run.outcome.best["accuracy"] <= 2 / 3
    assert np.isfinite(run.outcome.best["loss"])
    assert jumok.load(run.folder).classes == ("left", "right")


def test_features_are_known_by_name() -> None:
    names = ["a", "b", "c", "d"]
    graph = two_rings(feature_names=names)
    save_npz(graph, "rings.npz")
    classifier = jumok.load(train("graphs", "out", data__path="rings.npz"))
    table = graph.features.dense()
    turned = Graph.of(table[:, ::-1], graph.edges, feature_names=names[::-1])
    assert classifier(turned).probabilities == pytest.approx(classifier(graph).probabilities, abs=1e-6)
    with pytest.raises(ValueError, match="no feature 'a'"):
        classifier(Graph.of(table, graph.edges, feature_names=["x", *names[1:]]))
    with pytest.raises(ValueError, match="has 3 features for each node; the model learned from 4"):
        classifier(table[:, :3], graph.edges)


def test_what_cannot_be_loaded_is_one_line() -> None:
    folder = train("karate", "club")
    with pytest.raises(ValueError, match="several do not decide together"):
        jumok.load(folder, folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    del config["inputs"]["classes"]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ValueError, match=r"config\.json: damaged"):
        jumok.load(folder)


def test_the_command_tells_of_nodes_and_draws() -> None:
    train("karate", "club")
    run = CliRunner().invoke
    whole = run(app, ["classify", "club", "--attention", "club.svg"])
    assert whole.exit_code == 0
    assert len(whole.stdout.splitlines()) == 34
    assert Path("club.svg").read_text("utf-8").startswith("<svg")
    two = run(app, ["classify", "club", "9", "Mr. Hi", "--attention", "two.html", "-o", "two.tsv"])
    assert two.exit_code == 0
    lines = [line.split("\t") for line in Path("two.tsv").read_text("utf-8").splitlines()]
    assert [line[0] for line in lines] == ["9", "Mr. Hi"]
    assert "looks at" in Path("two.html").read_text("utf-8")
    told = json.loads(run(app, ["classify", "club", "--json"]).stdout)
    assert len(told["nodes"]) == 34
    chosen = json.loads(run(app, ["classify", "club", "9", "2", "--json"]).stdout)
    assert [one["name"] for one in chosen["nodes"]] == ["9", "2"]
    assert [len(layer["weights"]) for layer in told["attention"]["layers"]] == [78, 78]
    alone = ["club", "--nodes", "nodes.csv"]
    for wrong in (
        ["club", "99"],
        ["club", "--attention", "x.tiff"],
        ["club", "--graph", "none.npz"],
        ["nowhere"],
        alone,
    ):
        assert isinstance(run(app, ["classify", *wrong]).exception, ValueError | OSError)


def test_of_many_neighbours_those_with_the_largest_weights_are_drawn_by_name() -> None:
    changes = {"data__size": 30, "data__graphs": 4, "data__held_out": 1, "training__updates": 3}
    classifier = jumok.load(train("lookup", "out", **changes))
    done = CliRunner().invoke(app, ["classify", "out", "k7=?", "--attention", "near.svg"])
    assert "drawn: the 24 of 30 neighbours with the largest weights" in done.output
    graph = lookup(30, range(1, 2), held_out=True)
    look = classifier(graph).attention.layers[-1].weights.mean(1)
    mine = [(float(weight), graph.name(int(edge[0]))) for weight, edge in zip(look, graph.edges, strict=True)]
    mine = [pair for pair, edge in zip(mine, graph.edges, strict=True) if graph.name(int(edge[1])) == "k7=?"]
    drawn = Path("near.svg").read_text("utf-8")
    assert ">k7=?<" in drawn
    assert {f">{name}<" in drawn for _, name in sorted(mine)[-24:]} == {True}
    assert {f">{name}<" in drawn for _, name in sorted(mine)[:6]} == {False}


def test_the_command_scores_held_out_nodes() -> None:
    train("karate", "club")
    run = CliRunner().invoke
    found = json.loads(run(app, ["evaluate", "club", "--json"]).stdout)
    assert found["data"] == "test"
    accuracy = jumok.load("club")(karate()).accuracy("test")
    assert found["models"]["club"]["accuracy"] == pytest.approx(accuracy)
    assert "club on " in run(app, ["evaluate", "club", "--split", "validation"]).stdout
    for wrong, line in (("--paper", "holds a graph classifier"), ("--split=train", "give test or validation")):
        refused = run(app, ["evaluate", "club", wrong]).exception
        assert isinstance(refused, ValueError)
        assert line in str(refused)
