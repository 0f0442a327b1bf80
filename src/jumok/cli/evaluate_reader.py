"""`jumok evaluate` for readers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from jumok.cli.asked import Asked

if TYPE_CHECKING:
    from pathlib import Path

    from jumok.evaluation import Report
    from jumok.systems.reader import Reader

FAITHFUL_ON = 100


def evaluate_readers(asked: Asked) -> None:
    """Score readers on a split."""
    from jumok.systems.cards import keep_scores
    from jumok.systems.read_evaluating import evaluate, faithfulness, judged_by
    from jumok.systems.reader import Reader
    from jumok.systems.waiting import Waiting

    asked.refuse(
        "a reader", "--source", "--target", "--gold", "--language", "--paper", "--by-length", "--edges", "--chart"
    )
    asked.refuse("a reader", "--search", "--with")
    reader = Reader.load(asked.model, device=asked.device)
    if reader.sees or reader.labels is None:
        asked.refuse(f"a reader {'of pictures' if reader.sees else 'that tells numbers'}", "--faithful")
    judged = judged_by(asked.recipe, asked.split, reader.labels)
    data = asked.called(judged.name)
    waiting = Waiting(asked.as_json)
    reports: dict[str, Report] = {}
    more: dict[str, dict[str, Any]] = {}
    for name, folder in asked.models.items():
        with waiting(f"{name}: reading {len(judged.sequences):,} of {data}"):
            reader = _like(Reader.load(folder, device=asked.device), reader, folder, asked.model)
            reports[name], looks, found = evaluate(reader, judged)
        more[name] = {} if looks is None else {"attention": looks.to_dict()}
        if asked.faithful:
            with waiting(f"{name}: erasing words"):
                rows = faithfulness(reader, found[:FAITHFUL_ON])
            more[name]["erasure"] = [dict(row.__dict__) for row in rows]
        if asked.save:
            keep_scores(folder, reports[name], data, {})
    if asked.as_json:
        plain = {name: report.to_dict() | more[name] for name, report in reports.items()}
        typer.echo(json.dumps({"data": data, "models": plain}, ensure_ascii=False, indent=2))
        return
    called = ("pictures", "regions") if reader.sees else ("texts", "words") if reader.tokenizer else ("series", "steps")
    _show(reports, more, data, called)


def _like(reader: Reader, first: Reader, folder: Path, model: Path) -> Reader:
    """A reader that can be judged by what the first one is judged by."""

    def told(one: Reader) -> tuple[object, ...]:
        return one.sees, one.tokenizer is None, one.features, None if one.labels is None else set(one.labels)

    if told(reader) != told(first):
        raise ValueError(f"--against {folder}: does not read what {model} reads, or tells other labels; leave it out")
    return reader


def _show(
    reports: Mapping[str, Report], more: Mapping[str, Mapping[str, Any]], data: str, called: tuple[str, str]
) -> None:
    from rich.console import Console

    from jumok.evaluation import side_by_side

    console = Console(highlight=False)
    for name, report in reports.items():
        console.print(f"[bold]{name}[/] on {data}, {report.sentences:,} {called[0]}")
        console.print(report.table())
        if looks := more[name].get("attention"):
            console.print(
                f"attention: the largest weight is {looks['top']:.2f}, {looks['needed']:.1f} {called[1]} have 90 % of"
                f" it, entropy {looks['entropy']:.2f} bits ({looks['relative_entropy']:.0%} of the highest)"
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
