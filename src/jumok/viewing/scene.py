"""A few shapes, texts and blocks of cells, measured in pixels from the top left: what every still picture is made of.

`svg.to_svg` and `png.to_figure` put a scene on paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jumok.viewing.palettes import FRAME, INK, LINES, SOFT, Colours

Places: TypeAlias = tuple[tuple[float, float], ...]
Anchor: TypeAlias = Literal["start", "middle", "end"]

PAPER = {"ink": INK, "soft": SOFT, "line": LINES, "frame": FRAME, "paper": "#ffffff"}
"""What the names of colours stand for on white paper; a colour may also be given as it is."""


@dataclass(frozen=True)
class Shape:
    """A line through places, or an area that they enclose; pointing at it shows what it says."""

    places: Places
    stroke: str = "none"
    width: float = 1.0
    dashes: tuple[float, ...] = ()
    fill: str = "none"
    opacity: float = 1.0
    says: str = ""

    def moved(self, x: float, y: float) -> Shape:
        """The same at another place."""
        return replace(self, places=tuple((each + x, other + y) for each, other in self.places))


@dataclass(frozen=True)
class Words:
    """A text whose baseline begins, is centred or ends at a place, and rises by `slant` degrees.

    full: what it stands for where it was shortened; shown when pointed at.
    """

    text: str
    x: float
    y: float
    size: float
    colour: str = "ink"
    anchor: Anchor = "start"
    slant: int = 0
    bold: bool = False
    full: str = ""

    def moved(self, x: float, y: float) -> Words:
        """The same at another place."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, eq=False)
class Cells:
    """A block of coloured cells in a frame.

    shades: `(rows, columns)`, the number of each cell's colour. colours: `(256, 3)`. lines: how wide the lines between
    the cells are, 0 for none. says: what a cell says when it is pointed at.
    """

    shades: NDArray[np.uint8]
    colours: Colours
    x: float
    y: float
    width: float
    height: float
    lines: float = 0.0
    says: Callable[[int, int], str] | None = None

    def moved(self, x: float, y: float) -> Cells:
        """The same at another place."""
        return replace(self, x=self.x + x, y=self.y + y)


Item: TypeAlias = Shape | Words | Cells


@dataclass(frozen=True)
class Scene:
    """All that a picture shows, in the order of drawing."""

    width: float
    height: float
    about: str
    items: tuple[Item, ...]


def box(x: float, y: float, width: float, height: float) -> Places:
    """The corners of a rectangle."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def together(scenes: Sequence[Scene], across: int = 1) -> Scene:
    """Scenes on one sheet, so many in a row; columns and rows are as wide and high as what they hold."""
    if not scenes:
        raise ValueError("nothing to show; give at least one")
    rows = [scenes[first : first + across] for first in range(0, len(scenes), across)]
    widths = [max(row[place].width for row in rows if place < len(row)) for place in range(len(rows[0]))]
    items: list[Item] = []
    y = 0.0
    for row in rows:
        for place, scene in enumerate(row):
            items.extend(item.moved(sum(widths[:place]), y) for item in scene.items)
        y += max(scene.height for scene in row)
    return Scene(sum(widths), y, "; ".join(scene.about for scene in scenes), tuple(items))
