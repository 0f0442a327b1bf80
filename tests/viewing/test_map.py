"""The record of a look: what it takes, how it merges, drops and links, and that its JSON comes back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from jumok.viewing import AttentionMap
from viewing.looks import look, simple


@st.composite
def looks(draw: st.DrawFn) -> AttentionMap:
    """Maps of all small shapes, with any word numbers."""
    layers, heads, rows, columns = (draw(st.integers(1, most)) for most in (2, 3, 6, 6))
    numbers = np.random.default_rng(draw(st.integers(0, 99))).random((layers, heads, rows, columns))
    return AttentionMap.from_arrays(
        numbers / numbers.sum(axis=-1, keepdims=True),
        [f"▁r{i}" for i in range(rows)],
        [f"c{i}" for i in range(columns)],
        row_words=draw(st.lists(st.integers(-1, 3), min_size=rows, max_size=rows)),
        column_words=draw(st.lists(st.integers(-1, 3), min_size=columns, max_size=columns)),
    )


@given(looks())
@settings(max_examples=60, deadline=None)
def test_words_keep_the_sums_of_rows(full: AttentionMap) -> None:
    words = full.words()
    np.testing.assert_allclose(words.weights.sum(-1), 1, atol=1e-5)
    assert words.words().rows == words.rows
    np.testing.assert_allclose(words.words().weights, words.weights, atol=1e-6)


@given(looks())
@settings(max_examples=60, deadline=None)
def test_rows_sum_to_what_they_did_without_special_ones(full: AttentionMap) -> None:
    clean = full.without_special()
    assert -1 not in (*clean.row_words, *clean.column_words)
    if clean.columns:
        np.testing.assert_allclose(clean.weights.sum(-1), 1, atol=1e-5)
    kept = full.without_special(renormalize=False)
    assert (kept.weights.sum(-1) <= 1 + 1e-5).all()
    assert set(kept.weights.ravel()) <= set(full.weights.ravel())


@given(looks())
@settings(max_examples=60, deadline=None)
def test_json_comes_back(full: AttentionMap) -> None:
    again = AttentionMap.from_json(full.to_json())
    np.testing.assert_allclose(again.weights, full.weights, rtol=1e-5)
    assert again.to_json() == full.to_json()
    assert (again.rows, again.column_words, again.title) == (full.rows, full.column_words, full.title)


def test_pieces_of_a_word_are_summed_across_and_averaged_down() -> None:
    pieces = AttentionMap.from_arrays(
        [[0.1, 0.2, 0.7], [0.3, 0.4, 0.3], [0.0, 0.0, 1.0]],
        ["▁app", "le", "<end>"],
        ["▁사", "과", "<end>"],
        row_words=[0, 0, -1],
        column_words=[0, 0, -1],
    )
    words = pieces.words()
    assert words.rows == ("apple", "<end>")
    assert words.columns == ("사과", "<end>")
    np.testing.assert_allclose(words.matrix, [[0.5, 0.5], [0, 1]], atol=1e-6)


def test_the_look_of_a_mark_is_not_that_of_its_word() -> None:
    pieces = AttentionMap.from_arrays(
        [[0.9, 0.1], [0.7, 0.3], [0.0, 1.0], [0.5, 0.5], [0.1, 0.9]],
        ["▁app", "le", ".", "▁—", "!"],
        ["▁사과", "다"],
        row_words=[0, 0, 0, 1, 1],
    )
    assert pieces.words().rows == ("apple.", "—!")
    np.testing.assert_allclose(pieces.words().matrix, [[0.8, 0.2], [0.3, 0.7]], atol=1e-6)


def test_words_go_by_number_not_by_place() -> None:
    pieces = AttentionMap.from_arrays([[0.1, 0.2, 0.7]], ["x"], ["▁a", "▁b", "c"], column_words=[4, 7, 4])
    assert pieces.words().columns == ("ac", "b")
    assert pieces.words().column_words == (4, 7)
    np.testing.assert_allclose(pieces.words().matrix, [[0.8, 0.2]], atol=1e-6)


def test_special_pieces_stay_apart_and_a_lone_mark_of_space_stays_seen() -> None:
    pieces = AttentionMap.from_arrays(np.eye(3), ["<start>", "▁", "<end>"], ["a", "b", "c"], row_words=[-1, 0, -1])
    assert pieces.words().rows == ("<start>", "▁", "<end>")


def test_a_row_that_looked_at_special_ones_only_stays_zero() -> None:
    clean = AttentionMap.from_arrays([[0, 1], [0.5, 0.5]], ["a", "b"], ["c", "<end>"], column_words=[0, -1])
    np.testing.assert_allclose(clean.without_special().matrix, [[0], [1]])
    assert clean.without_special().links() == [(1, 0)]


def test_a_map_of_special_pieces_only_becomes_empty_and_still_draws(tmp_path: Path) -> None:
    empty = look(1, 1).without_special()
    assert (empty.rows, empty.columns, empty.links()) == ((), (), [])
    for ending in ("svg", "html", "png", "pdf", "json"):
        empty.save(tmp_path / f"empty.{ending}")
    assert AttentionMap.load(tmp_path / "empty.json").weights.shape == (1, 1, 0, 0)
    assert "nothing to show" in (tmp_path / "empty.svg").read_text("utf-8")


def test_the_matrix_is_the_mean_over_the_heads_of_the_last_layer() -> None:
    full = look(3, 4, 5, 6)
    np.testing.assert_allclose(full.matrix, full.weights[2].mean(0), atol=1e-6)
    np.testing.assert_array_equal(full.select(0, 1).matrix, full.weights[0, 1])
    np.testing.assert_allclose(full.select(None, 1).matrix, full.weights[:, 1].mean(0), atol=1e-6)
    assert full.select(1, 2).weights.shape == (1, 1, 5, 6)
    assert repr(full) == "AttentionMap(target 5 x source 6, 3 layers, 4 heads)"


def test_links_are_the_largest_of_each_row_or_all_from_a_threshold() -> None:
    assert simple().links() == [(0, 0), (1, 2)]
    assert simple().links(threshold=0.25) == [(0, 0), (1, 1), (1, 2)]


def test_weights_are_a_copy_that_cannot_be_written() -> None:
    given_weights = np.ones((1, 1))
    kept = AttentionMap.from_arrays(given_weights, ["a"], ["b"])
    given_weights[0, 0] = 5
    assert kept.matrix[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        kept.weights[0, 0, 0, 0] = 2


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.int64])
def test_tensors_of_every_kind_are_taken(dtype: torch.dtype) -> None:
    weights = torch.eye(2, dtype=dtype)
    if dtype.is_floating_point:
        weights.requires_grad_()
    assert AttentionMap.from_arrays(weights, ["a", "b"], ["c", "d"]).matrix.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (([[1.0, 0.0]], ["a"], ["b"]), "1 rows and 2 columns, but there are 1 row labels and 1 column labels"),
        (([1.0], ["a"], ["b"]), r"shape \(1,\): give \(rows, columns\)"),
        (([[1.0, 0.0], [1.0]], ["a", "b"], ["c"]), "numbers in rows of one length"),
        (([[-0.1]], ["a"], ["b"]), r"row 0, column 0 \(layer 0, head 0\) is -0.1"),
        (([[float("nan")]], ["a"], ["b"]), "is nan; weights are finite and not negative"),
        (([[float("inf")]], ["a"], ["b"]), "is inf"),
        (([["x"]], ["a"], ["b"]), "weights must be numbers"),
        (([[1.0]], "a", ["b"]), "rows is one string; give a list of labels"),
        (([[1.0]], [3], ["b"]), r"rows\[0\] is 3; a label is a string"),
        (([[1.0]], ["\ud800"], ["b"]), r"rows\[0\] is '\\ud800', which is half of a character"),
        ((np.zeros((0, 2, 1, 1)), ["a"], ["b"]), r"shape \(0, 2, 1, 1\)"),
    ],
)
def test_what_does_not_fit_is_one_clear_line(arguments: tuple[Any, ...], told: str) -> None:
    with pytest.raises(ValueError, match=told) as error:
        AttentionMap.from_arrays(*arguments)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("words", "told"), [([0], "1 numbers for 2 labels"), ([0, -2], r"\[1\] is -2"), ([0, 0.5], "0.5")]
)
def test_word_numbers_are_checked(words: list[Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        AttentionMap.from_arrays(np.eye(2), ["a", "b"], ["c", "d"], row_words=words)


@pytest.mark.parametrize("choice", [{"layer": 3}, {"layer": -4}, {"head": 4}])
def test_a_layer_or_head_that_is_not_there_is_named(choice: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="counted from 0"):
        look(3, 4, 2, 2).select(**choice)


def test_weights_above_one_are_allowed() -> None:
    assert AttentionMap.from_arrays([[1.7]], ["a"], ["b"]).matrix[0, 0] == pytest.approx(1.7)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"jumok": "else"}, "not an attention map"),
        ({"version": 2}, "version 2: this jumok reads up to 1; use a newer jumok"),
        ({"version": "1"}, "version '1'"),
        ({"weights": [[[[0.5]]]]}, "damaged attention map: weights have 1 rows"),
        ({"weights": None}, "damaged"),
        ({"weights": {}}, "damaged"),
        ({"rows": 3}, "damaged"),
        ({"rows": []}, "damaged"),
        ({"rows": "ab"}, "damaged attention map: rows is one string"),
        ({"row_words": ["x", "y"]}, "damaged"),
        ({"title": None}, "damaged"),
    ],
)
def test_a_damaged_map_is_one_clear_line(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    path = tmp_path / "look.json"
    path.write_text(json.dumps({**simple().to_dict(), **change}), "utf-8")
    with pytest.raises(ValueError, match=told) as error:
        AttentionMap.load(path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe\x00", b"[1]", b"null", b"[" * 100_000, b'{"jumok":"attention-map"']
)
def test_a_file_that_is_no_map_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "look.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="attention map"):
        AttentionMap.load(path)


def test_a_missing_field_is_named() -> None:
    values = simple().to_dict()
    del values["columns"], values["title"]
    with pytest.raises(ValueError, match="damaged attention map: no columns, title"):
        AttentionMap.from_dict(values)


def test_pictures_cannot_be_read_back(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"read from \.json"):
        AttentionMap.load(tmp_path / "look.svg")
    with pytest.raises(FileNotFoundError):
        AttentionMap.load(tmp_path / "look.json")


def test_weights_in_json_have_six_digits() -> None:
    values = AttentionMap.from_arrays([[1 / 3, 1e-7 / 3]], ["a"], ["b", "c"]).to_dict()
    assert values["weights"] == [[[[0.333333, 3.33333e-08]]]]


def test_the_room_is_light_to_import() -> None:
    code = "import jumok.viewing, sys; print([name for name in ('torch', 'rich', 'matplotlib') if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_marks_of_start_and_end_are_special_in_maps_of_others() -> None:
    look = AttentionMap.from_arrays([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]], ["<s>", "came"], ["나는", "왔다", "</s>"])
    left = look.without_special()
    assert (left.rows, left.columns) == (("came",), ("나는", "왔다"))
    np.testing.assert_allclose(left.matrix, [[0.5, 0.5]], rtol=1e-6)
