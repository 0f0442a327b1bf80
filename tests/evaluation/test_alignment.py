"""Alignment: files come back as they were written, gold has no error, and a look that comes late is found out."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from jumok.evaluation import (
    Gold,
    alignment_error_rate,
    attention_alignment,
    attention_links,
    by_label,
    format_alignment,
    golds_of,
    parse_alignment,
    read_alignments,
    write_alignments,
)
from jumok.viewing.map import AttentionMap

from .looks_to_score import gold_columns, look_at, pairs

SETS = some.sets(some.tuples(some.integers(0, 60), some.integers(0, 60)), max_size=12)
GOLDS = some.builds(lambda sure, maybe: Gold(frozenset(sure), frozenset(maybe - sure)), SETS, SETS)
SURE = [pair.sure for pair in pairs()]
POSSIBLE = [pair.possible for pair in pairs()]


@given(GOLDS, some.sampled_from([0, 1]))
def test_a_line_comes_back(gold: Gold, first: int) -> None:
    assert parse_alignment(format_alignment(gold, first), first) == gold


def test_files_come_back(tmp_path: Path) -> None:
    golds = [Gold(frozenset(pair.sure), frozenset(pair.possible)) for pair in pairs()] + [Gold(frozenset())]
    for first in (0, 1):
        write_alignments(tmp_path / "gold.txt", golds, first)
        assert read_alignments(tmp_path / "gold.txt", first) == golds
    assert "0" not in re.findall(r"\d+", (tmp_path / "gold.txt").read_text())


def test_marks_of_possible_links() -> None:
    assert parse_alignment("0-0 1?2 2p1\n") == Gold(frozenset({(0, 0)}), frozenset({(1, 2), (2, 1)}))
    assert parse_alignment("0?0 0-0") == Gold(frozenset({(0, 0)}), frozenset())


@pytest.mark.parametrize("line", ["0-0 1_1", "0-", "a-b", "0-0,1-1", "0--1"])
def test_a_bad_link_is_told_with_file_and_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "gold.txt"
    path.write_text(f"0-0\n{line}\n")
    with pytest.raises(ValueError, match=r"gold.txt:2: '.*' is no link; write 0-0"):
        read_alignments(path)


def test_words_that_count_from_the_other_number(tmp_path: Path) -> None:
    (tmp_path / "gold.txt").write_text("1-1 0-2\n")
    with pytest.raises(ValueError, match=r"gold.txt:1: '0-2': words count from 1 here; say first=0"):
        read_alignments(tmp_path / "gold.txt", first=1)
    with pytest.raises(ValueError, match="0 or 1, not 2"):
        parse_alignment("1-1", first=2)
    with pytest.raises(FileNotFoundError):
        read_alignments(tmp_path / "none.txt")


def test_gold_has_no_error_and_disjoint_links_are_all_wrong() -> None:
    both = [set(sure) | set(possible) for sure, possible in zip(SURE, POSSIBLE, strict=True)]
    for links in (SURE, both):
        score = alignment_error_rate(links, SURE, POSSIBLE)
        assert (score.error_rate, score.precision, score.recall, score.low, score.high) == (0, 1, 1, 0, 0)
    assert alignment_error_rate(both, SURE, POSSIBLE).hit_rate == 1
    wrong = [{(source + 1000, target) for source, target in sure} for sure in SURE]
    score = alignment_error_rate(wrong, SURE, POSSIBLE)
    assert (score.error_rate, score.precision, score.recall, score.hit_rate) == (1, 0, 0, 0)


def test_the_formula_by_hand() -> None:
    score = alignment_error_rate([[(0, 0), (1, 1), (2, 5)], [(0, 0)]], [[(0, 0), (3, 3)], []], [[(1, 1)], [(0, 0)]])
    assert score.error_rate == pytest.approx(1 - (1 + 3) / (4 + 2))
    assert (score.precision, score.recall) == (3 / 4, 1 / 2)
    assert score.hit_rate == 3 / 4
    assert score.low <= score.error_rate <= score.high


@given(some.lists(some.tuples(SETS, SETS, SETS), min_size=1, max_size=5))
def test_the_error_is_between_0_and_1_and_order_changes_nothing(triples: list[tuple[set, set, set]]) -> None:
    score = alignment_error_rate(*zip(*triples, strict=True))
    assert 0 <= score.error_rate <= 1
    back = alignment_error_rate(*zip(*triples[::-1], strict=True))
    assert back.error_rate == score.error_rate


def test_attention_that_looks_at_gold() -> None:
    looks = [look_at(pair, gold_columns(pair)) for pair in pairs()]
    found = attention_alignment(looks, SURE, POSSIBLE)
    assert found.best_shift == 0
    assert found.best.hit_rate == 1
    assert found.shifts[0].error_rate < 0.1 < 0.4 < found.shifts[1].error_rate
    assert set(found.to_dict()["shifts"]) == {"0", "1", "-1"}


@pytest.mark.parametrize("late", [1, -1])
def test_attention_that_looks_one_step_late_or_early(late: int) -> None:
    looks = [look_at(pair, gold_columns(pair), late=late) for pair in pairs()]
    on_time = [look_at(pair, gold_columns(pair)) for pair in pairs()]
    found = attention_alignment(looks, SURE, POSSIBLE)
    assert found.best_shift == late
    for late_look, look in zip(looks, on_time, strict=True):
        expected = attention_links(look)
        if late < 0:  # nothing tells what the last step would have looked at
            expected = {link for link in expected if link[1] > 0}
        assert attention_links(late_look, shift=late) == expected


@pytest.mark.parametrize("late", [1, -1])
def test_looks_are_moved_by_words_however_these_are_cut(late: int) -> None:
    """A word of three pieces, one with a full stop, one of one piece: what counts is the word before or behind."""
    pieces, numbers = ["▁un", "kind", "ly", "▁words", ".", "▁said", "<end>"], [0, 0, 0, 1, 1, 2, -1]
    at = [2, 2, 2, 0, 0, 1, 3] if late > 0 else [1, 1, 1, 2, 2, 0, 3]  # the column that each piece looks at
    look = AttentionMap.from_arrays(
        np.eye(4)[at], pieces, ["a", "b", "c", "<end>"], row_words=numbers, column_words=[0, 1, 2, -1]
    )
    moved = {0: at[3], 1: at[5]} if late > 0 else {1: at[0], 2: at[3]}
    assert attention_links(look, shift=late) == {(column, row) for row, column in moved.items()}


def test_subwords_are_merged_and_special_pieces_left_out() -> None:
    look = AttentionMap.from_arrays(
        [[0.3, 0.3, 0.4, 0.0], [0.0, 0.1, 0.2, 0.7], [0.0, 0.0, 0.9, 0.1], [0, 0, 0, 1]],
        ["▁un", "kind", "▁word", "<end>"],
        ["▁불", "친절", "▁말", "<end>"],
        row_words=[0, 0, 1, -1],
        column_words=[0, 0, 1, -1],
    )
    assert attention_links(look) == {(0, 0), (1, 1)}
    assert attention_links(look, threshold=0.3) == {(0, 0), (1, 0), (1, 1)}
    assert attention_links(look, threshold=0.99) == {(1, 1)}


def test_a_word_without_pieces_keeps_the_numbers_of_the_others() -> None:
    look = AttentionMap.from_arrays(np.eye(2), ["a", "c"], ["가", "다"], row_words=[0, 2], column_words=[0, 2])
    assert attention_links(look) == {(0, 0), (2, 2)}


def test_only_the_last_layer_is_asked() -> None:
    weights = np.stack([np.eye(3)[::-1], np.eye(3)])[:, None]
    look = AttentionMap.from_arrays(weights, list("abc"), list("xyz"))
    assert attention_links(look) == {(0, 0), (1, 1), (2, 2)}
    assert attention_links(look.select(0)) == {(0, 2), (1, 1), (2, 0)}


def test_errors_by_the_label_of_the_target_word() -> None:
    looks = []
    for pair in pairs():
        columns = gold_columns(pair)
        words = pair.target.split()
        lost = len(pair.source.split())  # articles look at the end of the sentence
        moved = [lost if word in ("a", "an", "the") else column for word, column in zip(words, columns, strict=True)]
        looks.append(look_at(pair, moved, sharpness=1.0))
    kind = lambda word: "article" if word.lower() in ("a", "an", "the") else "other"  # noqa: E731
    found = attention_alignment(looks, SURE, POSSIBLE, shifts=(0,), by=kind).labels
    lists = [[kind(word) for word in pair.target.split()] for pair in pairs()]
    assert found == attention_alignment(looks, SURE, POSSIBLE, shifts=(0,), by=lists).labels
    assert found["other"].hit_rate == 1
    assert found["article"].hit_rate < 0.2
    one = by_label([attention_links(look) for look in looks], SURE, POSSIBLE, [["all"] * len(x) for x in lists])
    assert one["all"] == attention_alignment(looks, SURE, POSSIBLE, shifts=(0,)).best


def test_read_gold_is_taken_as_it_is(tmp_path: Path) -> None:
    write_alignments(tmp_path / "gold", [Gold(frozenset(pair.sure), frozenset(pair.possible)) for pair in pairs()])
    looks = [look_at(pair, gold_columns(pair)) for pair in pairs()]
    read = attention_alignment(looks, *golds_of(read_alignments(tmp_path / "gold")))
    assert read == attention_alignment(looks, SURE, POSSIBLE)


def test_bad_input_is_one_line() -> None:
    looks = [look_at(pair, gold_columns(pair)) for pair in pairs()]
    with pytest.raises(ValueError, match="40 attention maps, but 3 gold alignments"):
        attention_alignment(looks, SURE[:3])
    with pytest.raises(ValueError, match="links of 1 sentences, sure links of 2"):
        alignment_error_rate([[]], [[], []])
    with pytest.raises(ValueError, match="no sentences"):
        alignment_error_rate([], [])
    with pytest.raises(ValueError, match="shifts is empty"):
        attention_alignment(looks, SURE, shifts=())
    beyond = [[(source + 1, target + 1) for source, target in sure] for sure in SURE]
    with pytest.raises(ValueError, match=r"sentence \d+: gold link .* do its words count from 1"):
        attention_alignment(looks, beyond)
    with pytest.raises(ValueError, match="sentence 1: target word 0 has no label"):
        by_label([{(0, 0)}], [{(0, 0)}], None, [[]])
    with pytest.raises(ValueError, match="labels of 0"):
        by_label([{(0, 0)}], [{(0, 0)}], None, [])
