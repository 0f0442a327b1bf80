"""`model.safetensors`: the best weights of a run, or the average of its last ones."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from jumok.core.files import remove_leftovers, written_beside
from jumok.training.checkpoints import Checkpoints, note_for
from jumok.training.state import Best
from jumok.training.weights import load_tensors, note_of, put_weights, save_tensors, weights_of


class BestWeights:
    """The file that a run is about. It follows from the checkpoints, so that a killed run makes it right again."""

    def __init__(self, folder: Path, checkpoints: Checkpoints) -> None:
        self.path = folder / "model.safetensors"
        self.checkpoints = checkpoints

    def clean(self) -> None:
        """Delete what killed processes left."""
        remove_leftovers(self.path.parent, self.path.name)

    def keep(self, best: Best | None) -> None:
        """Make the file the weights of `best`, which a checkpoint holds."""
        if best is None or note_of(self.path) == note_for(best.update):
            return
        with written_beside(self.path) as beside:
            shutil.copyfile(self.checkpoints.weights(best.update, "start again in another folder"), beside)

    def save(self, model: nn.Module, note: str) -> None:
        """Make the file the weights that the model has now."""
        with written_beside(self.path) as beside:
            save_tensors(weights_of(model), beside, note)

    def put_average(self, model: nn.Module, updates: Sequence[int]) -> None:
        """Give the model the mean of the weights of `updates`, which checkpoints hold."""
        remedy = "resume with training.average 0 to leave the average out"
        paths = [self.checkpoints.weights(update, remedy) for update in updates]
        put_weights(model, mean_of([load_tensors(path) for path in paths]), "the average")


def mean_of(weights: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of several models' weights; what is not a floating-point number is taken from the last."""
    return {name: _mean([each[name] for each in weights]) for name in weights[-1]}


def _mean(tensors: Sequence[Tensor]) -> Tensor:
    last = tensors[-1]
    return torch.stack(list(tensors)).double().mean(0).to(last.dtype) if last.is_floating_point() else last
