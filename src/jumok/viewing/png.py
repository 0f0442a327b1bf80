"""A scene as PNG or PDF, by matplotlib's objects alone: no pyplot, no settings touched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jumok.core.files import written_beside
from jumok.viewing.fonts import Fonts
from jumok.viewing.palettes import FRAME, INK, LINES
from jumok.viewing.scene import PAPER, Cells, Scene, Shape, Words

INCH = 96.0
"""Pixels of a layout to an inch of paper."""
POINT = 72 / INCH
"""Points to a pixel."""


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
        font.set_size(size * POINT)
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
            spine.set_linewidth(POINT)
        return axes


def to_figure(scene: Scene) -> Any:
    """The scene as a matplotlib figure."""
    texts = (item.text for item in scene.items if isinstance(item, Words))
    sheet = Sheet(scene.width, scene.height, Fonts.holding(texts))
    axes = sheet.figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.set_axis_off()
    for order, item in enumerate(scene.items):
        if isinstance(item, Shape):
            _add_shape(axes, item, order)
        elif isinstance(item, Cells):
            _add_cells(sheet, item)
        else:
            _add_words(sheet, item)
    return sheet.figure


def _add_words(sheet: Sheet, item: Words) -> None:
    how: dict[str, Any] = {"ha": {"start": "left", "middle": "center", "end": "right"}[item.anchor]}
    if item.slant:
        how |= {"rotation": item.slant, "rotation_mode": "anchor"}
    sheet.text(item.text, item.x, item.y, item.size, PAPER.get(item.colour, item.colour), **how)


def _add_cells(sheet: Sheet, item: Cells) -> None:
    axes = sheet.axes(item.x, item.y, item.width, item.height)
    axes.imshow(item.colours[item.shades], aspect="auto", interpolation="nearest")
    if item.lines:
        rows, columns = item.shades.shape
        how = {"colors": LINES, "linewidths": item.lines * POINT}
        axes.vlines([place - 0.5 for place in range(1, columns)], *axes.get_ylim(), **how)
        axes.hlines([place - 0.5 for place in range(1, rows)], *axes.get_xlim(), **how)


def _add_shape(axes: Any, item: Shape, order: int) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Polygon

    stroke, fill = PAPER.get(item.stroke, item.stroke), PAPER.get(item.fill, item.fill)
    width = item.width * POINT
    how: dict[str, Any]
    if fill != "none":
        how = {"facecolor": fill, "edgecolor": stroke, "linewidth": width if stroke != "none" else 0}
        axes.add_patch(Polygon(item.places, closed=True, alpha=item.opacity, zorder=order, **how))
    else:
        style: Any = (0, tuple(dash * POINT / width for dash in item.dashes)) if item.dashes else "solid"
        xs, ys = zip(*item.places, strict=True)
        how = {"color": stroke, "linewidth": width, "linestyle": style, "solid_joinstyle": "round"}
        axes.add_line(Line2D(xs, ys, alpha=item.opacity, zorder=order, **how))
