"""When a run ends, and when it looks at itself: functions of where it stands, so that a resume decides alike."""

from __future__ import annotations

import math
from collections.abc import Mapping

from jumok.core.names import unknown
from jumok.training.settings import TrainingSettings
from jumok.training.state import Best, State


def limit(settings: TrainingSettings, state: State) -> str | None:
    """Which limit is reached: 'updates', 'epochs', 'minutes', or None."""
    if settings.updates and state.update >= settings.updates:
        return "updates"
    if settings.epochs and state.epoch >= settings.epochs:
        return "epochs"
    if settings.minutes and state.seconds >= settings.minutes * 60:
        return "minutes"
    return None


def reason_to_stop(settings: TrainingSettings, state: State) -> str | None:
    """A limit, or 'patience' where the last evaluations brought nothing better."""
    tired = settings.patience is not None and state.without_better >= settings.patience
    return limit(settings, state) or ("patience" if tired else None)


def evaluation_is_due(settings: TrainingSettings, state: State) -> bool:
    """After every so many updates, at the end of an epoch, and at the end of the run; once for each update."""
    if state.update == state.evaluated:
        return False
    every = settings.evaluate_every
    return limit(settings, state) is not None or (state.update % every == 0 if every else state.batch == 0)


def is_better(settings: TrainingSettings, figures: Mapping[str, float], best: Best | None) -> bool:
    """Whether `figures` beat the best so far; without any figures the latest weights are the best."""
    if not figures:
        return True
    if settings.figure not in figures:
        raise ValueError(f"training.figure: {unknown('figure', settings.figure, figures)}")
    new = figures[settings.figure]
    old = best.figures.get(settings.figure, math.nan) if best else math.nan
    if math.isnan(new) or math.isnan(old):
        return not math.isnan(new)
    return new > old if settings.higher_is_better else new < old
