"""The alignment picture as SVG, written by hand: text stays text, a cell says its number when pointed at.

One square for each pair of what came out and what was looked at (Bahdanau et al. 2015, figure 3).
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from jumok.viewing.grid import Grid
from jumok.viewing.layout import MARGIN, NAMES, TITLE, Label, Layout, laid_out
from jumok.viewing.palettes import FRAME, INK, LINES, SOFT, Colours, begins_white, hexadecimal, shades
from jumok.viewing.pixels import indexed_png
from jumok.viewing.text import FONTS, figure, length

MOST_CELLS = 10_000
"""A map with more cells is one image; its cells could not be pointed at anyway."""


def svg(grid: Grid, palette: str = "blue") -> str:
    """The whole picture: title, names of the axes, labels, cells and the scale."""
    colours = shades(palette)
    layout = laid_out(grid)
    left, top, width, height = layout.left, layout.top, layout.sheet_width, layout.sheet_height
    size = f'width="{length(width)}" height="{length(height)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {length(width)} {length(height)}" {size}'
        f' style="max-width:100%;height:auto" role="img" aria-label={quoteattr(_about(grid))}'
        f' font-family="{FONTS}" fill="{INK}">',
        f'<rect {size} rx="6" fill="#ffffff"/>',
    ]
    if grid.title:
        parts.append(_text(grid.title, MARGIN, MARGIN + 14, size=TITLE, more=' font-weight="600"'))
    at_end = f' text-anchor="end" fill="{SOFT}"'
    parts.append(_text(f"{grid.down_name} ↓", left - 8, top - layout.name_above, size=NAMES, more=at_end))
    parts.append(_text(f"{grid.across_name} →", left, layout.across_name_at, size=NAMES, more=f' fill="{SOFT}"'))
    parts.extend(_labels(layout))
    parts.extend(_cells(grid, layout, colours))
    parts.append(f'<rect {_whole(layout)} fill="none" stroke="{FRAME}"/>')
    if grid.weights.size:
        parts.extend(_scale(grid.top, colours, left, top + layout.height + 20))
    return "\n".join([*parts, "</svg>\n"])


def _about(grid: Grid) -> str:
    size = f"{len(grid.down)} × {len(grid.across)}"
    return f"{grid.title or 'Attention'}: {grid.down_name} by {grid.across_name}, {size} weights"


def _labels(layout: Layout) -> Iterator[str]:
    left, top = layout.left, layout.top
    size = f' font-size="{length(layout.letters)}"'
    yield f'<g text-anchor="end"{size}>'
    for label in layout.down:
        yield _label(label, f'x="{length(left - 8)}" y="{length(top + label.place + 0.35 * layout.letters)}"')
    anchor = "start" if layout.slant else "middle"
    yield f'</g><g text-anchor="{anchor}"{size}>'
    for label in layout.across:
        x, y = length(left + label.place + 0.25 * layout.letters * bool(layout.slant)), length(top - 6)
        turn = f' transform="rotate({-layout.slant} {x} {y})"' if layout.slant else ""
        yield _label(label, f'x="{x}" y="{y}"{turn}')
    yield "</g>"


def _label(label: Label, where: str) -> str:
    full = f"<title>{escape(label.full)}</title>" if label.text != label.full else ""
    return f"<text {where}>{full}{escape(label.text)}</text>"


def _cells(grid: Grid, layout: Layout, colours: Colours) -> Iterator[str]:
    left, top = layout.left, layout.top
    places = _places(grid)
    if not places.size:
        yield _text("nothing to show", left + 8, top + 16, size=12, more=f' fill="{SOFT}"')
    elif places.size > MOST_CELLS:
        image = base64.b64encode(indexed_png(places, colours)).decode()
        yield (
            f'<image {_whole(layout)} preserveAspectRatio="none" style="image-rendering:pixelated"'
            f' href="data:image/png;base64,{image}"/>'
        )
    else:
        width = 1 if layout.cell_width >= 20 else 0.5
        lines = f'stroke="{LINES}" stroke-width="{width}"'
        has_room = min(layout.cell_width, layout.cell_height) >= 8
        stroke = lines if has_room and begins_white(colours) else 'shape-rendering="crispEdges"'
        yield f"<g {stroke}>"
        names = [hexadecimal(colour) for colour in colours]
        size = f'width="{length(layout.cell_width)}" height="{length(layout.cell_height)}"'
        for (down, across), place in np.ndenumerate(places):
            x, y = length(left + across * layout.cell_width), length(top + down * layout.cell_height)
            yield (
                f'<rect x="{x}" y="{y}" {size} fill="{names[place]}">'
                f"<title>{escape(grid.cell(down, across))}</title></rect>"
            )
        yield "</g>"


def _whole(layout: Layout) -> str:
    """The rectangle of all cells."""
    x, y, width, height = map(length, (layout.left, layout.top, layout.width, layout.height))
    return f'x="{x}" y="{y}" width="{width}" height="{height}"'


def _places(grid: Grid) -> NDArray[np.uint8]:
    """The number of each cell's colour, 0 to 255."""
    places: NDArray[np.uint8] = np.clip(grid.weights / grid.top * 255, 0, 255).round().astype(np.uint8)
    return places


def _scale(top: float, colours: Colours, left: float, y: float) -> Iterator[str]:
    """The scale: a strip of the colours between 0 and the top."""
    steps = 30
    yield '<g shape-rendering="crispEdges">'
    yield f'<rect x="{length(left + 11)}" y="{length(y - 1)}" width="122" height="10" fill="{FRAME}"/>'
    for step in range(steps):
        colour = hexadecimal(colours[round(step / (steps - 1) * 255)])
        yield f'<rect x="{length(left + 12 + 4 * step)}" y="{length(y)}" width="4" height="8" fill="{colour}"/>'
    yield "</g>"
    yield _text("0", left, y + 8, size=11, more=f' fill="{SOFT}"')
    yield _text(figure(top), left + 138, y + 8, size=11, more=f' fill="{SOFT}"')


def _text(text: str, x: float, y: float, *, size: float, more: str = "") -> str:
    return f'<text x="{length(x)}" y="{length(y)}" font-size="{length(size)}"{more}>{escape(text)}</text>'
