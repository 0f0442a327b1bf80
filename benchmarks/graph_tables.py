"""The graph classifier: Cora over several seeds, its training beside PyTorch Geometric's GAT, dictionaries to look up.

    OMP_NUM_THREADS=1 python benchmarks/without_recurrence.py cora FILE.npz --seeds 20
    OMP_NUM_THREADS=1 python benchmarks/without_recurrence.py time FILE.npz --updates 200 --alternations 5
    OMP_NUM_THREADS=1 python benchmarks/without_recurrence.py lookup --sizes 10 50 100

FILE.npz is Cora as docs/graphs.md makes it. `time` needs torch_geometric. Both sides have the recipe's settings: two
layers, 8 heads of 8, then 1, dropout 0.6 on features and weights, L2 0.0005, Adam at 0.005, the whole graph at every
update, figures on the validation nodes after every 10, and the best of these weights kept. A run is timed as a whole:
ours reads the file, writes checkpoints and ends in a model folder; theirs reads the file and keeps its best weights in
memory.
"""

from __future__ import annotations

import argparse
import copy
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any, NamedTuple

import numpy as np
import torch
from measuring import machine
from torch.nn import functional

import jumok
from jumok.data.graphs import lookup, read_npz

EVERY = 10


class Run(NamedTuple):
    """How good a run was on the test nodes, and how long it took."""

    accuracy: float
    seconds: float
    cpu_seconds: float


def timed(run: Callable[[], float]) -> Run:
    """A run that returns its accuracy."""
    start, cpu = time.perf_counter(), time.process_time()
    accuracy = run()
    return Run(accuracy, time.perf_counter() - start, time.process_time() - cpu)


def ours(path: Path, seed: int, **more: Any) -> float:
    """Train the recipe `cora`, open the model folder, and classify the test nodes."""
    with tempfile.TemporaryDirectory() as folder:
        changes = {"data.path": str(path), "seed": seed, "training.threads": 1, **more}
        trained = jumok.train("cora", Path(folder) / "model", set=changes, quiet=True).folder
        accuracy = jumok.load(trained)(path).accuracy("test")
    assert accuracy is not None
    return float(accuracy)


def theirs(path: Path, seed: int, updates: int) -> float:
    """The same network of PyTorch Geometric's layers, in the loop of its own example."""
    from torch_geometric.nn import GATConv  # type: ignore[import-untyped]

    graph = read_npz(path)
    features = torch.from_numpy(graph.features.normalized().dense())
    labels = torch.from_numpy(graph.labels)
    pairs = torch.from_numpy(np.concatenate([graph.edges, graph.edges[:, ::-1]]).T.copy())
    train, validation, test = (torch.from_numpy(graph.splits[name]) for name in ("train", "validation", "test"))
    torch.manual_seed(seed)
    first = GATConv(features.shape[1], 8, heads=8, dropout=0.6)
    second = GATConv(64, len(graph.classes), heads=1, concat=False, dropout=0.6)
    layers = torch.nn.ModuleList([first, second])
    optimizer = torch.optim.Adam(layers.parameters(), lr=0.005, weight_decay=5e-4)

    def logits() -> torch.Tensor:
        hidden = functional.elu(first(functional.dropout(features, 0.6, layers.training), pairs))
        found: torch.Tensor = second(functional.dropout(hidden, 0.6, layers.training), pairs)
        return found

    best, kept = float("inf"), copy.deepcopy(layers.state_dict())
    for update in range(1, updates + 1):
        layers.train()
        optimizer.zero_grad()
        functional.cross_entropy(logits()[train], labels[train]).backward()
        optimizer.step()
        if update % EVERY == 0:
            layers.eval()
            with torch.no_grad():
                loss = float(functional.cross_entropy(logits()[validation], labels[validation]))
            if loss < best:
                best, kept = loss, copy.deepcopy(layers.state_dict())
    layers.load_state_dict(kept)
    layers.eval()
    with torch.no_grad():
        return float((logits()[test].argmax(-1) == labels[test]).float().mean())


def spread(values: list[float]) -> str:
    """Mean and standard deviation in per cent."""
    deviation = f" +- {100 * stdev(values):.2f}" if len(values) > 1 else ""
    return f"{100 * mean(values):.2f}{deviation} %"


def cora(path: Path, seeds: int) -> None:
    """Accuracy on the test nodes over seeds, as the recipe has it."""
    runs = []
    for seed in range(1, seeds + 1):
        runs.append(timed(lambda seed=seed: ours(path, seed)))  # type: ignore[misc]
        print(f"seed {seed}: {100 * runs[-1].accuracy:.1f} % ({runs[-1].cpu_seconds:.0f} s of CPU time)", flush=True)
    print(f"cora, {seeds} seeds: {spread([run.accuracy for run in runs])} of the 1,000 test nodes")


def beside(path: Path, updates: int, alternations: int) -> None:
    """The time of a training run beside PyTorch Geometric's; they take turns."""
    runs: dict[str, list[Run]] = {"jumok": [], "PyTorch Geometric": []}
    set_up = {"training.updates": updates, "training.patience": None}
    ours(path, 0, **set_up | {"training.updates": 1})  # loads what is needed
    theirs(path, 0, 1)
    for seed in range(1, alternations + 1):
        runs["jumok"].append(timed(lambda seed=seed: ours(path, seed, **set_up)))  # type: ignore[misc]
        runs["PyTorch Geometric"].append(timed(lambda seed=seed: theirs(path, seed, updates)))  # type: ignore[misc]
        for name, found in runs.items():
            print(f"seed {seed}, {name}: {found[-1].seconds:.2f} s, {100 * found[-1].accuracy:.1f} %", flush=True)
    for name, found in runs.items():
        times = f"{median(run.seconds for run in found):.2f} s, {median(run.cpu_seconds for run in found):.2f} s of CPU"
        print(f"{name:18} {updates} updates: {times}; {spread([run.accuracy for run in found])}")
    first, second = runs.values()
    for what in ("seconds", "cpu_seconds"):
        ratio = median(getattr(run, what) for run in second) / median(getattr(run, what) for run in first)
        print(f"{what}: {ratio:.2f}x as fast")


def dictionaries(sizes: list[int]) -> None:
    """The share of right answers on dictionaries never trained on, GATv2 and GAT."""
    for size in sizes:
        for name in ("gatv2", "gat"):
            changes = {"data.size": size, "model.attention": name, "training.threads": 1}
            changes |= {} if name == "gatv2" else {"model.share_weights": False}
            with tempfile.TemporaryDirectory() as folder:
                start = time.process_time()
                run = jumok.train("lookup", Path(folder) / "model", set=changes, quiet=True)
                taken = time.process_time() - start
                graph = lookup(size, range(1000, 1100), held_out=True)
                prediction = jumok.load(run.folder)(graph)
            print(
                f"lookup, k = {size}, {name}: {100 * prediction.accuracy():.2f} % of {100 * size:,} queries"
                f" ({taken:.0f} s of CPU time)",
                flush=True,
            )


def main(typed: Sequence[str]) -> None:
    """`cora FILE`, `time FILE`, `lookup`."""
    parser = argparse.ArgumentParser(
        prog="without_recurrence.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(dest="what", required=True)
    for name in ("cora", "time"):
        what.add_parser(name).add_argument("path", type=Path)
    what.choices["cora"].add_argument("--seeds", type=int, default=20)
    what.choices["time"].add_argument("--updates", type=int, default=200)
    what.choices["time"].add_argument("--alternations", type=int, default=5)
    what.add_parser("lookup").add_argument("--sizes", type=int, nargs="+", default=[10, 50, 100])
    asked = parser.parse_args(typed)
    print(machine())
    if asked.what == "cora":
        cora(asked.path.resolve(), asked.seeds)
    elif asked.what == "time":
        beside(asked.path.resolve(), asked.updates, asked.alternations)
    else:
        dictionaries(asked.sizes)
