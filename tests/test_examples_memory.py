"""The examples of sequence memory run, and show what they say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

ROOT = Path(__file__).parent.parent


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_kernel_draws_a_curve_and_its_matrix(tmp_path: Path) -> None:
    fits = loaded("kernel_regression").main(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"curves.svg", *(f"{kernel}.svg" for kernel in fits)}
    for fit in fits.values():
        torch.testing.assert_close(fit.weights.sum(1), torch.ones(len(fit.curve)))
    near = [fits[kernel].error for kernel in ("gaussian", "epanechnikov", "boxcar")]
    assert max(near) < 0.2
    assert fits["constant"].error > 4 * max(near)  # it says the mean everywhere


def test_the_matrix_of_a_kernel_follows_the_points(tmp_path: Path) -> None:
    """Query and points go from left to right, so the place of most weight never goes back."""
    fit = loaded("kernel_regression").main(tmp_path)["gaussian"]
    assert (np.diff(fit.weights.argmax(1).numpy()) >= 0).all()


@pytest.mark.slow
def test_the_memory_copies_sequences_longer_than_it_saw(tmp_path: Path) -> None:
    example = loaded("copy_memory")
    model = example.main(tmp_path)
    assert (tmp_path / "copy.svg").stat().st_size > 1000
    assert example.accuracy(model, 10) > 0.99  # it learned from 2 to 6
    look = example.looked(model, 8).matrix
    places = look.argmax(1)
    assert (np.diff(places[:8]) % model.rows == places[1] - places[0]).all()  # the write head moves on evenly
    assert (places[8:] == places[:8]).all()  # and the read head goes where it went
    assert look.max(1).min() > 0.9


def test_an_untrained_memory_does_not_copy() -> None:
    example = loaded("copy_memory")
    torch.manual_seed(0)
    assert example.accuracy(example.CopyMemory(), 6) < 0.8
