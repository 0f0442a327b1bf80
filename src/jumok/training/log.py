"""The log of a run: every update to the listener, every so many to `metrics.jsonl`."""

from __future__ import annotations

from jumok.training.metrics import Metrics
from jumok.training.report import Evaluation, Progress, Report
from jumok.training.state import State, Window
from jumok.training.updating import Updated


class Log:
    """Tells what happens. Processes other than the first have no `metrics`, and a listener that keeps quiet."""

    def __init__(self, report: Report, metrics: Metrics | None, every: int, last: int | None) -> None:
        self.report = report
        self.metrics = metrics
        self.every = every
        self.last = last
        self.recent = Speed()

    def updated(self, state: State, update: Updated, seconds: float) -> None:
        """`state` after an update that took so many seconds."""
        window = state.window
        window.add(update.loss, update.count, update.parts, seconds)
        self.recent.add(update.count, seconds)
        self.report.updated(
            Progress(
                update=state.update,
                epoch=state.epoch_of_last,
                last=self.last,
                loss=update.loss / update.count,
                parts={name: value / update.count for name, value in update.parts.items()},
                learning_rate=update.learning_rate,
                gradient_norm=update.gradient_norm,
                count=update.count,
                count_per_second=self.recent.counts,
                seconds=state.seconds,
                seconds_left=(self.last - state.update) * self.recent.update if self.last else None,
            )
        )
        if window.updates >= self.every:
            self._write(
                {
                    "update": state.update,
                    "epoch": state.epoch_of_last,
                    "loss": window.loss / window.count,
                    **{name: value / window.count for name, value in window.parts.items() if name != "loss"},
                    "learning_rate": update.learning_rate,
                    "gradient_norm": update.gradient_norm,
                    "count": window.count,
                    "seconds": round(state.seconds, 3),
                    "count_per_second": round(window.count / max(window.seconds, 1e-9), 1),
                }
            )
            state.window = Window()

    def evaluated(self, state: State, evaluation: Evaluation) -> None:
        self.report.evaluated(evaluation)
        line = {
            "update": state.update,
            "epoch": state.epoch_of_last,
            "evaluation": dict(evaluation.figures),
            "best": evaluation.is_best,
            "seconds": round(evaluation.seconds, 3),
            "cpu_seconds": round(state.cpu_seconds, 3),
            "update_cpu_seconds": round(state.update_cpu_seconds, 3),
        }
        self._write(line | ({"averaged": list(evaluation.averaged)} if evaluation.averaged else {}))

    def sync(self) -> int:
        """Bring the file to the disk; returns its length."""
        if self.metrics is None:
            return 0
        self.metrics.sync()
        return self.metrics.length

    def _write(self, line: dict[str, object]) -> None:
        if self.metrics is not None:
            self.metrics.add(line)


class Speed:
    """Seconds per update and counts per second, with the latest updates weighing most."""

    MEMORY = 0.95

    def __init__(self) -> None:
        self._weight = self._count = self._seconds = 0.0

    def add(self, count: float, seconds: float) -> None:
        self._weight = self._weight * self.MEMORY + 1
        self._count = self._count * self.MEMORY + count
        self._seconds = self._seconds * self.MEMORY + seconds

    @property
    def update(self) -> float:
        return self._seconds / self._weight

    @property
    def counts(self) -> float:
        return self._count / max(self._seconds, 1e-9)
