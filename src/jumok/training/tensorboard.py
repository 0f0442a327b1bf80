"""The figures of a run for TensorBoard, where it is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from jumok.training.report import Evaluation, Progress, Report


class TensorBoard(Report):
    """Writes scalars into `folder`."""

    def __init__(self, folder: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.folder = folder
        self.writer = SummaryWriter

    def began(self, update: int, last: int | None) -> None:
        self.open = self.writer(str(self.folder), purge_step=update + 1)

    def updated(self, progress: Progress) -> None:
        self.open.add_scalar("train/loss", progress.loss, progress.update)
        self.open.add_scalar("train/learning_rate", progress.learning_rate, progress.update)
        self.open.add_scalar("train/gradient_norm", progress.gradient_norm, progress.update)
        self.open.add_scalar("train/count_per_second", progress.count_per_second, progress.update)
        for name, value in progress.parts.items():
            self.open.add_scalar(f"train/{name}", value, progress.update)

    def evaluated(self, evaluation: Evaluation) -> None:
        kind = "average" if evaluation.averaged else "evaluation"
        for name, value in evaluation.figures.items():
            self.open.add_scalar(f"{kind}/{name}", value, evaluation.update)

    def ended(self) -> None:
        self.open.close()


def is_installed() -> bool:
    return importlib.util.find_spec("tensorboard") is not None
