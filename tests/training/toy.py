"""A small task that needs everything: dropout, a moving baseline, a tied weight; and a script that trains it.

As a script: `python toy.py FOLDER SETTINGS-AS-JSON [--resume]`; it prints the outcome's reason.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from jumok.training import Loss, Plain, Report, Trainer, TrainingSettings
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

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.first = nn.Linear(6, 6)
        self.norm = nn.LayerNorm(6)
        self.drop = nn.Dropout(dropout)
        self.second = nn.Linear(6, 6, bias=False)
        self.second.weight = self.first.weight
        self.out = nn.Linear(6, 1)
        self.unused = nn.Parameter(torch.ones(3))
        self.register_buffer("baseline", torch.zeros(()))

    def forward(self, inputs: Tensor) -> Tensor:
        hidden = self.drop(torch.tanh(self.norm(self.first(inputs))))
        return self.out(torch.tanh(self.second(hidden))).squeeze(-1)


class Toy:
    """Learns a function of six numbers; each process takes its rows of every batch."""

    def __init__(self, dropout: float = 0.2, examples: int = 40, size: int = 8, bad: int | None = None) -> None:
        torch.manual_seed(3)
        self.model = Net(dropout)
        self.inputs = torch.randn(examples, 6)
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


def train(folder: Path, task: Toy | None = None, resume: bool = False, report: Report | None = None, **settings):
    """Train a toy in `folder`; returns the outcome."""
    checked = TrainingSettings(**{"updates": 30, "log_every": 1} | settings)
    return Trainer(task or Toy(), checked, folder, 1, report or Report(), "`again`").run(resume)


if __name__ == "__main__":
    torch.set_num_threads(1)
    print("ready", flush=True)
    values = json.loads(sys.argv[2])
    toy = Toy(values.pop("dropout", 0.2), size=values.pop("size", 8))
    try:
        outcome = train(Path(sys.argv[1]), toy, "--resume" in sys.argv, Plain(every=1e9), **values)
    except (ValueError, OSError) as error:
        sys.exit(f"toy: {error}")
    print(outcome.reason)
