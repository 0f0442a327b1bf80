"""The alignment picture: a square for each pair of what came out and what was looked at.

As in Bahdanau et al. 2015, figure 3.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from jumok.viewing.grid import Grid
from jumok.viewing.layout import MARGIN, NAMES, TITLE, Layout, laid_out
from jumok.viewing.palettes import Colours, begins_white, shades
from jumok.viewing.scene import Anchor, Cells, Item, Scene, Words
from jumok.viewing.text import figure


def matrix_scene(grid: Grid, palette: str = "blue") -> Scene:
    """The whole picture: title, names of the axes, labels, cells and the scale."""
    colours, layout = shades(palette), laid_out(grid)
    items: list[Item] = []
    if grid.title:
        items.append(Words(grid.title, MARGIN, MARGIN + 14, TITLE, bold=True))
    items.extend(_names(grid, layout))
    items.extend(_labels(layout))
    if grid.weights.size:
        items.append(_cells(grid, layout, colours, grid.top_in(palette)))
        items.extend(scale(grid.top_in(palette), colours, layout.left, layout.top + layout.height + 20))
    else:
        items.append(Words("nothing to show", layout.left + 8, layout.top + 16, 12, "soft"))
    return Scene(layout.sheet_width, layout.sheet_height, about(grid), tuple(items))


def about(grid: Grid) -> str:
    """What a reader hears who cannot see the picture."""
    size = f"{len(grid.down)} × {len(grid.across)}"
    return f"{grid.title or 'Attention'}: {grid.down_name} by {grid.across_name}, {size} weights"


def shaded(weights: NDArray[np.float32], top: float) -> NDArray[np.uint8]:
    """The number of each weight's colour: 0 for 0, 255 from `top` on."""
    places: NDArray[np.uint8] = np.clip(weights / top * 255, 0, 255).round().astype(np.uint8)
    return places


def scale(top: float, colours: Colours, x: float, y: float) -> Iterator[Item]:
    """The scale: a strip of the colours between 0 and the top."""
    strip = np.linspace(0, 255, 30).round().astype(np.uint8)[None]
    yield Cells(strip, colours, x + 12, y, 120, 8)
    yield Words("0", x, y + 8, 11, "soft")
    yield Words(figure(top), x + 138, y + 8, 11, "soft")


def _names(grid: Grid, layout: Layout) -> Iterator[Words]:
    yield Words(f"{grid.down_name} ↓", layout.left - 8, layout.top - layout.name_above, NAMES, "soft", "end")
    yield Words(f"{grid.across_name} →", layout.left, layout.across_name_at, NAMES, "soft")


def _labels(layout: Layout) -> Iterator[Words]:
    left, top, size = layout.left, layout.top, layout.letters
    for label in layout.down:
        yield Words(label.text, left - 8, top + label.place + 0.35 * size, size, anchor="end", full=label.full)
    for label in layout.across:
        x = left + label.place + 0.25 * size * bool(layout.slant)
        anchor: Anchor = "start" if layout.slant else "middle"
        yield Words(label.text, x, top - 6, size, anchor=anchor, slant=layout.slant, full=label.full)


def _cells(grid: Grid, layout: Layout, colours: Colours, top: float) -> Cells:
    has_room = min(layout.cell_width, layout.cell_height) >= 8
    width = (1 if layout.cell_width >= 20 else 0.5) if has_room and begins_white(colours) else 0
    places = (layout.left, layout.top, layout.width, layout.height)
    return Cells(shaded(grid.weights, top), colours, *places, lines=width, says=grid.cell)
