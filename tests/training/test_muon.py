"""Muon: matrices are turned in all directions alike, everything else learns by AdamW."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from jumok.training import TrainingSettings
from jumok.training.muon import orthogonal, turned_by_muon
from jumok.training.optimiser import memory_of, optimiser_of
from training.toy import Toy, train


@pytest.mark.parametrize("shape", [(6, 6), (5, 40), (40, 5)])
def test_directions_stay_and_lengths_become_alike(shape: tuple[int, int]) -> None:
    left, lengths, right = torch.linalg.svd(torch.randn(shape), full_matrices=False)
    matrix = left @ torch.diag(torch.linspace(1.0, 0.05, len(lengths))) @ right  # its lengths are far apart
    turned = left.T @ orthogonal(matrix) @ right.T
    assert ((turned.diagonal() > 0.6) & (turned.diagonal() < 1.3)).all()
    assert (turned - torch.diag(turned.diagonal())).abs().max() < 1e-4


def test_how_long_the_gradient_is_changes_nothing() -> None:
    matrix = torch.randn(4, 7)
    assert torch.allclose(orthogonal(matrix), orthogonal(1000 * matrix), atol=1e-4)


class Parts(nn.Module):
    """One of each kind of weight."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(5, 4)
        self.map = nn.Linear(4, 6)
        self.kernel = nn.Conv2d(2, 3, 3)
        self.apart = nn.Conv2d(6, 6, 3, groups=6)
        self.tied = nn.Linear(4, 5, bias=False)
        self.tied.weight = self.table.weight
        self.own = nn.Linear(4, 3)
        self.own.is_table = True  # type: ignore[assignment]


def test_maps_are_turned_and_tables_are_not() -> None:
    model = Parts()
    assert turned_by_muon(model) == {model.map.weight, model.kernel.weight}


def stepped(optimiser: str, steps: int = 3) -> tuple[Parts, torch.optim.AdamW]:
    torch.manual_seed(0)
    model = Parts()
    settings = TrainingSettings(updates=1, optimiser=optimiser, weight_decay=0.1, learning_rate=0.01)
    learning = optimiser_of(model, settings)
    for step in range(steps):
        generator = torch.Generator().manual_seed(step)
        for parameter in model.parameters():
            parameter.grad = torch.randn(parameter.shape, generator=generator)
        learning.step()
    return model, learning


def test_all_but_the_maps_learn_as_with_adamw() -> None:
    turned, plain = (dict(stepped(name)[0].named_parameters()) for name in ("muon", "adamw"))
    same = {name for name in turned if torch.equal(turned[name], plain[name])}
    assert set(turned) - same == {"map.weight", "kernel.weight"}


def test_an_update_is_the_turned_momentum() -> None:
    """By the slow way: the singular values of the momentum are set to 1, or nearly."""
    before, after = stepped("muon", 0)[0], stepped("muon", 1)[0]
    generator, gradients = torch.Generator().manual_seed(0), {}
    for name, parameter in before.named_parameters():
        gradients[name] = torch.randn(parameter.shape, generator=generator)
    for name in ("map.weight", "kernel.weight"):
        weight, found = (dict(model.named_parameters())[name].flatten(1) for model in (before, after))
        moved = (weight * (1 - 0.01 * 0.1) - found) / (0.01 * 0.2 * max(weight.shape) ** 0.5)
        left, _, right = torch.linalg.svd(gradients[name].flatten(1), full_matrices=False)
        lengths = (left.T @ moved @ right.T).diagonal()
        assert ((lengths > 0.6) & (lengths < 1.3)).all()
        assert torch.allclose(left @ torch.diag(lengths) @ right, moved, atol=1e-4)


def test_its_memory_has_a_name_for_each_matrix() -> None:
    model, learning = stepped("muon")
    kinds = {flat.rsplit("/", 1)[1] for flat in memory_of(learning, model) if flat.startswith("map.weight/")}
    assert kinds == {"step", "momentum"}


def test_it_learns(tmp_path: Path) -> None:
    toy = Toy(dropout=0.0)
    before = toy.evaluate()["loss"]
    outcome = train(tmp_path, toy, updates=150, optimiser="muon", learning_rate=0.02, schedule="cosine")
    assert outcome.best["loss"] < 0.5 * before
