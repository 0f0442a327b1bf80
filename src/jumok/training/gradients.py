"""From the losses of an update's batches to one gradient, with few passes over it."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils import get_total_norm

from jumok.training.task import Loss, Task


class Gradients:
    """Adds the gradients of losses into the model's parameters; under several processes those of all."""

    def __init__(self, task: Task, world: int) -> None:
        self.task = task
        self.world = world
        self.shared = shared_loss(task) if world > 1 else None
        self.parameters = [parameter for parameter in task.model.parameters() if parameter.requires_grad]

    def add(self, batch: Any, autocast: torch.autocast, only: bool, last: bool) -> Loss:
        """The loss of `batch`; its gradients are added. `only`: the one batch of this update; `last`: no other follows.

        An update of one batch in one process is divided by its count at once, and spares a pass over the gradient.
        """
        waits = self.shared is not None and not last
        with self.shared.no_sync() if self.shared is not None and waits else contextlib.nullcontext():
            with autocast:
                loss = self.shared(batch) if self.shared is not None else self.task.loss(batch)
            divisor = self._divided_already(only, loss.count)
            if loss.sum.requires_grad:
                (loss.sum / divisor if divisor != 1 else loss.sum).backward()
        return replace(loss, sum=loss.sum.detach())

    def finish(self, count: float, clip: float | None, only: bool) -> float:
        """Divide by the count over all batches and processes, clip, and return the norm before clipping."""
        gradients = [parameter.grad for parameter in self.parameters if parameter.grad is not None]
        # Several processes: the gradients that came back are means over the processes.
        scale = self._divided_already(only, count) / count * self.world
        norm = get_total_norm(gradients).item() * scale
        if clip is not None and norm > clip:
            scale *= clip / norm
        if scale != 1:
            torch._foreach_mul_(gradients, scale)
        return norm

    def _divided_already(self, only: bool, count: float) -> float:
        return count if only and self.world == 1 and count else 1.0


def shared_loss(task: Task) -> DistributedDataParallel:
    """`task.loss` with gradients that are the mean over all processes; what a task starts with is the first one's."""
    for buffer in task.model.buffers():
        torch.distributed.broadcast(buffer, src=0)
    return DistributedDataParallel(_SharedLoss(task), gradient_as_bucket_view=True, find_unused_parameters=True)


class _SharedLoss(nn.Module):
    """The loss as a module, for DistributedDataParallel: it sees the parameters, and no buffers.

    With `find_unused_parameters` the buckets stay as they were laid out. Without it they are laid out anew after the
    first update, gradients of three or more processes are then added in another order, and a resumed run differs in
    its last bits. A parameter that is never used spares the warning that there is none.
    """

    def __init__(self, task: Task) -> None:
        super().__init__()
        self.shared = nn.ParameterList(parameter for parameter in task.model.parameters() if parameter.requires_grad)
        self.never_used = nn.Parameter(self.shared[0].new_zeros(1))
        self.task = [task]  # in a list, so that the model is not registered

    def forward(self, batch: Any) -> Loss:
        loss = self.task[0].loss(batch)
        return replace(loss, sum=_Reaching.apply(loss.sum, *self.shared))  # type: ignore[no-untyped-call]


class _Reaching(torch.autograd.Function):
    """A sum that reaches every parameter, if only with no gradient: each process answers for each parameter,
    though its share of the batch be empty or a parameter unused."""

    @staticmethod
    def forward(ctx: Any, total: Tensor, *parameters: Tensor) -> Tensor:
        ctx.parameters = len(parameters)
        return total.clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        return (gradients[0], *[None] * ctx.parameters)
