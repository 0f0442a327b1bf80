"""The progress of a run on the terminal: a live line, or plain lines where nobody watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import TextIO

from jumok.training.report import Evaluation, Progress, Report


def on_terminal() -> Report:
    """A live display where stderr is a terminal, else plain lines."""
    if sys.stderr.isatty():
        from jumok.training.live import Live

        return Live()
    return Plain()


class Plain(Report):
    """A line when something is to be said, and one on the progress every so many seconds."""

    def __init__(self, stream: TextIO | None = None, every: float = 10.0) -> None:
        self.stream = stream or sys.stderr
        self.every = every
        self._next = 0.0

    def updated(self, progress: Progress) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self.every
            self.said(line_of(progress))

    def evaluated(self, evaluation: Evaluation) -> None:
        self.said(scores_of(evaluation))

    def said(self, line: str) -> None:
        print(line, file=self.stream, flush=True)


def line_of(progress: Progress) -> str:
    """An update in one line."""
    of = f"/{progress.last}" if progress.last else ""
    left = f", {duration(progress.seconds_left)} left" if progress.seconds_left is not None else ""
    parts = figures_in_words(progress.parts)
    return (
        f"epoch {progress.epoch}, update {progress.update}{of}: loss {progress.loss:.4f}"
        f"{', ' + parts if parts else ''}, {progress.count_per_second:,.0f}/s{left}"
    )


def scores_of(evaluation: Evaluation) -> str:
    """An evaluation in one line."""
    what = f"average of {len(evaluation.averaged)}" if evaluation.averaged else f"update {evaluation.update}"
    return f"{what}: {figures_in_words(evaluation.figures) or 'no figures'}{' (best)' if evaluation.is_best else ''}"


def figures_in_words(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in figures.items())


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(59), duration(3599), duration(7260)
    ('59 s', '59:59', '2:01:00')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
