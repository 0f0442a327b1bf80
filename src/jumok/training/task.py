"""What can be trained: the protocol of a task, and the loss that it returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from torch import Tensor, nn


@dataclass(frozen=True)
class Loss:
    """What a batch cost: a sum, and the number that it is to be divided by.

    Sums, not means: the trainer divides by the count over all batches and processes of an update, so that a token
    weighs the same wherever it stands.
    """

    sum: Tensor
    """The sum over the batch, a scalar with its graph."""
    count: float
    """How many things were summed (target tokens, nodes); 0 for an empty batch."""
    parts: Mapping[str, Tensor | float] = field(default_factory=dict)
    """Other sums to be logged (divided by the count) and handed to `updated`; the same names in every batch."""


class Task(Protocol):
    """A model, its data, and what it is judged by.

    Random numbers are drawn from torch's default generators, which the trainer seeds anew for every update.
    """

    @property
    def model(self) -> nn.Module:
        """What is trained."""

    def batches(self, epoch: int) -> Sequence[Any]:
        """The batches of an epoch, always the same for the same epoch; built when they are asked for.

        Under several processes each returns its own share, as many batches as the others; a share may be empty.
        """

    def loss(self, batch: Any) -> Loss:
        """The loss of a batch, which was moved by `batch.to(device)` where it has such a method."""

    def evaluate(self) -> Mapping[str, float]:
        """Figures by name, on data held out; called without gradients and in eval mode, by the first process only."""

    def updated(self, parts: Mapping[str, float], count: float) -> None:
        """Told after every update, in every process alike, what `parts` and `count` came to over all processes.

        What it changes must be a buffer of the model, so that a checkpoint holds it.
        """
