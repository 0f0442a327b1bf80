"""`jumok train`: run a recipe, and say what came of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jumok.cli.completing import recipe_names
from jumok.cli.options import Changes

if TYPE_CHECKING:
    from jumok.recipes.running import Run


def train(
    recipe: Annotated[
        str | None,
        typer.Argument(
            help="One of 'jumok recipes', or a file of yours.",
            metavar="RECIPE",
            show_default=False,
            autocompletion=recipe_names,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Where the model goes; runs/RECIPE without it.", show_default=False
        ),
    ] = None,
    *,
    changes: Changes,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in the folder; RECIPE may then be left out.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress, only the summary.")] = False,
) -> None:
    """Train a model.

    \b
    jumok train korean                        the first run; needs no data
    jumok train mine.yaml --set training.updates=500
    jumok train --resume --out runs/korean    go on after Ctrl-C or a crash
    """
    from jumok.recipes.changing import parse_change
    from jumok.recipes.running import run
    from jumok.training.processes import rank_and_world

    try:
        done = run(recipe, out, [parse_change(one) for one in changes], resume, quiet)
    except KeyboardInterrupt as stop:
        print(f"jumok: {stop}", file=sys.stderr)
        raise typer.Exit(130) from None
    if not done.outcome.finished:
        raise typer.Exit(130)
    if rank_and_world().is_first:
        typer.echo(summary(done))


def summary(done: Run) -> str:
    """The end of a run in a few lines: its best figures, its folder, and how to train longer."""
    from jumok.training.progress import duration, figures_in_words

    outcome = done.outcome
    best = figures_in_words(outcome.best)
    took = f"{duration(outcome.seconds)} ({duration(outcome.cpu_seconds)} of CPU time, data included)"
    lines = [
        f"done: {outcome.update:,} updates in {took}" + (f"; best: {best}" if best else ""),
        f"the model is in {done.folder}",
        f"to train longer: jumok train --resume --out {done.folder} --set training.{outcome.reason}=...",
    ]
    return "\n".join(lines)
