"""jumok (주목): attention as small exchangeable parts, and systems that say what they looked at.

`import jumok` costs little: a room is imported when its name is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jumok.core.lazy import lazy

if TYPE_CHECKING:
    from jumok import attention as attention
    from jumok import data as data
    from jumok import models as models
    from jumok import recipes as recipes
    from jumok import systems as systems
    from jumok import training as training
    from jumok.recipes.running import train as train

__version__ = "0.1.0.dev0"

_HOMES = {room: f"jumok.{room}" for room in ("attention", "data", "models", "recipes", "systems", "training")}
_HOMES["train"] = "jumok.recipes.running"

__all__ = ["__version__", "attention", "data", "models", "recipes", "systems", "train", "training"]

__getattr__, _names = lazy(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *_names()})
