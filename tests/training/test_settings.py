"""The settings of a run, and its learning rate."""

from __future__ import annotations

import itertools
import math

import pytest

from jumok.core.settings import read_settings
from jumok.training import TrainingSettings
from jumok.training.schedule import learning_rate


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "give `updates`, `epochs` or `minutes`"),
        ({"updates": 0}, "updates: "),
        ({"updates": 9, "clip": -1}, "clip: "),
        ({"updates": 9, "learning_rat": 1}, "did you mean 'learning_rate'"),
        ({"minutes": 1, "schedule": "cosine"}, "needs `updates` or `epochs`"),
        ({"updates": 9, "figure": "charm"}, "figure 'charm': say `better: lower` or `better: higher`"),
        ({"updates": 9, "betas": [0.9, 1.0]}, "betas"),
    ],
)
def test_what_makes_no_sense_is_one_line(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=r"my\.yaml: ") as caught:
        read_settings(TrainingSettings, values, "my.yaml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_setting_says_what_it_is() -> None:
    assert all(field.description for field in TrainingSettings.model_fields.values())


@pytest.mark.parametrize(("figure", "higher"), [("loss", False), ("bleu", True), ("perplexity", False), ("f1", True)])
def test_a_name_says_which_is_better(figure: str, higher: bool) -> None:
    assert TrainingSettings(updates=1, figure=figure).higher_is_better == higher
    turned = TrainingSettings(updates=1, figure=figure, better="lower" if higher else "higher")
    assert turned.higher_is_better != higher


def rates(updates: int, **settings: object) -> list[float]:
    checked = TrainingSettings(updates=updates, learning_rate=0.5, **settings)
    return [learning_rate(checked, update, updates) for update in range(1, updates + 1)]


def test_without_warmup_a_constant_rate_is_constant() -> None:
    assert rates(4) == [0.5] * 4


@pytest.mark.parametrize("schedule", ["constant", "cosine", "inverse_sqrt"])
def test_the_rate_rises_in_a_line_and_never_after(schedule: str) -> None:
    found = rates(30, warmup=10, schedule=schedule)
    assert found[:10] == pytest.approx([0.05 * update for update in range(1, 11)])
    assert all(after <= before for before, after in itertools.pairwise(found[9:]))


def test_cosine_is_half_way_down_in_the_middle_and_zero_at_the_end() -> None:
    found = rates(30, warmup=10, schedule="cosine")
    assert found[19] == pytest.approx(0.25)
    assert found[29] == pytest.approx(0, abs=1e-12)
    assert found[14] == pytest.approx(0.5 * (1 + math.cos(math.pi / 4)) / 2)


def test_inverse_sqrt_halves_when_the_updates_are_four_times_as_many() -> None:
    found = rates(80, warmup=10, schedule="inverse_sqrt")
    assert found[79] == pytest.approx(found[19] / 2)
    assert rates(4, schedule="inverse_sqrt")[3] == pytest.approx(0.25)
