"""`jumok evaluate` for readers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from jumok.evaluation import Report

FAITHFUL_ON = 100


def evaluate_readers(
    model: Path,
    against: Sequence[Path],
    split: str | None,
    changes: Sequence[str],
    given: Mapping[str, Any],
    faithful: bool,
    save: bool,
    as_json: bool,
    device: str,
) -> None:
    """Score readers on a split; `given` are options for translators, none of which may be there."""
    from jumok.recipes.changing import parse_change
    from jumok.recipes.running import kept_recipe
    from jumok.systems.cards import keep_scores
    from jumok.systems.read_evaluating import evaluate, faithfulness, judged_by
    from jumok.systems.reader import Reader
    from jumok.systems.waiting import Waiting

    strange = [name for name, value in given.items() if value]
    if strange:
        raise ValueError(f"{strange[0]}: is for translators, and {model} holds a reader; leave it out")
    reader = Reader.load(model, device=device)
    judged = judged_by(kept_recipe(model, [parse_change(one) for one in changes]), split, reader.labels)
    waiting = Waiting(as_json)
    reports: dict[str, Report] = {}
    more: dict[str, dict[str, Any]] = {}
    for folder in (model, *against):
        name = folder.resolve().name
        name = str(folder) if name in reports else name
        with waiting(f"{name}: reading {len(judged.sequences):,} sequences of {judged.name}"):
            reader = Reader.load(folder, device=device)
            reports[name], looks, found = evaluate(reader, judged)
        more[name] = {} if looks is None else {"attention": looks.to_dict()}
        if faithful and reader.labels is not None:
            with waiting(f"{name}: erasing words"):
                rows = faithfulness(reader, found[:FAITHFUL_ON])
            more[name]["erasure"] = [dict(row.__dict__) for row in rows]
        if save:
            keep_scores(folder, reports[name], judged.name, {})
    if as_json:
        plain = {name: report.to_dict() | more[name] for name, report in reports.items()}
        typer.echo(json.dumps({"data": judged.name, "models": plain}, ensure_ascii=False, indent=2))
        return
    _show(reports, more, judged.name)


def _show(reports: Mapping[str, Report], more: Mapping[str, Mapping[str, Any]], data: str) -> None:
    from rich.console import Console

    from jumok.evaluation import side_by_side

    console = Console(highlight=False)
    for name, report in reports.items():
        console.print(f"[bold]{name}[/] on {data}, {report.sentences:,} sequences")
        console.print(report.table())
        if looks := more[name].get("attention"):
            console.print(
                f"attention: the largest weight is {looks['top']:.2f}, {looks['needed']:.1f} words have 90 % of it,"
                f" entropy {looks['entropy']:.2f} bits ({looks['relative_entropy']:.0%} of the highest)"
            )
            if looks["warning"]:
                console.print(f"[yellow]{looks['warning']}[/]")
        for row in more[name].get("erasure", ()):
            said = "matter more than" if row["low"] > 0 else "matter no more than"
            console.print(
                f"without {row['share']:.0%} of the words, those looked at most: {row['attended']:.2f} nats less"
                f" likely; at random: {row['random']:.2f} (words looked at {said} others)"
            )
        console.print()
    if len(reports) > 1:
        console.print(side_by_side(reports))
