"""Diagnostics: figures of looks that are known by hand; dead attention is told, healthy attention is not."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from jumok.evaluation import diagnose
from jumok.viewing.map import AttentionMap

from .looks_to_score import gold_columns, look_at, pairs


def plain(weights: object) -> AttentionMap:
    array = np.asarray(weights, dtype=np.float64)
    rows, columns = array.shape[-2:]
    return AttentionMap.from_arrays(array, [f"r{n}" for n in range(rows)], [f"c{n}" for n in range(columns)])


def test_a_walk_along_the_diagonal() -> None:
    found = diagnose([plain(np.eye(5))])
    assert (found.entropy, found.coverage, found.change, found.end_share) == (0, 1, 1, 0)
    assert found.same_place == pytest.approx(1 / 5)
    assert found.diagonal == pytest.approx(1)
    assert found.warning is None
    assert diagnose([plain(np.eye(5)[::-1])]).diagonal < 0.5


def test_entropy_by_hand() -> None:
    found = diagnose([plain([[0.5, 0.5, 0, 0], [0.25] * 4, [1, 0, 0, 0]])])
    assert found.entropy == pytest.approx((1 + 2 + 0) / 3)
    assert found.relative_entropy == pytest.approx(found.entropy / math.log2(4))


def test_rows_need_not_sum_to_one() -> None:
    weights = np.random.default_rng(0).random((4, 6))
    assert diagnose([plain(weights)]).entropy == pytest.approx(diagnose([plain(3 * weights)]).entropy, rel=1e-5)


def test_change_is_the_total_variation_between_rows() -> None:
    found = diagnose([plain([[1, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0.5]])])
    assert found.change == pytest.approx((0.5 + 0.5) / 2)


def test_coverage_counts_source_words_only() -> None:
    look = AttentionMap.from_arrays(
        [[1, 0, 0, 0], [0.95, 0.05, 0, 0], [0, 0, 0, 1]],
        list("abc"),
        ["x", "y", "z", "<end>"],
        column_words=[0, 1, 2, -1],
    )
    found = diagnose([look])
    assert found.coverage == pytest.approx(1 / 3)
    assert found.end_share == pytest.approx(1 / 3)


def test_healthy_attention_is_let_be() -> None:
    for sharpness in (0.3, 0.6, 0.95):
        found = diagnose(look_at(pair, gold_columns(pair), sharpness=sharpness) for pair in pairs())
        assert found.warning is None, sharpness
        assert found.maps == len(pairs())


@pytest.mark.parametrize("noise", [0.0, 0.01])
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("uniform", "looks everywhere alike"),
        ("end", "falls on the end of the sentence"),
        ("first", "same look"),
        ("average", "same look"),
    ],
)
def test_dead_attention_is_told(kind: str, said: str, noise: float) -> None:
    dice = np.random.default_rng(1)
    looks = []
    for pair in pairs():
        healthy = look_at(pair, gold_columns(pair))
        rows, columns = healthy.matrix.shape
        row = {
            "uniform": np.full(columns, 1 / columns),
            "end": np.eye(columns)[-1],
            "first": 0.8 * np.eye(columns)[0] + 0.2 / columns,
            "average": healthy.matrix.mean(0),
        }[kind]
        weights = np.tile(row, (rows, 1)) + noise * dice.random((rows, columns)) / columns
        looks.append(
            AttentionMap.from_arrays(
                weights, healthy.rows, healthy.columns, row_words=healthy.row_words, column_words=healthy.column_words
            )
        )
    found = diagnose(looks)
    assert found.warning is not None
    assert found.warning.startswith("dead attention: ")
    assert said in found.warning
    assert "\n" not in found.warning
    korean = found.warning_in("ko")
    assert korean is not None
    assert korean.startswith("제구실을 못 하는 어텐션: ")
    assert ("똑같이" in korean) == (kind == "uniform")  # what looks everywhere does not look at one place
    assert found.to_dict()["warning"] == found.warning


def test_attention_that_wavers_on_one_place_is_dead() -> None:
    dice = np.random.default_rng(2)
    looks = []
    for _ in range(20):
        weights = dice.dirichlet([1.0] * 8, size=10)
        weights[:, 2] += 1.0
        looks.append(plain(weights))
    found = diagnose(looks)
    assert found.reasons == ("same place",)
    assert "look most at one place" in (found.warning or "")


def test_words_about_pictures_do_not_speak_of_sentences() -> None:
    dice = np.random.default_rng(2)
    weights = dice.dirichlet([1.0] * 16, size=10) + np.eye(16)[2]
    found = diagnose([AttentionMap.over_picture(weights / 2, [f"▁w{n}" for n in range(10)], (4, 4), None)])
    assert found.reasons == ("same place",)
    assert "one place of their picture" in (found.warning or "")
    assert "그림의 한 곳" in (found.warning_in("ko") or "")
    assert "sentence" in (replace(found, over_pictures=False).warning or "")
    for reason in ({"relative_entropy": 1.0}, {"change": 0.0}):
        for language, word in (("en", "sentence"), ("ko", "문장")):
            assert word not in (replace(found, **reason).warning_in(language) or word)


def test_every_head_can_be_asked() -> None:
    weights = np.stack([np.eye(4), np.full((4, 4), 0.25)])
    look = plain(weights)
    assert diagnose([look.select(head=0)]).warning is None
    assert "everywhere alike" in (diagnose([look.select(head=1)]).warning or "")


def test_maps_that_tell_nothing_are_left_out() -> None:
    short = [plain([[1.0], [1.0], [1.0]]), plain(np.eye(2)), plain(np.zeros((4, 4)))]
    assert diagnose([*short, plain(np.eye(4))]).maps == 1
    with pytest.raises(ValueError, match="nothing to diagnose"):
        diagnose(short)
