"""How good answers are, task by task, and whether the sentences that count were looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from rich.table import Table

PASSED = 0.05
"""A task is solved where at most this share of its answers is wrong (Weston et al. 2015)."""


@dataclass(frozen=True)
class TaskScore:
    """The figures of a task.

    error: the share of wrong answers.
    hits: for each hop, how often the sentence that it looked at most is a supporting fact.
    any_hit: how often at least one hop did. all_facts: how often every supporting fact was looked at most by a hop.
    Questions without supporting facts do not count for these; where there are no others they are NaN.
    """

    task: str
    questions: int
    error: float
    hits: tuple[float, ...]
    any_hit: float
    all_facts: float


@dataclass(frozen=True)
class AnswerReport:
    """The figures of all tasks."""

    tasks: tuple[TaskScore, ...]

    @property
    def mean_error(self) -> float:
        """The mean of the tasks' errors, each task counting alike."""
        return float(np.mean([task.error for task in self.tasks]))

    @property
    def failed(self) -> int:
        """How many tasks have more than 5 % wrong answers."""
        return sum(task.error > PASSED for task in self.tasks)

    @property
    def mean(self) -> TaskScore:
        """The mean of all tasks."""
        hops = zip(*(task.hits for task in self.tasks), strict=True)
        return TaskScore(
            "mean",
            sum(task.questions for task in self.tasks),
            self.mean_error,
            tuple(_mean(list(hop)) for hop in hops),
            _mean([task.any_hit for task in self.tasks]),
            _mean([task.all_facts for task in self.tasks]),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is not known is null."""
        return {
            "mean_error": self.mean_error,
            "failed": self.failed,
            "tasks": [_plain(task) for task in (*self.tasks, self.mean)],
        }

    def table(self) -> Table:
        """A table for the terminal, in percent."""
        from rich.table import Table

        table = Table(box=None, pad_edge=False)
        table.add_column("task", no_wrap=True)
        hops = [f"hop {number}" for number in range(1, len(self.tasks[0].hits) + 1)]
        for name in ("questions", "error %", *hops, "any hop", "all facts"):
            table.add_column(name, justify="right", no_wrap=True)
        for task in (*self.tasks, self.mean):
            shares = [_percent(share) for share in (*task.hits, task.any_hit, task.all_facts)]
            style = "bold" if task.task == "mean" else "yellow" if task.error > PASSED else None
            table.add_row(task.task, f"{task.questions:,}", f"{100 * task.error:.1f}", *shares, style=style)
        return table


def score_answers(
    tasks: Sequence[str],
    right: Sequence[bool],
    peaks: Sequence[Sequence[int]],
    support: Sequence[Sequence[int]],
) -> AnswerReport:
    """The figures of some questions: of each its task, whether it was answered right, the sentence that each hop
    looked at most, and its supporting facts."""
    if not len(tasks) == len(right) == len(peaks) == len(support):
        raise ValueError("score_answers: give as many tasks, answers, peaks and supporting facts")
    if not tasks:
        raise ValueError("there are no questions to score")
    names = np.array(tasks)
    return AnswerReport(
        tuple(_task(task, np.flatnonzero(names == task), right, peaks, support) for task in dict.fromkeys(tasks))
    )


def _task(
    task: str,
    numbers: npt.NDArray[np.intp],
    right: Sequence[bool],
    peaks: Sequence[Sequence[int]],
    support: Sequence[Sequence[int]],
) -> TaskScore:
    known = [number for number in numbers if support[number]]
    found = [[peak in support[number] for peak in peaks[number]] for number in known]
    hits = np.mean(found, axis=0) if found else np.full(len(peaks[numbers[0]]), np.nan)
    return TaskScore(
        task,
        len(numbers),
        1 - float(np.mean([right[number] for number in numbers])),
        tuple(hits.tolist()),
        _mean([float(any(row)) for row in found]),
        _mean([float(set(support[number]) <= set(peaks[number])) for number in known]),
    )


def _mean(values: Sequence[float]) -> float:
    """The mean of what is known."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _plain(task: TaskScore) -> dict[str, Any]:
    values = {"task": task.task, "questions": task.questions, "error": task.error}
    return values | {
        "hits": [_known(hit) for hit in task.hits],
        "any_hit": _known(task.any_hit),
        "all_facts": _known(task.all_facts),
    }


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


def _percent(share: float) -> str:
    return "" if np.isnan(share) else f"{100 * share:.1f}"
