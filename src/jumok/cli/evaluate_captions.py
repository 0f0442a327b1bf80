"""`jumok evaluate` for captioners."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from jumok.evaluation import Report


def evaluate_captions(
    model: Path,
    against: Sequence[Path],
    split: str | None,
    changes: Sequence[str],
    options: Mapping[str, Any],
    given: Mapping[str, Any],
    save: bool,
    as_json: bool,
    device: str,
) -> None:
    """Score captioners on the pictures of a split; `given` are options for text, none of which may be there."""
    from jumok.recipes.changing import parse_change
    from jumok.recipes.running import kept_recipe
    from jumok.systems import load
    from jumok.systems.caption_evaluating import evaluate_captions as score
    from jumok.systems.caption_evaluating import pictures_of_split
    from jumok.systems.cards import keep_scores
    from jumok.systems.waiting import Waiting

    strange = [name for name, value in given.items() if value]
    if strange:
        raise ValueError(f"{strange[0]}: is for text, and {model} holds a captioner; leave it out")
    told = pictures_of_split(kept_recipe(model, [parse_change(one) for one in changes]), split)
    waiting = Waiting(as_json)
    reports: dict[str, Report] = {}
    for folder in (model, *against):
        name = folder.resolve().name
        name = str(folder) if name in reports else name
        with waiting(f"{name}: captioning {len(told.pictures):,} pictures of {told.name}"):
            reports[name], _ = score(load(folder, device=device), told.pictures, **options)
        if save:
            keep_scores(folder, reports[name], told.name, options)
    if as_json:
        plain = {name: report.to_dict() for name, report in reports.items()}
        typer.echo(json.dumps({"data": told.name, "models": plain}, ensure_ascii=False, indent=2))
        return
    _show(reports, told.name)


def _show(reports: Mapping[str, Report], data: str) -> None:
    from rich.console import Console

    from jumok.evaluation import side_by_side

    console = Console(highlight=False)
    for name, report in reports.items():
        console.print(f"[bold]{name}[/] on {data}, {report.sentences:,} pictures", markup=True)
        console.print(report.table())
        for warning in report.warnings:
            console.print(f"[yellow]{warning}[/]")
        console.print()
    if len(reports) > 1:
        console.print(side_by_side(reports))
