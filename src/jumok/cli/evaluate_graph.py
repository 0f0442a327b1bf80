"""`jumok evaluate` for graph classifiers."""

from __future__ import annotations

import json
from typing import Literal, get_args

import typer

from jumok.cli.asked import Asked

Split = Literal["test", "validation"]


def evaluate_graphs(asked: Asked) -> None:
    """Loss and accuracy on the nodes of a split."""
    from jumok.data.graphs import open_graphs
    from jumok.systems.graphs import GraphTask
    from jumok.systems.node_classifier import NodeClassifier

    asked.refuse("a graph classifier", "--source", "--target", "--gold", "--language", "--paper", "--by-length")
    asked.refuse("a graph classifier", "--edges", "--faithful", "--chart", "--save", "--search", "--with")
    splits: tuple[Split, ...] = get_args(Split)
    if asked.split not in (None, *splits):
        raise ValueError(f"--split {asked.split}: give {' or '.join(splits)}")
    source = open_graphs(asked.recipe.data)
    counts = {name: sum(len(part.nodes) for part in source.held_out(name)) for name in splits}
    which = next((name for name in splits if counts[name] and asked.split in (None, name)), None)
    if which is None:
        raise ValueError(f"{asked.model}: its graph has no {asked.split or 'test'} nodes")
    figures = {}
    for name, folder in asked.models.items():
        classifier = NodeClassifier.load(folder, device=asked.device)
        if classifier.classes != source.classes:
            raise ValueError(f"{folder}: knows other classes than the graph of {asked.called(str(asked.model))}")
        network = classifier.network
        figures[name] = GraphTask(network, source, next(network.parameters()).device).tested(which)
    if asked.as_json:
        typer.echo(json.dumps({"data": which, "nodes": counts[which], "models": figures}, ensure_ascii=False, indent=2))
        return
    for name, found in figures.items():
        told = ", ".join(f"{figure} {value:.4f}" for figure, value in found.items())
        typer.echo(f"{name} on {counts[which]:,} {which} nodes: {told}")
