"""`jumok evaluate` for captioners."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from jumok.cli.asked import Asked

if TYPE_CHECKING:
    from jumok.evaluation import Report


def evaluate_captions(asked: Asked) -> None:
    """Score captioners on the pictures of a split."""
    from jumok.systems.caption_evaluating import evaluate_captions as score
    from jumok.systems.caption_evaluating import pictures_of_split
    from jumok.systems.cards import keep_scores
    from jumok.systems.waiting import Waiting

    asked.refuse("a captioner", "--source", "--target", "--gold", "--language", "--by-length", "--edges")
    asked.refuse("a captioner", "--faithful", "--chart")
    told = pictures_of_split(asked.recipe, asked.split)
    data = asked.called(told.name)
    waiting = Waiting(asked.as_json)
    reports: dict[str, Report] = {}
    for name, folder in asked.models.items():
        with waiting(f"{name}: captioning {len(told.pictures):,} pictures of {data}"):
            captioner = asked.loaded(folder)
            reports[name], _ = score(captioner, told.pictures, asked.paper, **asked.searching)
        if asked.save:
            keep_scores(folder, reports[name], data, asked.searching)
    if asked.as_json:
        plain = {name: report.to_dict() for name, report in reports.items()}
        typer.echo(json.dumps({"data": data, "models": plain}, ensure_ascii=False, indent=2))
        return
    _show(reports, data)


def _show(reports: Mapping[str, Report], data: str) -> None:
    from rich.console import Console
    from rich.markup import escape

    from jumok.evaluation import side_by_side

    console = Console(highlight=False)
    for name, report in reports.items():
        console.print(f"[bold]{name}[/] on {data}, {report.sentences:,} pictures", markup=True)
        console.print(report.table())
        for warning in report.warnings:
            console.print(f"[yellow]{escape(warning)}[/]")
        console.print()
    if len(reports) > 1:
        console.print(side_by_side(reports))
