"""The alignment picture as PNG or PDF, by matplotlib's objects alone: no pyplot, no settings touched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jumok.core.files import written_beside
from jumok.viewing.fonts import Fonts
from jumok.viewing.grid import Grid
from jumok.viewing.layout import MARGIN, NAMES, TITLE, laid_out
from jumok.viewing.palettes import FRAME, INK, LINES, SOFT, begins_white, shades
from jumok.viewing.text import figure

INCH = 96.0
"""Pixels of a layout to an inch of paper."""


def save_picture(grid: Grid, path: Path, palette: str = "blue") -> None:
    """Draw a grid and write it as the ending says."""
    write_figure(drawn(grid, palette), path)


def write_figure(figure: Any, path: Path, dpi: int = 192) -> None:
    """Write a figure as PNG or PDF, whole or not at all, the same bytes each time."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    with written_beside(path) as beside, beside.open("wb") as file:
        canvas: Any
        if path.suffix.lower() == ".pdf":
            canvas = FigureCanvasPdf(figure)
            canvas.print_pdf(file, metadata={"CreationDate": None, "Creator": "jumok"})
        else:
            figure.set_dpi(dpi)
            canvas = FigureCanvasAgg(figure)
            canvas.print_png(file, metadata={"Software": "jumok"})


class Sheet:
    """A matplotlib figure measured like an SVG: pixels from the top left."""

    def __init__(self, width: float, height: float, fonts: Fonts) -> None:
        from matplotlib.figure import Figure

        self.width, self.height, self.fonts = width, height, fonts
        self.figure = Figure(figsize=(width / INCH, height / INCH), facecolor="white")

    def text(self, text: str, x: float, y: float, size: float, colour: str = INK, **how: Any) -> None:
        """A text with its anchor at a place; `size` in pixels."""
        held, font = self.fonts.of(text)
        font.set_size(size * 72 / INCH)
        how = {"fontproperties": font, "color": colour, "parse_math": False, **how}
        self.figure.text(x / self.width, 1 - y / self.height, held, **how)

    def axes(self, x: float, y: float, width: float, height: float) -> Any:
        """Axes that fill a rectangle, without ticks."""
        box = (x / self.width, 1 - (y + height) / self.height, width / self.width, height / self.height)
        axes = self.figure.add_axes(box)
        axes.set_xticks([])
        axes.set_yticks([])
        for spine in axes.spines.values():
            spine.set_edgecolor(FRAME)
            spine.set_linewidth(0.75)
        return axes


def drawn(grid: Grid, palette: str = "blue") -> Any:
    """The figure of a grid: title, names of the axes, labels, cells and the scale."""
    from matplotlib.colors import ListedColormap

    colours = shades(palette)
    layout = laid_out(grid)
    left, top = layout.left, layout.top
    names = (grid.title, f"{grid.down_name} ↓", f"{grid.across_name} →", f"0 {figure(grid.top)}")
    labels = [label.text for label in (*layout.down, *layout.across)]
    sheet = Sheet(layout.sheet_width, layout.sheet_height, Fonts.holding([*names, *labels]))

    sheet.text(names[0], MARGIN, MARGIN + 14, TITLE)
    sheet.text(names[1], left - 8, top - layout.name_above, NAMES, SOFT, ha="right")
    sheet.text(names[2], left, layout.across_name_at, NAMES, SOFT)
    for label in layout.down:
        sheet.text(label.text, left - 8, top + label.place, layout.letters, ha="right", va="center_baseline")
    for label in layout.across:
        if layout.slant:
            x = left + label.place + 0.25 * layout.letters
            sheet.text(label.text, x, top - 6, layout.letters, rotation=layout.slant, rotation_mode="anchor")
        else:
            sheet.text(label.text, left + label.place, top - 6, layout.letters, ha="center")

    if not grid.weights.size:
        sheet.text("nothing to show", left + 8, top + 16, 12, SOFT)
        return sheet.figure
    colour_map = ListedColormap(colours / 255.0)
    axes = sheet.axes(left, top, layout.width, layout.height)
    axes.imshow(grid.weights, cmap=colour_map, vmin=0, vmax=grid.top, aspect="auto", interpolation="nearest")
    if begins_white(colours) and min(layout.cell_width, layout.cell_height) >= 8:
        thin = 0.75 if layout.cell_width >= 20 else 0.4
        axes.vlines([i - 0.5 for i in range(1, len(grid.across))], *axes.get_ylim(), colors=LINES, linewidths=thin)
        axes.hlines([i - 0.5 for i in range(1, len(grid.down))], *axes.get_xlim(), colors=LINES, linewidths=thin)
    below = top + layout.height + 20
    strip = sheet.axes(left + 12, below, 120, 8)
    strip.imshow([[step / 255 for step in range(256)]], cmap=colour_map, vmin=0, vmax=1, aspect="auto")
    sheet.text("0", left, below + 8, 11, SOFT)
    sheet.text(figure(grid.top), left + 138, below + 8, 11, SOFT)
    return sheet.figure
