"""The live line of a run, drawn by rich."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bar

from jumok.training.progress import duration, figures_in_words, scores_of
from jumok.training.report import Evaluation, Progress, Report


class Live(Report):
    """A bar with speed, loss, time left and the best figures; evaluations scroll above it."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)
        self.bar: Bar | None = None
        self.task = TaskID(0)
        self.best = ""

    def began(self, update: int, last: int | None) -> None:
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[facts]}", markup=False),
        )
        self.bar = Bar(*columns, console=self.console, refresh_per_second=4)
        self.task = self.bar.add_task("training", total=last, completed=update, facts="")
        self.bar.start()

    def updated(self, progress: Progress) -> None:
        if self.bar is None:
            return
        of = f"/{progress.last}" if progress.last else ""
        left = f" | {duration(progress.seconds_left)} left" if progress.seconds_left is not None else ""
        facts = f"loss {progress.loss:.3f} | {progress.count_per_second:,.0f}/s{left}{self.best}"
        description = f"epoch {progress.epoch} | {progress.update}{of}"
        self.bar.update(self.task, completed=progress.update, description=description, facts=facts)

    def evaluated(self, evaluation: Evaluation) -> None:
        if evaluation.is_best:
            self.best = f" | best {figures_in_words(evaluation.figures)}"
        self.said(scores_of(evaluation))

    def said(self, line: str) -> None:
        self.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def ended(self) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
