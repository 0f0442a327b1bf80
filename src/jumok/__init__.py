"""jumok (주목): attention as small exchangeable parts, and systems that say what they looked at.

`import jumok` costs little: a room is imported when its name is first used.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jumok import attention as attention
    from jumok import data as data

__version__ = "0.1.0.dev0"

__all__ = ["__version__", "attention", "data"]

_ROOMS = frozenset({"attention", "data"})


def __getattr__(name: str) -> ModuleType:
    if name in _ROOMS:
        return importlib.import_module(f"jumok.{name}")
    raise AttributeError(f"module 'jumok' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(globals().keys() | _ROOMS)
