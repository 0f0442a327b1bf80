"""`jumok classify`: a graph in, a label for each node out, and what each looked at."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jumok.cli.options import Device, Output
from jumok.cli.streams import check_folder, written

if TYPE_CHECKING:
    from jumok.systems import GraphPrediction
    from jumok.viewing import GraphLook

NEIGHBOURS = 24
"""Of a node that are drawn, at most."""


def classify(
    model: Annotated[Path, typer.Argument(help="The folder of a trained model, such as runs/karate.", metavar="MODEL")],
    node: Annotated[
        list[str] | None, typer.Argument(help="The nodes to tell of, by name; without any, all.", metavar="NODE")
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph", "-g", metavar="FILE", help="An .npz, or a list of edges; without it, what it learned from."
        ),
    ] = None,
    nodes: Annotated[
        Path | None, typer.Option("--nodes", metavar="FILE", help="With a list of edges: the table of its nodes.")
    ] = None,
    output: Output = None,
    attention: Annotated[
        Path | None,
        typer.Option("--attention", metavar="FILE", help="What was looked at, as .svg, .png, .pdf, .html or .json."),
    ] = None,
    layer: Annotated[int, typer.Option("--layer", metavar="N", help="The layer to draw, from 0; -1 is the last.")] = -1,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object: the nodes with all probabilities, and attention.")
    ] = False,
    device: Device = "auto",
) -> None:
    """Say what the nodes of a graph are: the name of each, its label, how sure that is.

    \b
    jumok classify runs/karate --attention club.svg    the whole graph, drawn
    jumok classify runs/karate 9 --attention nine.svg  what one node looks at
    jumok classify runs/mine --graph new.npz -o labels.tsv
    """
    from jumok.recipes.learned_from import graph_of
    from jumok.systems.node_classifier import NodeClassifier

    _check(attention, output)
    if nodes is not None and graph is None:
        raise ValueError("--nodes: is the table of a graph's nodes; name the list of its edges with --graph FILE")
    classifier = NodeClassifier.load(model, device=device)
    prediction = classifier(graph_of(model) if graph is None else graph, nodes=nodes)
    chosen = [prediction.graph.number(name) for name in node or ()]
    if attention is not None:
        _draw(prediction, chosen, attention, layer)
    text = _json(prediction, chosen) if as_json else _lines(prediction, chosen)
    with written(output) as file:
        file.write(text)
    _tell(prediction)


def _check(attention: Path | None, output: Path | None) -> None:
    from jumok.viewing.graph_look import WRITERS
    from jumok.viewing.saving import writer_for

    if attention is not None:
        writer_for(attention, WRITERS)
    for option, path in (("--attention", attention), ("--output", output)):
        if path is not None:
            check_folder(path, option)


def _draw(prediction: GraphPrediction, chosen: list[int], path: Path, layer: int) -> None:
    look = prediction.attention
    if not chosen or path.suffix.lower() == ".json":
        look.save(path, layer=layer)
    elif path.suffix.lower() == ".html":
        from jumok.viewing import save_html

        count = len(look.layers)
        save_html([look.map(chosen, (layer - number) % count) for number in range(count)], path)
    elif len(chosen) == 1:
        _near(look, chosen[0], layer).save(path, layer=layer)
    else:
        look.map(chosen, layer).save(path)


def _near(look: GraphLook, node: int, layer: int) -> GraphLook:
    """A node and its neighbours; of many, those along whose edges most is looked, so that there is room for names."""
    import numpy as np

    each = look.layer(layer)
    weights = each.weights.mean(1) if each.back is None else np.maximum(each.weights, each.back).mean(1)
    touching = np.flatnonzero((look.edges == node).any(1))
    touching = touching[np.argsort(-weights[touching], kind="stable")]
    ends = look.edges[touching]
    others = list(dict.fromkeys(np.where(ends[:, 0] == node, ends[:, 1], ends[:, 0]).tolist()))
    others = [other for other in others if other != node]
    if len(others) > NEIGHBOURS:
        print(f"drawn: the {NEIGHBOURS} of {len(others):,} neighbours with the largest weights", file=sys.stderr)
    return look.part(np.array([node, *others[:NEIGHBOURS]]))


def _lines(prediction: GraphPrediction, chosen: list[int]) -> str:
    told = [prediction[number] for number in chosen] if chosen else list(prediction)
    return "".join(f"{one.name}\t{one.label}\t{one.probability:.4f}\n" for one in told)


def _json(prediction: GraphPrediction, chosen: list[int]) -> str:
    """All of it as one object; of the nodes those that were asked for."""
    plain = prediction.to_dict()
    if chosen:
        plain["nodes"] = [plain["nodes"][number] for number in chosen]
    return json.dumps(plain, ensure_ascii=False) + "\n"


def _tell(prediction: GraphPrediction) -> None:
    """How good it is, on stderr, where labels are known."""
    split = "test" if len(prediction.graph.splits.get("test", ())) else None
    accuracy = prediction.accuracy(split)
    if accuracy is not None:
        where = "test nodes" if split else "nodes whose label is known"
        print(f"accuracy {accuracy:.4f} of the {where}", file=sys.stderr)
