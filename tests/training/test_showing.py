"""What a run shows while it goes on."""

from __future__ import annotations

import importlib.machinery
import io
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jumok.training import Plain, on_terminal, tensorboard
from jumok.training.live import Live
from training.toy import train


def test_plain_lines_say_what_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(tmp_path, updates=6, report=Plain(every=0))
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("epoch 1, update 1/6: loss 0.")
    assert any(line.startswith("update 5: loss 0.") and line.endswith("(best)") for line in said)


def test_plain_lines_are_few(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(tmp_path, updates=6, evaluate_every=6, report=Plain(every=1e9))
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_without_a_terminal_the_lines_are_plain() -> None:
    assert isinstance(on_terminal(), Plain)


def test_the_live_line_shows_speed_loss_and_the_best(tmp_path: Path) -> None:
    screen = io.StringIO()
    live = Live(Console(file=screen, force_terminal=True, width=120))
    train(tmp_path, updates=6, report=live)
    shown = screen.getvalue()
    assert "update 5: loss 0." in shown
    last = [line for line in shown.splitlines() if "epoch 2 | 6/6" in line][-1]
    assert "/s | 0 s left | best loss 0." in last


def test_tensorboard_is_told_when_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scalars: list[tuple[str, int]] = []
    made: list[Any] = []

    class SummaryWriter:
        def __init__(self, folder: str, purge_step: int) -> None:
            made.append((folder, purge_step))

        def add_scalar(self, name: str, value: float, step: int) -> None:
            scalars.append((name, step))

        def close(self) -> None:
            made.append("closed")

    installed, writing = types.ModuleType("tensorboard"), types.ModuleType("torch.utils.tensorboard")
    installed.__spec__ = importlib.machinery.ModuleSpec("tensorboard", None)
    writing.SummaryWriter = SummaryWriter  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tensorboard", installed)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", writing)
    assert tensorboard.is_installed()
    train(tmp_path, updates=5)
    assert made == [(str(tmp_path / "tensorboard"), 1), "closed"]
    assert {("train/loss", 1), ("train/cost", 5), ("train/learning_rate", 3), ("evaluation/loss", 5)} <= set(scalars)
