"""A drawing: the box it fills, in units, and the function that fills it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from jumok.data.scenes.pen import Pen, Tone

_GROUPS = ("animals", "food", "home", "nature", "things", "vehicles")


@dataclass(frozen=True)
class Drawing:
    """Draws one kind of object in a colour, within a box of units that its lines touch but do not leave."""

    left: float
    top: float
    right: float
    bottom: float
    draw: Callable[[Pen, Tone], None]

    @property
    def width(self) -> float:
        """The width of the box."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height of the box."""
        return self.bottom - self.top


def drawing(left: float, top: float, right: float, bottom: float) -> Callable[[Callable[[Pen, Tone], None]], Drawing]:
    """Makes a function the drawing of the kind that it is named after."""
    return lambda draw: Drawing(left, top, right, bottom, draw)


@cache
def drawings() -> dict[str, Drawing]:
    """All drawings by the name of their kind."""
    groups = [vars(import_module(f"jumok.data.scenes.drawings.{group}")) for group in _GROUPS]
    return {name: found for group in groups for name, found in group.items() if isinstance(found, Drawing)}
