"""The bAbI tasks, learned together: several seeds, the best by training error, the spread of all, and the hops.

    python benchmarks/without_recurrence.py babi RUNS --data FOLDER               # trains, then the table
    python benchmarks/without_recurrence.py babi RUNS --data FOLDER --only-table  # the runs that have ended

RUNS gets a folder `seed-N` for each of the recipe `babi`'s seeds. A run that was stopped goes on where it was; one that
has ended is not trained again. FOLDER holds the tasks (qa1_..._train.txt and so on: bAbI v1.0, en, 1,000 questions).

The bar is Sukhbaatar et al. 2015, table 1, MemN2N with position encoding, linear start and random noise, three hops,
trained jointly: the best of ten seeds by training error has a mean error of 12.4 %, and 11 tasks above 5 %.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

import jumok
from jumok.core.files import write_whole
from jumok.data.stories.opening import open_story_split
from jumok.recipes.running import kept_recipe

BAR_ERROR, BAR_FAILED = 12.4, 11


class Measured(NamedTuple):
    """What a run came to, in percent."""

    name: str
    train_error: float
    report: dict[str, Any]

    @property
    def error(self) -> float:
        return 100 * float(self.report["mean_error"])


def train(folder: Path, data: Path, seed: int, changes: dict[str, Any]) -> None:
    """Train a seed, or go on with it; one that is interrupted ends all."""
    resume = (folder / "recipe.yaml").exists()
    done = jumok.train("babi", folder, set={"data.root": str(data), "seed": seed, **changes}, resume=resume)
    if not done.outcome.finished:
        sys.exit(130)


def ended(folder: Path) -> bool:
    """Whether a run has come to its end."""
    state = folder / "checkpoints" / "state.json"
    return state.exists() and json.loads(state.read_text("utf-8"))["finished"] is not None


def measure(folder: Path, data: Path) -> Measured:
    """The figures of a run that has ended, kept beside it."""
    kept = folder / "babi.json"
    if not kept.exists():
        recipe = kept_recipe(folder)
        settings = recipe.data.model_copy(update={"root": str(data)})
        answerer = jumok.load(folder)
        train_error = answerer.evaluate(open_story_split(settings, "train")[1]).mean_error
        report = answerer.evaluate(open_story_split(settings, "test")[1]).to_dict()
        write_whole(kept, json.dumps({"train_error": 100 * train_error, "report": report}, indent=2) + "\n")
    return Measured(folder.name, **json.loads(kept.read_text("utf-8")))


def table(runs: list[Measured]) -> str:
    """The runs, the best one task by task, and the bar."""
    lines = ["run        train error %   test error %   tasks above 5 %"]
    for run in runs:
        lines.append(f"{run.name:10} {run.train_error:13.2f} {run.error:14.2f} {run.report['failed']:17}")
    errors = [run.error for run in runs]
    spread = f" +- {stdev(errors):.2f}" if len(errors) > 1 else ""
    lines.append(f"all {len(runs)}: {mean(errors):.2f}{spread}, from {min(errors):.2f} to {max(errors):.2f}")
    best = min(runs, key=lambda run: run.train_error)
    met = best.error <= BAR_ERROR and best.report["failed"] <= BAR_FAILED
    lines.append(
        f"best by training error: {best.name}, {best.error:.2f} % and {best.report['failed']} tasks; "
        f"the bar {BAR_ERROR} % and {BAR_FAILED}: {'met' if met else 'NOT met'}\n"
    )
    hops = "".join(f"{f'hop {number}':>8}" for number in range(1, len(best.report["tasks"][0]["hits"]) + 1))
    lines.append(f"{best.name + ', facts looked at most, %':36}{'error %':>8}{hops}{'any':>8}{'all':>8}")
    for task in best.report["tasks"]:
        shares = [*task["hits"], task["any_hit"], task["all_facts"]]
        told = "".join(f"{100 * share:8.1f}" if share is not None else f"{'':8}" for share in shares)
        lines.append(f"{task['task']:36}{100 * task['error']:8.1f}{told}")
    return "\n".join(lines)


def main(typed: Sequence[str]) -> None:
    """`babi RUNS --data FOLDER`."""
    parser = argparse.ArgumentParser(
        prog="without_recurrence.py babi", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, help="where the runs are, or go")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the tasks")
    parser.add_argument("--seeds", type=int, default=10, help="how many")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--only-table", action="store_true", help="train nothing")
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE", help="as in jumok train")
    asked = parser.parse_args(typed)
    changes = {name: json.loads(value) for name, _, value in (one.partition("=") for one in asked.set)}
    seeds = range(asked.first, asked.first + asked.seeds)
    folders = [asked.runs / f"seed-{seed}" for seed in seeds]
    if not asked.only_table:
        asked.runs.mkdir(parents=True, exist_ok=True)
        for seed, folder in zip(seeds, folders, strict=True):
            if not ended(folder):
                train(folder, asked.data.resolve(), seed, changes)
    runs = [measure(folder, asked.data) for folder in folders if ended(folder)]
    print(table(runs) if runs else "no run has ended yet")
