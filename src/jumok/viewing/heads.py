"""All layers and heads of a map at once, small: a row for each layer, a column for each head, on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from jumok.viewing.grid import top_of
from jumok.viewing.layout import MARGIN, NAMES, TITLE
from jumok.viewing.map import AttentionMap, Weights
from jumok.viewing.matrix import scale, shaded
from jumok.viewing.palettes import shades
from jumok.viewing.scene import Cells, Item, Scene, Words
from jumok.viewing.text import ems, pieces, shown

GAP, SIDE = 10.0, 64.0
"""Between the maps, and room for the names of layers."""
LEAST, MOST = 56.0, 220.0
"""Pixels of the longer side of one map."""
WIDE = 1000.0
"""As wide as the whole becomes where it can."""


def heads_scene(look: AttentionMap, palette: str = "blue") -> Scene:
    """A small matrix for each layer and head; rows of each are what came out, columns what was looked at."""
    rows, columns = max(len(look.rows), 1), max(len(look.columns), 1)
    longest = min(MOST, max(LEAST, (WIDE - SIDE) / look.heads - GAP))
    unit = longest / max(rows, columns)
    wide, high = max(unit * columns, 8.0), max(unit * rows, 8.0)
    title = shown(look.title)
    top = top_of(look.weights, palette)
    left, above = MARGIN + SIDE, MARGIN + (TITLE + 12 if title else 0) + 22
    sides = pieces(look.rows, look.row_words), pieces(look.columns, look.column_words)
    colours = shades(palette)
    items: list[Item] = [Words(title, MARGIN, MARGIN + 14, TITLE, bold=True)] if title else []
    for head in range(look.heads):
        items.append(Words(f"head {head}", left + head * (wide + GAP), above - 7, NAMES, "soft"))
    for layer in range(look.layers):
        y = above + layer * (high + GAP)
        items.append(Words(f"layer {layer}", left - 8, y + high / 2 + 4, NAMES, "soft", "end"))
        for head in range(look.heads):
            places = shaded(look.weights[layer, head], top)
            if places.size:
                says = partial(_says, look.weights[layer, head], sides, f"layer {layer}, head {head}")
                items.append(Cells(places, colours, left + head * (wide + GAP), y, wide, high, says=says))
    bottom = above + look.layers * (high + GAP)
    items.extend(_foot(look, top, left, bottom + 12, palette))
    about = f"{title or 'Attention'}: {look.layers} layers of {look.heads} heads, {rows} × {columns} weights each"
    width = max(
        left + look.heads * (wide + GAP) - GAP, left + 160 + NAMES * ems(_axes(look)), TITLE * ems(title, bold=True)
    )
    return Scene(width + MARGIN, bottom + 24 + MARGIN, about, tuple(items))


def _says(weights: Weights, sides: tuple[Sequence[str], Sequence[str]], where: str, row: int, column: int) -> str:
    return f"{where}: {sides[0][row]} → {sides[1][column]}: {weights[row, column]:.3f}"


def _axes(look: AttentionMap) -> str:
    return f"{shown(look.row_name)} ↓  {shown(look.column_name)} →"


def _foot(look: AttentionMap, top: float, x: float, y: float, palette: str) -> Iterator[Item]:
    yield from scale(top, shades(palette), x, y)
    yield Words(_axes(look), x + 160, y + 8, NAMES, "soft")
