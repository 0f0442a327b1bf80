"""A part of a model with a learning rate of its own: it moves by its share, and the others as ever."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from jumok.training import TrainingSettings
from jumok.training.optimiser import optimiser_of
from jumok.training.updating import Updater
from training.toy import Toy

SHARE = 0.25


def toy(share: float | None) -> Toy:
    task = Toy(dropout=0.0)
    if share is not None:
        task.model.first.learning_rate_factor = share  # type: ignore[assignment]
    return task


def settings_of(optimiser: str) -> TrainingSettings:
    return TrainingSettings(updates=2, optimiser=optimiser, learning_rate=0.01, warmup=2, weight_decay=0.1)


def moved(share: float | None, optimiser: str) -> dict[str, Tensor]:
    """How far each weight went in the first update."""
    task = toy(share)
    before = {name: weight.detach().clone() for name, weight in task.model.named_parameters()}
    Updater(task, settings_of(optimiser), torch.device("cpu"), seed=1).update(1, 2, task.batches(0)[:1])
    return {name: weight.detach() - before[name] for name, weight in task.model.named_parameters()}


def test_groups_say_whose_share_it_is() -> None:
    task = toy(SHARE)
    names = {weight: name for name, weight in task.model.named_parameters()}
    groups = optimiser_of(task.model, settings_of("adamw")).param_groups
    factors = {names[weight]: group["factor"] for group in groups for weight in group["params"]}
    assert factors == {name: SHARE if name.startswith("first.") else 1.0 for name in names.values()}


@pytest.mark.parametrize("optimiser", ["adamw", "muon"])
def test_the_part_learns_at_its_share_of_the_rate(optimiser: str) -> None:
    whole, part = moved(None, optimiser), moved(SHARE, optimiser)
    for name, way in whole.items():
        expected = SHARE * way if name.startswith("first.") else way
        torch.testing.assert_close(part[name], expected, rtol=1e-3, atol=1e-7)
    assert all(whole[name].abs().max() > 1e-3 for name in ("first.weight", "first.bias", "out.weight"))


def test_a_share_of_nothing_stays_where_it_is() -> None:
    still = moved(0.0, "adamw")
    assert not any(still[name].any() for name in ("first.weight", "first.bias"))
    assert still["out.weight"].any()
