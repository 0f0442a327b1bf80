"""The learning rate of an update."""

from __future__ import annotations

import math

from jumok.training.settings import TrainingSettings


def learning_rate(settings: TrainingSettings, update: int, last: int | None) -> float:
    """The rate of the update numbered `update` (from 1) where `last` is the last one.

    It rises as `update / warmup`; then it stays, or falls as `(1 + cos(pi t)) / 2` where t goes from 0 to 1 at the
    last update (Loshchilov and Hutter 2017), or as `sqrt(warmup / update)` (Vaswani et al. 2017).

    >>> settings = TrainingSettings(updates=100, warmup=10, schedule="inverse_sqrt", learning_rate=1.0)
    >>> [learning_rate(settings, update, 100) for update in (1, 5, 10, 40)]
    [0.1, 0.5, 1.0, 0.5]
    """
    return settings.learning_rate * _share(settings, update, last)


def _share(settings: TrainingSettings, update: int, last: int | None) -> float:
    if update <= settings.warmup:
        return update / settings.warmup
    if settings.schedule == "inverse_sqrt":
        return math.sqrt(max(settings.warmup, 1) / update)
    if settings.schedule == "cosine" and last is not None:
        gone = (update - settings.warmup) / max(last - settings.warmup, 1)
        return (1 + math.cos(math.pi * min(gone, 1.0))) / 2
    return 1.0
