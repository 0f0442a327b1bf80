"""Graph attention against PyTorch Geometric: forward and backward of one layer on a large random graph.

100,000 nodes of 64 features, 1,000,000 edges, 8 heads of 8, self-loops added by both, gradients of the nodes and of
the parameters. Both layers get the same parameters and must give the same result before anything is timed. Times
alternate; memory is the growth of the peak in a fresh process.

    python benchmarks/_graph.py [alternations]
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Literal

import torch
from torch import Tensor

from jumok.attention.edges import prepare_edges
from jumok.attention.graph import DynamicScore, GraphAttention, StaticScore

NODES, EDGES, SIZE, HEADS = 100_000, 1_000_000, 64, 8
NAMES = {1: "GAT", 2: "GATv2"}
GOALS = {1: 3.0, 2: 1.5}  # times as fast; with a third of the memory
WAYS = ("edges sorted at each call", "edges prepared")


def layers(version: Literal[1, 2]) -> tuple[GraphAttention, Any]:
    """Ours and theirs with the same parameters."""
    from torch_geometric.nn import GATConv, GATv2Conv  # type: ignore[import-untyped]

    ours = GraphAttention(SIZE, SIZE // HEADS, HEADS, version=version)
    theirs = (GATConv if version == 1 else GATv2Conv)(SIZE, SIZE // HEADS, heads=HEADS)
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


def runs(version: Literal[1, 2], nodes: int, edges: int) -> dict[str, Callable[[], Tensor]]:
    """What is measured, by name: each does forward and backward and returns the result."""
    torch.manual_seed(0)
    x = torch.randn(nodes, SIZE, requires_grad=True)
    pairs = torch.randint(nodes, (2, edges))
    prepared = prepare_edges(pairs, nodes)
    grad = torch.randn(nodes, SIZE)
    ours, theirs = layers(version)

    def run(call: Callable[[], Tensor]) -> Callable[[], Tensor]:
        def forward_and_backward() -> Tensor:
            x.grad = None
            ours.zero_grad()
            theirs.zero_grad()
            result = call()
            result.backward(grad)
            return result.detach()

        return forward_and_backward

    return {
        WAYS[0]: run(lambda: ours(x, pairs).context),
        WAYS[1]: run(lambda: ours(x, prepared).context),
        "theirs": run(lambda: theirs(x, pairs)),
    }


def times(version: Literal[1, 2], alternations: int) -> dict[str, float]:
    """Medians in milliseconds."""
    measured: dict[str, list[float]] = {}
    calls = runs(version, NODES, EDGES)
    expected = calls["theirs"]()
    for way in WAYS:
        torch.testing.assert_close(calls[way](), expected, rtol=1e-3, atol=1e-3)
    names = list(calls)
    for turn in range(alternations):
        for name in names[turn % 3 :] + names[: turn % 3]:  # each goes first in its turn: the first pays for pages
            start = time.perf_counter()
            calls[name]()
            measured.setdefault(name, []).append(1000 * (time.perf_counter() - start))
    return {name: median(values) for name, values in measured.items()}


def peak() -> float:
    """The most memory that this process has held, in MB (Linux; `getrusage` would count the parent's peak)."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def peak_growth(version: Literal[1, 2], name: str) -> float:
    """By how many MB the peak of this process grows during one call, after a tiny one has loaded what is needed."""
    runs(version, 10, 20)[name]()
    call = runs(version, NODES, EDGES)[name]
    before = peak()
    call()
    return peak() - before


def peak_growth_elsewhere(version: Literal[1, 2], name: str) -> float:
    """The same in a fresh process."""
    command = [sys.executable, __file__, "memory", str(version), name]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def rows(alternations: int) -> list[dict[str, Any]]:
    """A row for each version and way: times in ms, how many times as fast, peak memory in MB, and the goal."""
    result = []
    versions: tuple[Literal[1, 2], ...] = (1, 2)
    for version in versions:
        ms = times(version, alternations)
        theirs_mb = peak_growth_elsewhere(version, "theirs")
        result += [
            {
                "name": f"{NAMES[version]}, {way}",
                "ours_ms": ms[way],
                "theirs_ms": ms["theirs"],
                "ratio": ms["theirs"] / ms[way],
                "ours_mb": peak_growth_elsewhere(version, way),
                "theirs_mb": theirs_mb,
                "goal": GOALS[version],
            }
            for way in WAYS
        ]
    return result


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["memory"]:
        print(peak_growth(2 if arguments[1] == "2" else 1, arguments[2]))
        return
    for row in rows(int(arguments[0]) if arguments else 9):
        numbers = (f"{key} {value:.4g}" for key, value in row.items() if key != "name")
        print(f"{row['name']:35} {'  '.join(numbers)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
