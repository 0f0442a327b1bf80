"""Several maps of the same words, one after the other, as a GIF: how attention changes while a model learns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jumok.viewing.frames import check_gif, painted, write_gif
from jumok.viewing.grid import Grid
from jumok.viewing.map import AttentionMap
from jumok.viewing.matrix import matrix_scene
from jumok.viewing.png import to_figure

_LAST = 4
"""The last picture stays as long as so many others."""


def save_film(
    maps: Sequence[AttentionMap],
    path: str | Path,
    *,
    milliseconds: int = 400,
    rows: str = "target",
    palette: str = "blue",
) -> None:
    """Write the maps as the pictures of a GIF; each stays for `milliseconds`, the last one longer.

    All are on one scale, so that colours mean the same in every picture. Titles tell them apart.
    """
    path = Path(path)
    check_gif(path)
    if not maps:
        raise ValueError("there are no maps to show")
    if len({(look.rows, look.columns) for look in maps}) > 1:
        raise ValueError("the maps of a film must have the same rows and columns")
    grids = [Grid.of(look, rows) for look in maps]
    top = max(grid.top_in(palette) for grid in grids)
    frames = [painted(to_figure(matrix_scene(replace(grid, scale=top), palette))) for grid in grids]
    write_gif(frames, [milliseconds] * (len(frames) - 1) + [milliseconds * _LAST], path)
