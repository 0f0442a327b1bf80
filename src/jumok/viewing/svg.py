"""A scene as SVG, written by hand: text stays text, and a part says what it is when it is pointed at."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from jumok.viewing.palettes import hexadecimal
from jumok.viewing.pixels import indexed_png
from jumok.viewing.scene import PAPER, Cells, Item, Scene, Shape, Words
from jumok.viewing.text import FONTS, length

MOST_CELLS, MOST_MUTE = 10_000, 400
"""A block of more cells is one image; they could not be pointed at anyway. The same for cells that say nothing."""


def to_svg(scene: Scene, colours: Mapping[str, str] = PAPER) -> str:
    """The scene as SVG; without ids, so that several can stand on one page.

    colours: what the names of colours stand for; a page may leave that to its style.
    """
    size = f'width="{length(scene.width)}" height="{length(scene.height)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {length(scene.width)} {length(scene.height)}" {size}'
        f' style="max-width:100%;height:auto" role="img" aria-label={quoteattr(scene.about)} font-family="{FONTS}">',
        f'<rect {size} rx="6" fill="{colours["paper"]}"/>',
    ]
    for item in scene.items:
        parts.extend(_item(item, colours))
    return "\n".join([*parts, "</svg>\n"])


def _item(item: Item, colours: Mapping[str, str]) -> Iterator[str]:
    if isinstance(item, Words):
        yield _words(item, colours)
    elif isinstance(item, Shape):
        yield _shape(item, colours)
    else:
        yield from _cells(item, colours)


def _words(item: Words, colours: Mapping[str, str]) -> str:
    turn = f' transform="rotate({-item.slant} {length(item.x)} {length(item.y)})"' if item.slant else ""
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    bold = ' font-weight="600"' if item.bold else ""
    full = f"<title>{escape(item.full)}</title>" if item.full and item.full != item.text else ""
    return (
        f'<text x="{length(item.x)}" y="{length(item.y)}" font-size="{length(item.size)}"'
        f' fill="{colours.get(item.colour, item.colour)}"{anchor}{bold}{turn}>{full}{escape(item.text)}</text>'
    )


def _shape(item: Shape, colours: Mapping[str, str]) -> str:
    is_area = item.fill != "none"
    places = " ".join(f"{length(x)},{length(y)}" for x, y in item.places)
    stroke = colours.get(item.stroke, item.stroke)
    how = f'fill="{colours.get(item.fill, item.fill)}" stroke="{stroke}"'
    if stroke != "none":
        how += f' stroke-width="{length(item.width)}" stroke-linejoin="round"'
    if item.dashes:
        how += f' stroke-dasharray="{" ".join(map(length, item.dashes))}"'
    if item.opacity < 1:
        how += f' opacity="{length(item.opacity)}"'
    name = "polygon" if is_area else "polyline"
    says = f"<title>{escape(item.says)}</title>" if item.says else ""
    return f'<{name} points="{places}" {how}>{says}</{name}>' if says else f'<{name} points="{places}" {how}/>'


def _cells(item: Cells, colours: Mapping[str, str]) -> Iterator[str]:
    x, y, width, height = map(length, (item.x, item.y, item.width, item.height))
    whole = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    if item.shades.size > (MOST_CELLS if item.says else MOST_MUTE):
        image = base64.b64encode(indexed_png(item.shades, item.colours)).decode()
        yield (
            f'<image {whole} preserveAspectRatio="none" style="image-rendering:pixelated"'
            f' href="data:image/png;base64,{image}"/>'
        )
    else:
        yield from _each_cell(item, colours)
    yield f'<rect {whole} fill="none" stroke="{colours["frame"]}"/>'


def _each_cell(item: Cells, colours: Mapping[str, str]) -> Iterator[str]:
    rows, columns = item.shades.shape
    wide, high = item.width / columns, item.height / rows
    lines = f'stroke="{colours["line"]}" stroke-width="{length(item.lines)}"'
    crisp = 'shape-rendering="crispEdges"'
    yield f"<g {lines if item.lines else crisp}>"
    names = [hexadecimal(colour) for colour in item.colours]
    size = f'width="{length(wide)}" height="{length(high)}"'
    for (row, column), shade in np.ndenumerate(item.shades):
        x, y = length(item.x + column * wide), length(item.y + row * high)
        says = f"<title>{escape(item.says(row, column))}</title>" if item.says else ""
        yield f'<rect x="{x}" y="{y}" {size} fill="{names[shade]}">{says}</rect>'
    yield "</g>"
