"""jumok (주목): attention as small exchangeable parts, and systems that say what they looked at.

`import jumok` costs little: a room is imported when its name is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jumok.core.lazy import lazy

if TYPE_CHECKING:
    from jumok import attention as attention
    from jumok import data as data
    from jumok import decoding as decoding
    from jumok import evaluation as evaluation
    from jumok import models as models
    from jumok import recipes as recipes
    from jumok import systems as systems
    from jumok import training as training
    from jumok import viewing as viewing
    from jumok.recipes.running import train as train
    from jumok.systems.loading import load as load

__version__ = "0.1.0"

_ROOMS = ("attention", "data", "decoding", "evaluation", "models", "recipes", "systems", "training", "viewing")
_HOMES = {room: f"jumok.{room}" for room in _ROOMS}
_HOMES |= {"load": "jumok.systems.loading", "train": "jumok.recipes.running"}

__all__ = ["__version__", *sorted(_HOMES)]

__getattr__, _names = lazy(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *_names()})
