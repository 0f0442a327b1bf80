"""`jumok evaluate` for translators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from jumok.cli.asked import Asked
from jumok.cli.streams import check_folder

if TYPE_CHECKING:
    from jumok.data import TextPair
    from jumok.evaluation import Gold, Report
    from jumok.evaluation.faithfulness import ErasureRow
    from jumok.systems.pairs import Pairs

FAITHFUL_ON = 100
PERMUTED_ON = 20


def evaluate_translations(asked: Asked) -> None:
    """Score translators on pairs of sentences."""
    from jumok.evaluation import bleu, chrf, paper_bleu, ter
    from jumok.systems.cards import keep_scores
    from jumok.systems.evaluating import evaluate
    from jumok.systems.waiting import Waiting
    from jumok.viewing.charts import WRITERS
    from jumok.viewing.saving import writer_for

    if asked.chart is not None:
        check_folder(asked.chart, "--chart")
        writer_for(asked.chart, WRITERS)
    ends = _edges(asked.edges)
    told = _pairs(asked)
    language = asked.language or told.language
    if asked.paper and language is None:
        raise ValueError("--paper: give the target language, such as --language de")
    metrics = [*([paper_bleu] if asked.paper else []), bleu, chrf, ter]
    waiting = Waiting(asked.as_json)
    reports: dict[str, Report] = {}
    tests: dict[str, dict[str, Any]] = {}
    for name, folder in asked.models.items():
        with waiting(f"{name}: translating {len(told.pairs):,} sentences of {told.name}"):
            translator = asked.loaded(folder)
            reports[name], _ = evaluate(
                translator,
                told.pairs,
                metrics=metrics,
                language=language,
                edges=ends,
                golds=told.golds,
                labels=told.labels,
                **asked.searching,
            )
        if asked.faithful and reports[name].looks is not None:
            with waiting(f"{name}: erasing words"):
                tests[name] = _faithful(translator, told.pairs)
        if asked.save:
            keep_scores(folder, reports[name], told.name, asked.searching)
    if asked.chart is not None:
        _chart(reports, asked.chart)
    if asked.as_json:
        plain = {name: report.to_dict() | tests.get(name, {}) for name, report in reports.items()}
        typer.echo(json.dumps({"data": told.name, "models": plain}, ensure_ascii=False, indent=2))
        return
    _show(reports, tests, told.name, asked.by_length)


def _pairs(asked: Asked) -> Pairs:
    from jumok.evaluation import read_alignments
    from jumok.systems.pairs import pairs_of_files, pairs_of_split

    if (asked.source is None) != (asked.target is None):
        raise ValueError("give both --source and --target")
    if asked.source is not None and asked.target is not None:
        if asked.split is not None or asked.changes or asked.data is not None:
            raise ValueError("--source and --target are the data; leave out --data, --split and --set")
        told = pairs_of_files(asked.source, asked.target)
    else:
        told = pairs_of_split(asked.recipe, asked.split)
        told = told._replace(name=asked.called(told.name))
    if asked.gold is not None:
        golds: list[Gold] = read_alignments(asked.gold, asked.gold_first)
        if len(golds) != len(told.pairs):
            raise ValueError(f"{asked.gold}: has {len(golds):,} lines, but there are {len(told.pairs):,} pairs")
        told = told._replace(golds=golds, labels=None)
    return told


def _edges(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"--edges {text}: give numbers with commas, such as 10,20,30") from None


def _faithful(translator: Any, pairs: Sequence[TextPair]) -> dict[str, Any]:
    from jumok.systems.evaluating import faithfulness, permuted, sampled

    rows: list[ErasureRow] = faithfulness(translator, sampled(pairs, FAITHFUL_ON))
    chances = permuted(translator, sampled(pairs, PERMUTED_ON))
    return {"erasure": [dict(row.__dict__) for row in rows], "permutation": chances}


def _chart(reports: dict[str, Report], path: Path) -> None:
    from jumok.evaluation import length_chart

    length_chart({name: report.by_length for name, report in reports.items()}).save(path)


def _show(reports: dict[str, Report], tests: dict[str, dict[str, Any]], data: str, by_length: bool) -> None:
    from rich.console import Console

    from jumok.evaluation import length_table, side_by_side

    console = Console(highlight=False)
    for name, report in reports.items():
        console.print(f"[bold]{name}[/] on {data}, {report.sentences:,} sentences", markup=True)
        console.print(report.table())
        if report.alignment is not None and report.alignment.labels:
            labels = report.alignment.labels.items()
            told = ", ".join(f"{label} {score.error_rate:.1%}" for label, score in labels if score.links)
            console.print(f"alignment error by part of speech: {told}")
        for warning in report.warnings:
            console.print(f"[yellow]{warning}[/]")
        for row in tests.get(name, {}).get("erasure", ()):
            said = "matter more than" if row["low"] > 0 else "matter no more than"
            console.print(
                f"without {row['share']:.0%} of the source words, those looked at most: {row['attended']:.2f} nats less"
                f" likely; at random: {row['random']:.2f} (words looked at {said} others)"
            )
        if chances := tests.get(name, {}).get("permutation"):
            below = sum(chance < 0.05 for chance in chances)
            console.print(f"weights moved about: less likely in {below} of {len(chances)} sentences (p < .05)")
        console.print()
    if len(reports) > 1:
        console.print(side_by_side(reports))
        console.print()
    if by_length:
        console.print(length_table({name: report.by_length for name, report in reports.items()}, "words of reference"))
