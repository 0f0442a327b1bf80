"""Whether a run can go on with another recipe: what differs, but for how long it trains and where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from jumok.core.settings import Settings

# How long, how often saved, and on what: none of it changes what an update does.
FREE = frozenset(
    {
        "data.root",
        "training.updates",
        "training.epochs",
        "training.minutes",
        "training.patience",
        "training.checkpoint_every",
        "training.checkpoint_minutes",
        "training.keep",
        "training.log_every",
        "training.device",
        "training.threads",
    }
)


class Difference(NamedTuple):
    """A field that is not the same in two recipes."""

    field: str
    before: Any
    now: Any


def differences(before: Settings, now: Settings) -> list[Difference]:
    """The fields in which two recipes differ, in the order of the recipe; those that may differ are left out."""
    pairs = _differing("", before.model_dump(mode="json"), now.model_dump(mode="json"))
    return [found for found in pairs if found.field not in FREE]


def _differing(field: str, before: Any, now: Any) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(now, dict):
        for name in [*before, *(name for name in now if name not in before)]:
            yield from _differing(f"{field}.{name}".lstrip("."), before.get(name), now.get(name))
    elif before != now:
        yield Difference(field, before, now)
