"""Graph attention against PyTorch Geometric: forward and backward of one layer on a large random graph.

100,000 nodes of 64 features, 1,000,000 edges, 8 heads of 8, self-loops added by both, gradients of the nodes and of
the parameters. Both layers get the same parameters and must give the same result before anything is timed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, Literal

import torch
from measuring import Row, medians, peak_growth, peak_growth_elsewhere
from torch import Tensor

from jumok.attention import GraphAttention, prepare_edges
from jumok.attention.graph import DynamicScore, StaticScore

NODES, EDGES, SIZE, HEADS = 100_000, 1_000_000, 64, 8
PEERS = {1: "GATConv", 2: "GATv2Conv"}
GOALS = {1: 3.0, 2: 1.5}
WAYS = ("edges as a list", "edges prepared")


def layers(version: Literal[1, 2]) -> tuple[GraphAttention, Any]:
    """Ours and theirs with the same parameters."""
    from torch_geometric import nn as peers  # type: ignore[import-untyped]

    ours = GraphAttention(SIZE, SIZE // HEADS, HEADS, version=version)
    theirs = getattr(peers, PEERS[version])(SIZE, SIZE // HEADS, heads=HEADS)
    score = ours.score
    with torch.no_grad():
        if isinstance(score, StaticScore):
            theirs.lin.weight.copy_(score.weight.flatten(0, 1))
            theirs.att_src.copy_(score.source[None])
            theirs.att_dst.copy_(score.target[None])
        elif isinstance(score, DynamicScore) and score.target is not None:
            theirs.lin_l.weight.copy_(score.source.flatten(0, 1))
            theirs.lin_r.weight.copy_(score.target.flatten(0, 1))
            theirs.att.copy_(score.vector[None])
            theirs.lin_l.bias.zero_()  # the paper has none there
            theirs.lin_r.bias.zero_()
    return ours, theirs


def calls(version: Literal[1, 2], nodes: int = NODES, edges: int = EDGES) -> dict[str, Callable[[], Tensor]]:
    """What is measured, by name: each does forward and backward and returns the result."""
    torch.manual_seed(0)
    x = torch.randn(nodes, SIZE, requires_grad=True)
    pairs = torch.randint(nodes, (2, edges))
    prepared = prepare_edges(pairs, nodes)
    grad = torch.randn(nodes, SIZE)
    ours, theirs = layers(version)

    def both_ways(call: Callable[[], Tensor]) -> Callable[[], Tensor]:
        def forward_and_backward() -> Tensor:
            x.grad = None
            ours.zero_grad()
            theirs.zero_grad()
            result = call()
            result.backward(grad)
            return result.detach()

        return forward_and_backward

    return {
        WAYS[0]: both_ways(lambda: ours(x, pairs).context),
        WAYS[1]: both_ways(lambda: ours(x, prepared).context),
        "theirs": both_ways(lambda: theirs(x, pairs)),
    }


def graph_rows(alternations: int) -> Iterator[Row]:
    """Two rows of time and two of memory for GAT, and for GATv2."""
    versions: tuple[Literal[1, 2], ...] = (1, 2)
    for version in versions:
        measured = calls(version)
        expected = measured["theirs"]()
        for way in WAYS:
            torch.testing.assert_close(measured[way](), expected, rtol=1e-3, atol=1e-3)
        times = medians(measured, alternations)
        peer, goal = PEERS[version], GOALS[version]
        theirs = peak_growth_elsewhere(__file__, str(version), "theirs")
        for way in WAYS:
            name = f"GraphAttention version {version}, {way}"
            yield Row(name, f"PyG {peer}", times[way], times["theirs"], "ms", f">= {goal:g}x", goal)
            ours = peak_growth_elsewhere(__file__, str(version), way)
            yield Row(f"{name}, peak", f"PyG {peer}", ours, theirs, "MB", "<= 1/3", 3)


if __name__ == "__main__":
    _, _, number, name = sys.argv  # graphs.py memory VERSION NAME, called by graph_rows in a fresh process
    version: Literal[1, 2] = 1 if number == "1" else 2
    calls(version, 10, 20)[name]()  # loads what is needed
    print(peak_growth(calls(version)[name]))
