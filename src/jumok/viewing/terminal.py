"""The map in the terminal: blocks, fuller where the look rests, so that light and dark screens read alike.

Widths count cells: a Korean letter takes two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from jumok.viewing.grid import Grid
from jumok.viewing.text import figure

SHADES = {"·": 0.05, "░": 0.15, "▒": 0.4, "▓": 0.65, "█": 0.9}
"""Each shade, and the share of the top of the scale from which it is drawn."""
BLOCK = 2
"""Cells that a weight's block takes."""


class Drawing:
    """A grid that rich can print, at any width.

    Where there is room, columns carry their labels and each block its number; else columns are numbered, with a
    legend below; else they come in several bands.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines(options.max_width):
            line.truncate(options.max_width)
            yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [line.cell_len for line in self.lines(options.max_width)]
        return Measurement(min(1, options.max_width), min(max(widths, default=0), options.max_width))

    def lines(self, width: int) -> Iterator[Text]:
        """The lines of the drawing, for a terminal of `width` cells."""
        grid = self.grid
        if grid.title:
            yield Text(grid.title, style="bold", no_wrap=True)
        if not grid.weights.size:
            yield Text("nothing to show")
            return
        side = min(max(map(cell_len, (*grid.down, f"{grid.down_name} ↓"))), max(width // 3, 1))
        columns = [
            max(cell_len(label), *(len(_cell(weight, grid.top)) for weight in weights))
            for label, weights in zip(grid.across, grid.weights.T.tolist(), strict=True)
        ]
        if side + sum(columns) + 2 * len(columns) <= width:
            yield from self._labelled(side, columns)
        else:
            yield from self._numbered(side, width)
        yield self._scale()

    def _labelled(self, side: int, columns: Sequence[int]) -> Iterator[Text]:
        grid = self.grid
        yield Text(f"{_right('', side)}  {grid.across_name} →", style="dim", no_wrap=True)
        names = "".join(f"  {_right(label, width)}" for label, width in zip(grid.across, columns, strict=True))
        yield _line(Text(_right(f"{grid.down_name} ↓", side), style="dim"), names)
        for label, weights in zip(grid.down, grid.weights.tolist(), strict=True):
            cells = (_right(_cell(weight, grid.top), width) for weight, width in zip(weights, columns, strict=True))
            yield _line(_right(label, side), *(f"  {cell}" for cell in cells))

    def _numbered(self, side: int, width: int) -> Iterator[Text]:
        """Columns by number, as many at once as fit."""
        grid = self.grid
        digits = len(str(len(grid.across)))
        each = max(BLOCK, digits + 1) if digits > 1 else BLOCK + 1
        band = max((width - side - 1) // each, 1)
        for first in range(0, len(grid.across), band):
            numbers = range(first, min(first + band, len(grid.across)))
            yield _line(
                Text(_right(f"{grid.down_name} ↓", side), style="dim"),
                Text(" " + "".join(str(number + 1).rjust(each) for number in numbers), style="dim"),
            )
            for label, weights in zip(grid.down, grid.weights.tolist(), strict=True):
                blocks = "".join((_shade(weights[number], grid.top) * BLOCK).rjust(each) for number in numbers)
                yield _line(_right(label, side), " ", blocks)
            yield Text("")
        yield from self._legend(width)

    def _legend(self, width: int) -> Iterator[Text]:
        """What the numbers stand for, in lines of the terminal's width."""
        yield Text(f"{self.grid.across_name} →", style="dim", no_wrap=True)
        line = Text(no_wrap=True)
        for number, label in enumerate(self.grid.across, start=1):
            entry = Text.assemble((f"{number} ", "dim"), label)
            if line and line.cell_len + 2 + entry.cell_len > width:
                yield line
                line = Text(no_wrap=True)
            line.append("  " if line else "").append_text(entry)
        yield line

    def _scale(self) -> Text:
        top = self.grid.top
        steps = (f"{shade * BLOCK} {figure(top * share)}" for shade, share in SHADES.items())
        return Text("from  " + "  ".join(steps), style="dim", no_wrap=True)


def _line(*parts: str | Text) -> Text:
    return Text("", no_wrap=True).append_text(Text.assemble(*parts))


def _right(text: str, width: int) -> str:
    """A text of exactly `width` cells, to the right; one that is longer ends with an ellipsis."""
    length = cell_len(text)
    if length <= width:
        return " " * (width - length) + text
    return set_cell_size(text, width - 1) + "…"


def _shade(weight: float, top: float) -> str:
    return next((shade for shade, share in reversed(SHADES.items()) if weight >= share * top - 1e-6), " ")


def _cell(weight: float, top: float) -> str:
    """A block and its number, with two digits that tell; nothing where they are zeros."""
    number = f"{weight:.2f}".removeprefix("0") if weight < 0.995 else f"{weight:.1f}"
    return "" if number == ".00" else f"{_shade(weight, top) * BLOCK} {number}"
