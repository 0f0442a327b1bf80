"""Several maps of the same words, one after the other, as a GIF: how attention changes while a model learns."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jumok.core.files import written_beside
from jumok.viewing.grid import Grid
from jumok.viewing.map import AttentionMap
from jumok.viewing.png import drawn

_DPI = 96
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
    if path.suffix.lower() != ".gif":
        raise ValueError(f"{path}: a film is a .gif")
    if not maps:
        raise ValueError("there are no maps to show")
    if len({(look.rows, look.columns) for look in maps}) > 1:
        raise ValueError("the maps of a film must have the same rows and columns")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    grids = [Grid.of(look, rows) for look in maps]
    top = max(grid.top for grid in grids)
    pictures = []
    for grid in grids:
        figure = drawn(replace(grid, scale=top), palette)
        figure.set_dpi(_DPI)
        held = io.BytesIO()
        canvas: Any = FigureCanvasAgg(figure)
        canvas.print_png(held)
        pictures.append(Image.open(held).convert("RGB"))
    width, height = (max(size) for size in zip(*(picture.size for picture in pictures), strict=True))
    frames = []
    for picture in pictures:
        frame = Image.new("RGB", (width, height), "white")
        frame.paste(picture, (0, 0))
        frames.append(frame.quantize(128, dither=Image.Dither.NONE))
    times = [milliseconds] * (len(frames) - 1) + [milliseconds * _LAST]
    with written_beside(path) as beside:
        frames[0].save(beside, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
