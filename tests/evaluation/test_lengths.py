"""Scores by length: bins hold every sentence once, and several models stand side by side."""

from __future__ import annotations

import io
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from rich.console import Console

from jumok.evaluation import LengthRow, bleu, by_length, chrf, length_chart, length_table, word_counts
from jumok.evaluation.lengths import bins

LENGTHS = some.lists(some.integers(0, 3000), min_size=1, max_size=400)


def corpus(count: int = 400, seed: int = 0) -> tuple[list[str], list[str]]:
    """Outputs that lose more words the longer the sentence is, and their references."""
    dice = random.Random(seed)
    references = [" ".join(dice.choice("abcdefg") * 2 for _ in range(dice.randint(1, 40))) for _ in range(count)]
    outputs = []
    for text in references:
        words = text.split()
        outputs.append(" ".join(word for word in words if dice.random() > len(words) / 80))
    return outputs, references


@given(LENGTHS)
def test_automatic_bins_hold_every_length_once(lengths: list[int]) -> None:
    found = bins(lengths)
    for length in lengths:
        assert sum(first <= length <= last for first, last in found) == 1
    assert all(before[1] + 1 == after[0] for before, after in pairwise(found))
    assert len(found) <= 9
    if len(found) > 1:
        assert all(sum(first <= length <= last for length in lengths) >= 30 for first, last in found)


@given(LENGTHS, some.sets(some.integers(1, 3000), min_size=1, max_size=6))
def test_given_edges_hold_every_length_once(lengths: list[int], edges: set[int]) -> None:
    found = bins(lengths, sorted(edges))
    for length in lengths:
        assert sum(first <= length <= last for first, last in found) == 1


def test_bins_are_round_and_of_one_width() -> None:
    assert bins([length for length in range(1, 41) for _ in range(10)]) == [(n + 1, n + 5) for n in range(0, 40, 5)]
    assert bins([length for length in range(1, 78) for _ in range(10)])[-1] == (71, 80)
    assert bins([3, 4]) == [(1, 4)]


def test_rows_are_scores_of_their_sentences() -> None:
    outputs, references = corpus()
    lengths = word_counts(references)
    rows = by_length(outputs, references, lengths)
    assert sum(row.sentences for row in rows) == len(outputs)
    for row in rows:
        chosen = [number for number, length in enumerate(lengths) if row.shortest <= length <= row.longest]
        alone = bleu([outputs[number] for number in chosen], [references[number] for number in chosen], interval=True)
        assert row.score == alone
        assert row.shortest <= row.mean_length <= row.longest
    assert rows[0].score.value > rows[-1].score.value + 20


def test_edges_metric_and_language_are_used() -> None:
    outputs, references = corpus()
    rows = by_length(outputs, references, word_counts(references), edges=(10, 25), metric=chrf)
    assert [row.label for row in rows] == ["1-10", "11-25", f"26-{max(word_counts(references))}"]
    assert {row.score.name for row in rows} == {"chrF2"}
    korean = by_length(outputs, references, word_counts(references), edges=(10,), language="zh")
    assert all("tok:zh" in row.score.signature for row in korean)


def test_a_bin_without_sentences_has_no_row() -> None:
    rows = by_length(["a b", "c d"], ["a b", "c d"], [2, 30], edges=(5, 10, 20))
    assert [(row.label, row.sentences) for row in rows] == [("1-5", 1), ("21-30", 1)]


def test_models_side_by_side(tmp_path: Path) -> None:
    outputs, references = corpus()
    lengths = word_counts(references)
    models = {"good [a]": by_length(references, references, lengths), "bad": by_length(outputs, references, lengths)}
    console = Console(file=io.StringIO(), width=120)
    console.print(length_table(models))
    text = console.file.getvalue()
    assert "good [a]" in text
    assert "100.00 (100.00 to 100.00)" in text
    assert len(text.splitlines()) == 1 + len(models["bad"])
    chart = length_chart(models, unit="reference words")
    assert [series.name for series in chart.series] == list(models)
    assert [point.y for point in chart.series[1].points] == [row.score.value for row in models["bad"]]
    chart.save(tmp_path / "chart.svg")
    assert "reference words" in (tmp_path / "chart.svg").read_text("utf-8")
    assert chart.title == "BLEU by length"
    assert length_chart(models, "단어 수", "문장 길이별 {score}").title == "문장 길이별 BLEU"
    korean = [column.header for column in length_table(models, "단어 수", "문장 수").columns[:2]]
    assert korean == ["단어 수", "문장 수"]


def test_bad_input_is_one_line() -> None:
    outputs, references = corpus(20)
    lengths = word_counts(references)
    with pytest.raises(ValueError, match="20 outputs, but 3 lengths"):
        by_length(outputs, references, [1, 2, 3])
    with pytest.raises(ValueError, match="edges must be lengths that grow"):
        by_length(outputs, references, lengths, edges=(10, 5))
    with pytest.raises(ValueError, match="not negative"):
        bins([-1, 3])
    rows: dict[str, list[LengthRow]] = {
        "a": by_length(outputs, references, lengths, edges=(10,)),
        "b": by_length(outputs, references, lengths, edges=(20,)),
    }
    for show in (length_table, length_chart):
        with pytest.raises(ValueError, match="'b' and 'a' have other bins"):
            show(rows)
        with pytest.raises(ValueError, match="no model"):
            show({})
    rows["b"] = by_length(outputs, references, lengths, edges=(10,), metric=chrf)
    with pytest.raises(ValueError, match="one metric for all"):
        length_table(rows)
