"""From batches to weights: the loop, the checkpoint, several processes. Knows no model and no data."""

from jumok.training.folder import new_run_folder
from jumok.training.progress import Plain, on_terminal
from jumok.training.report import Evaluation, Outcome, Progress, Report
from jumok.training.settings import TrainingSettings
from jumok.training.task import Loss, Task
from jumok.training.trainer import Trainer
from jumok.training.updating import NotFinite
from jumok.training.weights import load_weights

__all__ = [
    "Evaluation",
    "Loss",
    "NotFinite",
    "Outcome",
    "Plain",
    "Progress",
    "Report",
    "Task",
    "Trainer",
    "TrainingSettings",
    "load_weights",
    "new_run_folder",
    "on_terminal",
]
