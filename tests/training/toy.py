"""A small task that needs everything: dropout, a norm, a moving baseline, a tied weight, empty shares."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from jumok.training import Evaluation, Loss, Outcome, Progress, Report, Trainer, TrainingSettings
from jumok.training.processes import rank_and_world


@dataclass(frozen=True)
class Rows:
    """A batch: the numbers of the examples, and the examples."""

    numbers: Tensor
    inputs: Tensor
    targets: Tensor

    def to(self, device: torch.device) -> Rows:
        return Rows(self.numbers, self.inputs.to(device), self.targets.to(device))


class Net(nn.Module):
    """A net with dropout, a norm, a tied weight, a buffer that moves, and a parameter that nothing uses."""

    def __init__(self, dropout: float, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.drop = nn.Dropout(dropout)
        self.second = nn.Linear(width, width, bias=False)
        self.second.weight = self.first.weight
        self.out = nn.Linear(width, 1)
        self.unused = nn.Parameter(torch.ones(3))
        self.register_buffer("baseline", torch.zeros(()))

    def forward(self, inputs: Tensor) -> Tensor:
        hidden = self.drop(torch.tanh(self.norm(self.first(inputs))))
        return self.out(torch.tanh(self.second(hidden))).squeeze(-1)


class Toy:
    """Learns a function of a few numbers; each process takes its rows of every batch."""

    def __init__(
        self, dropout: float = 0.2, examples: int = 40, size: int = 8, width: int = 6, bad: int | None = None
    ) -> None:
        torch.manual_seed(3)
        self.model = Net(dropout, width)
        self.inputs = torch.randn(examples, width)
        self.targets = (self.inputs[:, 0] * self.inputs[:, 1]).sin() + 0.5
        self.size = size
        self.bad = bad

    def batches(self, epoch: int) -> Sequence[Rows]:
        order = torch.randperm(len(self.inputs), generator=torch.Generator().manual_seed(epoch))
        rank, world = rank_and_world()
        return [self.rows(numbers[rank::world]) for numbers in order.split(self.size)]

    def rows(self, numbers: Tensor) -> Rows:
        targets = self.targets[numbers].clone()
        targets[numbers == self.bad] = torch.nan
        return Rows(numbers, self.inputs[numbers], targets)

    def loss(self, batch: Rows) -> Loss:
        costs = (self.model(batch.inputs) - batch.targets).square()
        bonus = (costs.detach() - self.model.baseline) * self.model.out.bias.sum()
        return Loss((costs + 0.1 * bonus).sum(), float(len(costs)), {"cost": costs.sum()})

    def evaluate(self) -> Mapping[str, float]:
        return {"loss": (self.model(self.inputs) - self.targets).square().mean().item(), "answer": 42.0}

    def updated(self, parts: Mapping[str, float], count: float) -> None:
        self.model.baseline.mul_(0.9).add_(0.1 * parts["cost"] / count)


def train(
    folder: Path, task: Toy | None = None, resume: bool = False, report: Report | None = None, **settings: Any
) -> Outcome:
    """Train a toy in `folder`."""
    checked = TrainingSettings(**{"updates": 30, "log_every": 1} | settings)
    return Trainer(task or Toy(), checked, folder, 1, report or Report(), "`again`").run(resume)


def lines_of(folder: Path) -> list[dict[str, Any]]:
    """The log of a run."""
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]


def last_of(folder: Path, name: str = "weights.safetensors") -> dict[str, Tensor]:
    """The tensors of the last checkpoint."""
    index = json.loads((folder / "checkpoints/state.json").read_text(encoding="utf-8"))
    return load_file(folder / f"checkpoints/{index['last']}" / name)


def same(ones: Mapping[str, Tensor], others: Mapping[str, Tensor]) -> bool:
    """Bit for bit."""
    return ones.keys() == others.keys() and all(torch.equal(ones[name], others[name]) for name in ones)


class Heard(Report):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.updates: list[Progress] = []
        self.evaluations: list[Evaluation] = []

    def updated(self, progress: Progress) -> None:
        self.updates.append(progress)

    def evaluated(self, evaluation: Evaluation) -> None:
        self.evaluations.append(evaluation)

    def said(self, line: str) -> None:
        self.lines.append(line)


class Dropped(Exception):
    """A run that fell over."""


class During(Toy):
    """Does something while an update is being computed."""

    def __init__(self, update: int, something: Callable[[], None]) -> None:
        super().__init__()
        self.left = update
        self.something = something

    def loss(self, batch: Rows) -> Loss:
        self.left -= 1
        if self.left == 0:
            self.something()
        return super().loss(batch)


def drop() -> None:
    raise Dropped
