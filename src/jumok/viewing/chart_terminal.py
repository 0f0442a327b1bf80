"""A line chart in the terminal: a marker for each point, dots between them, as wide as the terminal allows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from jumok.viewing.chart_drawing import Axis, digits_of, x_axis, y_axis
from jumok.viewing.charts import LineChart
from jumok.viewing.text import shown

MARKERS = "●■▲◆▼★◉"
STYLES = ("blue", "red", "green", "magenta", "cyan", "yellow", "bright_black")
HEIGHT = 14
WIDEST = 72


class ChartDrawing:
    """A chart that rich can print, at any width."""

    def __init__(self, chart: LineChart) -> None:
        self.chart = chart

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines(options.max_width):
            line.truncate(options.max_width)
            yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [line.cell_len for line in self.lines(options.max_width)]
        return Measurement(min(1, options.max_width), min(max(widths, default=0), options.max_width))

    def lines(self, width: int) -> Iterator[Text]:
        """The lines of the drawing, for a terminal of `width` cells."""
        chart = self.chart
        across, up = x_axis(chart), y_axis(chart)
        side = max(cell_len(name) for _, name in up.ticks)
        room = max(min(width - side - 2, WIDEST), 2)
        if chart.title:
            yield Text(shown(chart.title), style="bold", no_wrap=True)
        yield Text(shown(chart.y_label), style="dim", no_wrap=True)
        names = {_height(up, value): name for value, name in up.ticks}
        canvas = self._canvas(across, up, room)
        for row in range(HEIGHT):
            name = names.get(row, "")
            edge = "┤" if name else "│"
            yield Text.assemble((f"{name:>{side}}{edge}", "dim"), *canvas[row])
        yield Text(" " * side + "└" + "─" * room, style="dim", no_wrap=True)
        yield Text(" " * (side + 1) + _ticks(across, room), style="dim", no_wrap=True)
        yield Text(" " * (side + 1) + shown(chart.x_label), style="dim", no_wrap=True)
        yield from self._figures(width)

    def _figures(self, width: int) -> Iterator[Text]:
        """A line for each series: its marker, its name and its figures, or the last one where they do not fit."""
        digits, longest = digits_of(self.chart), max(cell_len(shown(series.name)) for series in self.chart.series)
        for number, series in enumerate(self.chart.series):
            name = set_cell_size(shown(series.name), longest)
            figures = [f"{point.y:.{digits}f}" for point in series.points]
            whole = Text.assemble(_marked(number), f" {name}  ", ("  ".join(figures), "dim"))
            fits = whole.cell_len <= width
            yield whole if fits else Text.assemble(_marked(number), f" {name}  ", (f"… {figures[-1]}", "dim"))

    def _canvas(self, across: Axis, up: Axis, room: int) -> list[list[str | tuple[str, str]]]:
        """`HEIGHT` rows of `room` cells."""
        canvas: list[list[str | tuple[str, str]]] = [[" "] * room for _ in range(HEIGHT)]
        for number, series in enumerate(self.chart.series):
            style = STYLES[number % len(STYLES)]
            places = [(_column(across, point.x, room), up.share(point.y)) for point in series.points]
            for (x, share), (next_x, next_share) in pairwise(places):
                for column in range(x + 1, next_x):
                    between = share + (next_share - share) * (column - x) / (next_x - x)
                    row = round((1 - between) * (HEIGHT - 1))
                    if canvas[row][column] == " ":
                        canvas[row][column] = ("·", style)
        for number, series in reversed(list(enumerate(self.chart.series))):
            for point in series.points:
                canvas[_height(up, point.y)][_column(across, point.x, room)] = _marked(number)
        return canvas


def _marked(number: int) -> tuple[str, str]:
    return MARKERS[number % len(MARKERS)], STYLES[number % len(STYLES)]


def _column(across: Axis, x: float, room: int) -> int:
    return round(across.share(x) * (room - 1))


def _height(up: Axis, y: float) -> int:
    return round((1 - up.share(y)) * (HEIGHT - 1))


def _ticks(across: Axis, room: int) -> str:
    """The names under the axis, each centred at its tick; one that would touch the name before is left out."""
    line, end = "", -1
    for value, name in sorted(across.ticks):
        name = set_cell_size(name, min(cell_len(name), room))
        start = min(max(_column(across, value, room) - cell_len(name) // 2, 0), room - cell_len(name))
        if start > end:
            line += " " * (start - cell_len(line)) + name
            end = cell_len(line)
    return line
