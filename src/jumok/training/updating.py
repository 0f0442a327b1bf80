"""One update of the weights, from the batches of every process."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from jumok.training import processes
from jumok.training.gradients import Gradients
from jumok.training.optimiser import optimiser_of
from jumok.training.randomness import mix
from jumok.training.schedule import learning_rate
from jumok.training.settings import TrainingSettings
from jumok.training.task import Loss, Task


class NotFinite(ValueError):
    """A loss or a gradient that is infinite or not a number."""


@dataclass(frozen=True)
class Updated:
    """What an update came to, over all its batches and processes."""

    loss: float
    """The sum, as are the parts."""
    count: float
    parts: dict[str, float]
    learning_rate: float
    gradient_norm: float


class Updater:
    """Makes updates: the same numbers for the same weights, batches, seed and update number."""

    def __init__(self, task: Task, settings: TrainingSettings, device: torch.device, seed: int) -> None:
        self.task = task
        self.settings = settings
        self.device = device
        self.seed = seed
        self.place = processes.rank_and_world()
        self.optimiser = optimiser_of(task.model, settings)
        self.gradients = Gradients(task, self.place.world)
        self.autocast = torch.autocast("cuda", torch.bfloat16, settings.autocast and device.type == "cuda")

    def update(self, number: int, last: int | None, batches: Sequence[Any]) -> Updated:
        """Update number `number` (from 1) of `last`, from `batches`. What is not finite changes nothing."""
        torch.manual_seed(mix(self.seed, number, self.place.rank))
        rate = learning_rate(self.settings, number, last)
        for group in self.optimiser.param_groups:
            group["lr"] = rate * group["factor"]
        alone = len(batches) == 1
        losses = []
        for position, batch in enumerate(batches, start=1):
            moved = batch.to(self.device) if hasattr(batch, "to") else batch
            losses.append(self.gradients.add(moved, self.autocast, alone, last=position == len(batches)))
        loss, count, parts = self._summed(losses)
        if not count:
            raise ValueError(f"{ids_of(batches)}: nothing to learn from, the count is 0")
        norm = self.gradients.finish(count, self.settings.clip, alone)
        if not (math.isfinite(loss) and math.isfinite(norm)):
            what = f"the norm of the gradient is {norm}" if math.isfinite(loss) else f"the loss is {loss}"
            bad = [batch for batch, its in zip(batches, losses, strict=True) if not math.isfinite(its.sum)]
            raise NotFinite(f"{ids_of(batches if math.isfinite(loss) else bad)}: {what}")
        self.optimiser.step()
        self.optimiser.zero_grad()
        with torch.no_grad():
            self.task.updated(parts, count)
        return Updated(loss, count, parts, rate, norm)

    def _summed(self, losses: Sequence[Loss]) -> tuple[float, float, dict[str, float]]:
        names = sorted(losses[0].parts)
        scalars = [_scalar(value) for loss in losses for value in (loss.sum, *(loss.parts[name] for name in names))]
        table = torch.stack([scalar.to(self.device) for scalar in scalars]).cpu().double().view(len(losses), -1)
        mine = [float(sum(loss.count for loss in losses)), *table.sum(0).tolist()]
        count, loss, *parts = processes.summed(mine, self.device)
        return loss, count, dict(zip(names, parts, strict=True))


def ids_of(batches: Sequence[Any]) -> str:
    """The numbers of the examples in the batches of all processes, where batches have `numbers`."""
    mine = [int(number) for batch in batches for number in getattr(batch, "numbers", ())]
    ids = [number for theirs in processes.gathered(mine) for number in theirs]
    return f"batch of examples {' '.join(map(str, ids))}" if ids else "batch"


def _scalar(value: Tensor | float) -> Tensor:
    return torch.as_tensor(value).detach().float().reshape(())
