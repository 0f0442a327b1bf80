"""Where a training run stands: all that a checkpoint says besides tensors."""

from __future__ import annotations

import torch
from pydantic import BaseModel, ConfigDict, Field

from jumok.core.settings import Settings
from jumok.training.denormals import Denormals, denormals


class Best(Settings):
    """The evaluation that was best so far."""

    model_config = ConfigDict(allow_inf_nan=True, ser_json_inf_nan="constants")

    update: int
    figures: dict[str, float]
    averaged: tuple[int, ...] = ()
    """The updates whose weights were averaged, if they were."""


class Surroundings(Settings):
    """What the bits of the weights depend on besides recipe and data."""

    torch_version: str
    device: str
    capability: str
    """The instructions that torch uses on this CPU."""
    threads: int
    denormals: Denormals = "kept"
    """What becomes of numbers below 1e-38 in all threads."""
    processes: int
    seed: int

    @classmethod
    def here(cls, device: torch.device, world: int, seed: int) -> Surroundings:
        return cls(
            torch_version=torch.__version__,
            device=device.type,
            capability=torch.backends.cpu.get_cpu_capability(),
            threads=torch.get_num_threads(),
            denormals=denormals(),
            processes=world,
            seed=seed,
        )

    def changes(self, before: Surroundings) -> list[str]:
        """What is not as it was, in words."""
        was, now = before.model_dump(), self.model_dump()
        return [f"{name.replace('_', ' ')} {was[name]} -> {now[name]}" for name in now if was[name] != now[name]]


class Window(BaseModel):
    """Sums since the last line of the log."""

    model_config = ConfigDict(extra="forbid")

    updates: int = 0
    loss: float = 0.0
    count: float = 0.0
    parts: dict[str, float] = Field(default_factory=dict)
    seconds: float = 0.0

    def add(self, loss: float, count: float, parts: dict[str, float], seconds: float) -> None:
        self.updates += 1
        self.loss += loss
        self.count += count
        self.seconds += seconds
        for name, value in parts.items():
            self.parts[name] = self.parts.get(name, 0.0) + value


class State(BaseModel):
    """The position in the data, the best so far, and what the stopping depends on."""

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="constants")

    update: int = 0
    """Updates done."""
    epoch: int = 0
    """The epoch that the next batch belongs to."""
    batch: int = 0
    """The number of the next batch in it."""
    seconds: float = 0.0
    """Time spent, over all resumes."""
    cpu_seconds: float = 0.0
    """CPU time of all processes, over all resumes."""
    update_cpu_seconds: float = 0.0
    """The part of it that the updates took: without evaluations, checkpoints and preparation."""
    evaluated: int = 0
    """The update of the last evaluation."""
    best: Best | None = None
    without_better: int = 0
    """Evaluations since the best one."""
    recent: list[int] = Field(default_factory=list)
    """The updates of the last evaluations, whose weights are to be averaged."""
    window: Window = Field(default_factory=Window)
    metrics_bytes: int = 0
    """The length of `metrics.jsonl`."""

    @property
    def epoch_of_last(self) -> int:
        """The epoch of the last update, from 1, as people count."""
        return self.epoch + 1 if self.batch else self.epoch
