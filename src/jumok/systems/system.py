"""What a system is: its recipe, how it is trained, and what a trained one becomes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from jumok.core.settings import Settings
from jumok.systems.cards import write_card
from jumok.systems.folders import Config, write_config
from jumok.systems.waiting import Waiting
from jumok.training import Outcome, Report, Task, Trainer, TrainingSettings
from jumok.training.devices import choose
from jumok.training.processes import joined, summed


class System(Protocol):
    """A kind of model that a recipe can name."""

    recipe: type[Any]
    """The settings that decide one."""

    @staticmethod
    def train(recipe: Any, folder: Path, resume: bool = False, quiet: bool = False) -> Outcome:
        """Train one into `folder`, in which the caller keeps the recipe."""
        ...

    @staticmethod
    def load(*folders: str | Path, device: str = "auto") -> Any:
        """What a model folder becomes, ready to use."""
        ...


Listen = Callable[[Any], Report]
"""Makes somebody who listens to a run, from its task."""


@dataclass(frozen=True)
class Running:
    """A run of one system: where it goes, and who hears of it."""

    training: TrainingSettings
    folder: Path
    seed: int
    resume: bool
    quiet: bool
    is_first: bool
    listen: Listen | None = None
    cpu_began: float = field(default_factory=time.process_time)
    """The CPU time of this process when the run began: reading the data is a part of it."""

    @classmethod
    @contextmanager
    def begun(
        cls, recipe: Any, folder: Path, resume: bool, quiet: bool, listen: Listen | None = None
    ) -> Iterator[Running]:
        """Joins the other processes of a run, if there are any, until it is over."""
        device = choose(recipe.training.device)
        with joined(device) as place:
            if place.world > 1 and any(summed([not folder.is_dir()], device)):
                raise ValueError(f"{folder}: not all machines see it; give --out a folder on a disk that they share")
            yield cls(recipe.training, folder, recipe.seed, resume, quiet, place.is_first, listen)

    @property
    def waiting(self) -> Waiting:
        """What tells the user what is being waited for."""
        return Waiting(self.quiet or not self.is_first)

    def train(self, task: Task, system: str, model: Settings, **more: Any) -> Outcome:
        """Write down what the model is, train it, and write its card; `more` are the other fields of `Config`."""
        if self.is_first and not self.resume:
            write_config(self.folder, Config(system=system, model=model.model_dump(mode="json"), **more))
        parameters = sum(parameter.numel() for parameter in task.model.parameters())
        self.waiting.say(f"model: {parameters:,} parameters")
        resuming = f"jumok train --resume --out {self.folder}"
        report = self.listen(task) if self.listen else Report() if self.quiet else None
        trainer = Trainer(task, self.training, self.folder, self.seed, report, resuming, self.cpu_began)
        outcome = trainer.run(self.resume)
        if self.is_first and outcome.finished:
            write_card(self.folder, parameters, outcome.best)
        return outcome
