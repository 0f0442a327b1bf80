"""Adding and multiplication without recurrence: how soon a reader solves them, beside Raffel & Ellis (2015).

Each row trains the recipe `adding` or `multiplication` for as many epochs (1,000 updates of 100 sequences) as the paper
needed, on three seeds, and says in which share of 1,000 other sequences the error is below .04; 100 % is success. The
rows of `mean`, the control without attention, get the same epochs. Then there are the memory at 10,000 steps, and one
model for all lengths from 50 to 10,000.

    python benchmarks/without_recurrence.py reading --out results            all rows, one after the other
    python benchmarks/without_recurrence.py reading --out results --only adding-50
    python benchmarks/without_recurrence.py reading --out results --show     the table so far

Rows that `results/reading.json` has are not run again, so it can be stopped at any time and started anew.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from measuring import machine, memory

import jumok

LENGTHS = (50, 100, 500, 1000)
PAPER = {  # epochs to 100 %, the best of four learning rates
    ("adding", "attention"): (1, 1, 1, 1),
    ("adding", "mean"): (1, 1, 1, 2),
    ("multiplication", "attention"): (1, 2, 4, 2),
    ("multiplication", "mean"): (2, 2, 8, 33),
}
LONG = {"model.attention.normalize.temperature": 4}  # as the recipe says, from 100 steps on
SEEDS = (11, 12, 13)  # the recipe was chosen on others, 1 to 5


class Job(NamedTuple):
    """One training run."""

    name: str
    problem: str
    changes: dict[str, Any]


def jobs() -> Iterator[Job]:
    """All runs: what matters most comes first."""
    for kind, seed in product(("attention", "mean"), SEEDS):
        for (place, length), problem in product(enumerate(LENGTHS), ("adding", "multiplication")):
            changes = {"data.length": length, "training.epochs": PAPER[problem, "attention"][place], "seed": seed}
            changes |= {"model.attention": "mean"} if kind == "mean" else LONG if length >= 100 else {}
            yield Job(f"{problem}-{length}-{kind}-{seed}", problem, changes)
    for problem in ("adding", "multiplication"):
        changes = {"data.length": 10_000, "data.held_out": 100, "data.sequences": 2000}
        yield Job(f"{problem}-10000-memory", problem, changes | LONG)
    for problem in ("adding", "multiplication"):
        lengths = {"data.length": 50, "data.longest": 10_000, "data.one_length": True, "batches.size": 20}
        yield Job(f"{problem}-50-to-10000", problem, lengths | {"data.sequences": 40_000} | LONG)


def done(job: Job, threads: int) -> dict[str, Any]:
    """Train, and say what came of it."""
    folder = Path(tempfile.mkdtemp(prefix="reading-"))
    start = time.monotonic()
    Path("/proc/self/clear_refs").write_text("5")  # the peak of memory is now what is held
    try:
        changes = job.changes | {"training.threads": threads, "training.checkpoint_minutes": None}
        run = jumok.train(job.problem, folder / "run", set=changes, quiet=True)
        if not run.outcome.finished:
            sys.exit(f"{job.name}: stopped; it starts anew the next time")
        lines = (folder / "run" / "metrics.jsonl").read_text("utf-8").splitlines()
        evaluations = [line["evaluation"] for line in map(json.loads, lines) if "evaluation" in line]
        accuracies = [figures["accuracy"] for figures in evaluations]
    finally:
        shutil.rmtree(folder)
    return {
        "accuracy": accuracies[-1],
        "accuracies": accuracies,
        "loss": evaluations[-1]["loss"],
        "best": dict(run.outcome.best),
        "seconds": round(time.monotonic() - start),
        "cpu_seconds": round(run.outcome.cpu_seconds),
        "peak_mb": round(memory("VmHWM")),
        "changes": job.changes,
    }


def shown(results: dict[str, Any]) -> str:
    """The table, ours beside the paper's."""
    head = "accuracy (the first epoch of 100 %; squared error) by seed"
    lines = [f"{'problem':16}{'steps':>7}  {'kind':10}{'epochs':>7}{'paper':>7}  {head}"]
    for (problem, kind), epochs in PAPER.items():
        for place, length in enumerate(LENGTHS):
            found = [results.get(f"{problem}-{length}-{kind}-{seed}") for seed in SEEDS]
            told = ", ".join("-" if one is None else _outcome(one) for one in found)
            ours = PAPER[problem, "attention"][place]
            lines.append(f"{problem:16}{length:7}  {kind:10}{ours:7}{epochs[place]:7}  {told}")
    for name, one in results.items():
        if name.endswith(("memory", "to-10000")):
            lines.append(f"{name}: accuracy {one['accuracy']:.1%}, peak {one['peak_mb']:,} MB, {one['seconds']} s")
    return "\n".join(lines)


def _outcome(one: dict[str, Any]) -> str:
    first = next((str(epoch) for epoch, accuracy in enumerate(one["accuracies"], 1) if accuracy == 1), "-")
    return f"{100 * one['accuracy']:.1f} ({first}; {one['loss']:.1e})"


def main(typed: Sequence[str]) -> None:
    """`reading --out FOLDER`."""
    parser = argparse.ArgumentParser(
        prog="without_recurrence.py reading", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for reading.json")
    parser.add_argument("--only", default="", help="rows whose name begins so")
    parser.add_argument("--threads", type=int, default=1, help="threads of torch (default 1)")
    parser.add_argument("--show", action="store_true", help="show what there is, and stop")
    arguments = parser.parse_args(typed)
    place = arguments.out / "reading.json"
    kept = json.loads(place.read_text("utf-8")) if place.exists() else {"machine": machine(), "rows": {}}
    if not arguments.show:
        arguments.out.mkdir(parents=True, exist_ok=True)
        for job in jobs():
            if job.name in kept["rows"] or not job.name.startswith(arguments.only):
                continue
            result = done(job, arguments.threads)
            kept = json.loads(place.read_text("utf-8")) if place.exists() else kept
            kept["rows"][job.name] = result
            place.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
            print(f"{job.name}: {result['accuracy']:.1%} in {result['seconds']} s", file=sys.stderr, flush=True)
    print(shown(kept["rows"]))
