"""What a run tells while it goes on: the records, and who listens to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from jumok.training.state import Best, State


@dataclass(frozen=True)
class Progress:
    """One update."""

    update: int
    epoch: int
    last: int | None
    """The last update, where it is known."""
    loss: float
    parts: Mapping[str, float]
    """Means over `count`, like the loss."""
    learning_rate: float
    gradient_norm: float
    count: float
    count_per_second: float
    seconds: float
    """Since the run began, resumes included."""
    seconds_left: float | None


@dataclass(frozen=True)
class Evaluation:
    """Figures on held-out data."""

    update: int
    epoch: int
    figures: Mapping[str, float]
    is_best: bool
    seconds: float
    averaged: tuple[int, ...] = ()
    """The updates whose weights were averaged, if they were."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    reason: str
    """'updates', 'epochs', 'minutes', 'patience', or 'interrupted'."""
    update: int
    epoch: int
    seconds: float
    best_update: int | None = None
    best: Mapping[str, float] = field(default_factory=dict)
    """The figures of the weights in `model.safetensors`."""
    averaged: tuple[int, ...] = ()
    cpu_seconds: float = 0.0
    """CPU time of all processes."""

    @classmethod
    def of(cls, reason: str, state: State) -> Outcome:
        best = state.best or Best(update=0, figures={})
        updates = (state.update, state.epoch_of_last, state.seconds)
        return cls(reason, *updates, best.update or None, best.figures, best.averaged, state.cpu_seconds)

    @property
    def finished(self) -> bool:
        return self.reason != "interrupted"


class Report:
    """Listens to a run; this one keeps quiet."""

    def began(self, update: int, last: int | None) -> None:
        """Training starts, or goes on from `update`; `last` is the last one, where it is known."""

    def updated(self, progress: Progress) -> None:
        """The weights were updated."""

    def evaluated(self, evaluation: Evaluation) -> None:
        """The weights were evaluated."""

    def said(self, line: str) -> None:
        """A line that the user should read."""

    def ended(self) -> None:
        """Training ended, well or not."""


class Reports(Report):
    """Several listeners as one."""

    def __init__(self, listeners: Sequence[Report]) -> None:
        self.listeners = listeners

    def began(self, update: int, last: int | None) -> None:
        for listener in self.listeners:
            listener.began(update, last)

    def updated(self, progress: Progress) -> None:
        for listener in self.listeners:
            listener.updated(progress)

    def evaluated(self, evaluation: Evaluation) -> None:
        for listener in self.listeners:
            listener.evaluated(evaluation)

    def said(self, line: str) -> None:
        for listener in self.listeners:
            listener.said(line)

    def ended(self) -> None:
        for listener in self.listeners:
            listener.ended()
