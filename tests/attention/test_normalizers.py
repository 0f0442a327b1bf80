"""Normalisers: rows that sum to one, and thresholds that are exact."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention.combinations import KERNELS
from jumok.attention import (
    NORMALIZERS,
    Entmax15,
    Normalizer,
    Softmax,
    Sparsemax,
    Sum,
    build,
    entmax15,
    reference,
    sparsemax,
)
from jumok.attention.normalizers import Normalizer as Base

SPARSE = {"sparsemax": (sparsemax, Sparsemax), "entmax15": (entmax15, Entmax15)}


@pytest.mark.parametrize("name", SPARSE)
@given(rows=st.lists(st.lists(st.floats(-50, 50, width=32), min_size=6, max_size=6), min_size=1, max_size=4))
@settings(deadline=None, max_examples=200)
def test_the_threshold_is_the_one_found_by_sorting(name: str, rows: list[list[float]]) -> None:
    function, kind = SPARSE[name]
    scores = torch.tensor(rows, dtype=torch.double)
    wanted = torch.stack([reference.normalize(kind(), row) for row in scores])
    assert torch.allclose(function(scores), wanted, atol=1e-9)


@pytest.mark.parametrize("name", SPARSE)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
def test_long_rows_of_any_scale_sum_to_one(name: str, scale: float) -> None:
    function, kind = SPARSE[name]
    scores = torch.randn(3, 2000) * scale
    probabilities = function(scores)
    assert torch.allclose(probabilities.sum(-1), torch.ones(3), atol=1e-5)
    slow = torch.stack([reference.normalize(kind(), row) for row in scores.double()])
    assert torch.allclose(probabilities.double(), slow, atol=1e-5)


@pytest.mark.parametrize("name", SPARSE)
def test_a_ladder_of_scores_that_takes_many_newton_steps(name: str) -> None:
    function, kind = SPARSE[name]
    scores = -torch.logspace(-8, 1, 300, dtype=torch.double)
    assert torch.allclose(function(scores), reference.normalize(kind(), scores), atol=1e-12)


@pytest.mark.parametrize("name", SPARSE)
def test_equal_scores_share_alike(name: str) -> None:
    assert torch.allclose(SPARSE[name][0](torch.full((4,), 3.0)), torch.full((4,), 0.25))


@pytest.mark.parametrize("name", SPARSE)
def test_gradient_by_finite_differences_on_any_number_of_axes(name: str) -> None:
    scores = torch.randn(2, 3, 5, dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(SPARSE[name][0], scores)


@pytest.mark.parametrize("name", SPARSE)
def test_rows_may_lie_anyhow_in_memory(name: str) -> None:
    scores = torch.randn(5, 3, 4).permute(2, 1, 0)
    assert torch.allclose(SPARSE[name][0](scores), SPARSE[name][0](scores.contiguous()))


@pytest.mark.parametrize("name", SPARSE)
def test_what_is_not_a_number_shows_and_does_not_hang(name: str) -> None:
    scores = torch.tensor([[1.0, float("nan")], [0.0, 0.0]])
    probabilities = SPARSE[name][0](scores)
    assert bool(probabilities[0].isnan().any())
    assert torch.allclose(probabilities[1], torch.tensor([0.5, 0.5]))


def test_sparsemax_is_sparse_entmax_less_softmax_not_at_all() -> None:
    scores = torch.linspace(-1, 1, 9)
    zeros = [int((kind()(scores) == 0).sum()) for kind in (Sparsemax, Entmax15, Softmax)]
    assert zeros[0] > zeros[1] > zeros[2] == 0


@pytest.mark.parametrize("name", list(NORMALIZERS))
def test_low_temperature_sharpens_and_high_flattens(name: str) -> None:
    scores = torch.tensor([0.2, 0.5, 0.9])
    kind = NORMALIZERS[name]
    cold, plain, hot = (kind(temperature)(scores) for temperature in (0.2, 1.0, 5.0))
    assert cold.max() > plain.max() > hot.max()
    for probabilities in (cold, plain, hot):
        assert probabilities.sum().item() == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("name", list(NORMALIZERS))
def test_a_learned_temperature_starts_at_one_and_learns(name: str) -> None:
    scores = torch.tensor([0.2, 0.5, 0.9])
    kind = NORMALIZERS[name]
    learned = kind("learned")
    assert torch.allclose(learned(scores), kind()(scores))
    learned(scores)[2].neg().backward()
    assert learned.log_temperature.grad > 0  # colder would be better


@pytest.mark.parametrize("name", list(NORMALIZERS))
@pytest.mark.parametrize("temperature", [0, -1.0, float("inf"), float("nan"), "lerned", None])
def test_a_temperature_that_makes_no_sense_is_refused(name: str, temperature: object) -> None:
    with pytest.raises(ValueError, match="temperature: expected a number above 0 or 'learned'"):
        NORMALIZERS[name](temperature)


def test_sum_is_the_share_of_the_total() -> None:
    scores = torch.tensor([[0.1, 0.9, 0.7]])
    assert torch.allclose(Sum()(scores), scores / 1.7)
    assert torch.allclose(Sum()(scores, torch.tensor([[True, True, False]])), torch.tensor([[0.1, 0.9, 0.0]]))
    assert torch.allclose(Sum(0.5)(scores), scores**2 / (scores**2).sum())
    assert not Sum()(torch.zeros(1, 3)).any()


@pytest.mark.parametrize("score", ["dot", "additive", "cosine", "general"])
def test_sum_of_scores_that_may_be_negative_is_refused(score: str) -> None:
    with pytest.raises(ValueError, match="normalize: 'sum' needs scores that are never negative"):
        build(score, query_size=4, key_size=4, normalize="sum")


@pytest.mark.parametrize("score", KERNELS)
def test_kernels_are_summed_unless_told(score: str) -> None:
    assert isinstance(build(score).normalizer, Sum)


def test_the_base_leaves_normalising_to_its_kinds() -> None:
    assert Base is Normalizer
    with pytest.raises(NotImplementedError):
        Normalizer()(torch.zeros(1, 2))
