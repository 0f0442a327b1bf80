"""The report: every figure is in the table and in the JSON; the room is light to import."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import replace

from rich.console import Console, RenderableType

from jumok import evaluation
from jumok.evaluation import (
    Report,
    Score,
    attention_alignment,
    bleu,
    by_length,
    chrf,
    diagnose,
    length_table,
    side_by_side,
)
from jumok.viewing.map import AttentionMap

from .looks_to_score import gold_columns, look_at, pairs

TARGETS = [pair.target for pair in pairs()]
OUTPUTS = [target.replace("the", "a") for target in TARGETS]
LENGTHS = [len(pair.source.split()) for pair in pairs()]


def report(looks: list[AttentionMap]) -> Report:
    return Report(
        sentences=len(TARGETS),
        scores=(bleu(OUTPUTS, TARGETS, interval=True), chrf(OUTPUTS, TARGETS), Score("perplexity", float("inf"))),
        by_length=tuple(by_length(OUTPUTS, TARGETS, LENGTHS)),
        alignment=attention_alignment(looks, [pair.sure for pair in pairs()], [pair.possible for pair in pairs()]),
        looks=diagnose(looks),
    )


def shown(table: RenderableType, width: int = 160) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(table)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_every_figure_is_shown() -> None:
    found = report([look_at(pair, gold_columns(pair)) for pair in pairs()])
    text = shown(found.table())
    for score in found.scores:
        assert score.name in text
        assert score.signature in text
    for name in ("alignment error", "1 word later", "1 word earlier", "entropy of attention", "weight on the end"):
        assert name in text
    assert found.warnings == ()
    twice = Report(1, (found.scores[0], replace(found.scores[0], name="again"), Score("short", 1.0, "n:1")))
    lines = shown(twice.table()).splitlines()
    assert [line.split()[-1] for line in lines] == ["signature", "[1]", "[1]", "n:1", found.scores[0].signature]


def test_plain_values_are_json() -> None:
    found = report([look_at(pair, gold_columns(pair)) for pair in pairs()])
    values = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert values["sentences"] == len(TARGETS)
    assert [score["name"] for score in values["scores"]] == ["BLEU", "chrF2", "perplexity"]
    assert values["scores"][2]["value"] is None
    assert values["alignment"]["best_shift"] == 0
    assert sum(row["sentences"] for row in values["by_length"]) == len(TARGETS)
    assert values["attention"]["warning"] is None
    assert set(Report(1, ()).to_dict()) == {"sentences", "scores"}


def test_a_warning_is_passed_on() -> None:
    dead = [look_at(pair, [0] * len(pair.target.split())) for pair in pairs()]
    found = report(dead)
    assert found.warnings == (found.looks.warning,)  # type: ignore[union-attr]


def test_models_side_by_side() -> None:
    reports = {"one [b]": Report(40, (bleu(OUTPUTS, TARGETS),)), "two": Report(40, (chrf(TARGETS, TARGETS),))}
    lines = shown(side_by_side(reports)).splitlines()
    assert lines[0].split() == ["model", "sentences", "BLEU", "chrF2"]
    assert lines[1].startswith("one [b]")
    assert lines[2].split() == ["two", "40", "100.00"]


def unfolded(text: str, column: slice) -> str:
    """What stands in a column, line after line, without the blanks of folding."""
    return "".join(line[column].strip() for line in text.splitlines())


def test_nothing_is_cut_in_a_terminal_of_80_columns() -> None:
    found = report([look_at(pair, gold_columns(pair)) for pair in pairs()])
    text = shown(found.table(), 80)
    assert "…" not in text
    assert all(len(line) <= 80 for line in text.splitlines())
    for score in found.scores:
        assert score.signature in unfolded(text, slice(5, None))
    names = ["with-attention-and-a-rather-long-name", "without", "a-third-one"]
    scores = (*found.scores[:2], bleu(OUTPUTS, TARGETS, interval=True), chrf(OUTPUTS, TARGETS, interval=True))
    renamed = tuple(replace(score, name=f"{score.name}{place}") for place, score in enumerate(scores))
    both = {name: replace(found, scores=renamed) for name in names}
    text = shown(side_by_side(both), 80)
    by_size = shown(length_table(dict.fromkeys(names, found.by_length), "words of reference"), 80)
    assert "…" not in text + by_size
    models = slice(0, text.splitlines()[0].index("sentences"))
    assert unfolded(text, models) == "model" + "".join(names)
    for score in renamed:
        assert f"{score.value:.2f}" in text
    for row in found.by_length:
        assert f"{row.score.value:.2f}" in by_size


def test_every_name_is_there() -> None:
    for name in evaluation.__all__:
        assert getattr(evaluation, name).__doc__


def test_the_room_is_light_to_import() -> None:
    code = "import sys, jumok.evaluation as e; e.bleu; print({'torch', 'sacrebleu', 'matplotlib'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
