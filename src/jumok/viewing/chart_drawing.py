"""A line chart as a scene: axes, intervals, lines with markers, and a name at the end of each line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jumok.viewing.charts import LineChart, Point, Series
from jumok.viewing.scene import Places, Scene, Shape, Words
from jumok.viewing.text import ems, figure, shortened, shown, widest

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8a8f98")
"""Told apart by colour-blind readers too (Okabe and Ito 2008, without the yellow, with a grey for the black)."""

WIDTH, HEIGHT = 520.0, 300.0
"""Of the plot, without what stands around it."""


@dataclass(frozen=True)
class Axis:
    """One axis: its ends, and the ticks with their names."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def share(self, value: float) -> float:
        """Where a value lies between the ends, 0 to 1."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Look:
    """How a series is drawn."""

    colour: str
    corners: int
    turn: float
    dashes: tuple[float, ...]

    @classmethod
    def of(cls, number: int) -> Look:
        """The look of the `number`th series: its colour and marker, and dashes when the colours are used up."""
        markers = ((16, 0.0), (4, 45.0), (3, -90.0), (4, 0.0), (3, 90.0), (5, -90.0), (6, 0.0))
        corners, turn = markers[number % len(markers)]
        dashes = ((), (6.0, 3.0), (2.0, 2.5))[number // len(COLOURS) % 3]
        return cls(COLOURS[number % len(COLOURS)], corners, turn, dashes)


def scene_of(chart: LineChart) -> Scene:
    """The whole picture."""
    across, up = x_axis(chart), y_axis(chart)
    names = [shortened(shown(series.name), 20.0) for series in chart.series]
    title = 28.0 if chart.title else 0.0
    left = 16 + 16 + 16 + 12 * widest([name for _, name in up.ticks])
    top = 16 + title + 8
    slanted = _is_crowded(across)
    right = 16 + 27 + 13 * widest(names) + 16
    width = max(left + WIDTH + right, 32 + 15 * ems(chart.title, bold=True))
    below = 18 + (16 if slanted else 0) + 22 + 12
    plot = Plot(across, up, left, top)
    items = [
        *([Words(shown(chart.title), 16, 16 + 14, 15, bold=True)] if chart.title else []),
        *_axes(chart, plot, slanted),
        *(item for number, series in enumerate(chart.series) for item in _interval(series, Look.of(number), plot)),
        *(item for number, series in enumerate(chart.series) for item in _line(chart, series, Look.of(number), plot)),
        *_names(chart, names, plot),
    ]
    about = f"{chart.title or chart.y_label}: {chart.y_label} by {chart.x_label}, {len(names)} series"
    return Scene(width, top + HEIGHT + below, shown(about), tuple(items))


@dataclass(frozen=True)
class Plot:
    """Where values go on paper."""

    across: Axis
    up: Axis
    left: float
    top: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        return self.left + 10 + self.across.share(x) * (WIDTH - 20), self.top + (1 - self.up.share(y)) * HEIGHT


def x_axis(chart: LineChart) -> Axis:
    """From the first point to the last, with the ticks that were given, or those of the points, or round ones."""
    values = sorted({point.x for series in chart.series for point in series.points})
    if isinstance(chart.x_ticks, Mapping):
        ticks = tuple((float(value), shown(str(name))) for value, name in chart.x_ticks.items())
    else:
        places = chart.x_ticks if chart.x_ticks is not None else values if len(values) <= 10 else None
        ticks = tuple(
            (float(value), figure(value))
            for value in (round_ticks(values[0], values[-1]) if places is None else places)
        )
    low, high = min([values[0], *(value for value, _ in ticks)]), max([values[-1], *(value for value, _ in ticks)])
    return Axis(low, high, ticks) if low < high else Axis(low - 1, high + 1, ticks)


def y_axis(chart: LineChart) -> Axis:
    """Round ends around all points and intervals; from 0 where that costs little room."""
    points = [point for series in chart.series for point in series.points]
    low = min(point.y if point.low is None else point.low for point in points)
    high = max(point.y if point.high is None else point.high for point in points)
    low = 0.0 if 0 < low < 0.4 * high else low
    if low == high:
        low, high = low - 1, high + 1
    ticks = round_ticks(low, high, outside=True)
    return Axis(ticks[0], ticks[-1], tuple((tick, figure(tick)) for tick in ticks))


def round_ticks(low: float, high: float, outside: bool = False) -> list[float]:
    """About five round numbers between two, or around them.

    >>> round_ticks(0, 34.2, outside=True)
    [0.0, 10.0, 20.0, 30.0, 40.0]
    """
    rough = (high - low) / 5 or 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(step * power for step in (1, 2, 5, 10) if step * power >= rough * 0.999)
    first, last = (
        (math.floor(low / step), math.ceil(high / step))
        if outside
        else (math.ceil(low / step), math.floor(high / step))
    )
    return [round(number * step, 10) for number in range(first, last + 1)]


def digits_of(chart: LineChart) -> int:
    """Digits after the point that tell its figures apart, the same for all."""
    largest = max(abs(point.y) for series in chart.series for point in series.points)
    return 1 if largest >= 10 else 2 if largest >= 1 else 3


def told(point: Point, digits: int) -> str:
    """A point's figure, and its interval where it has one.

    >>> told(Point(10, 31.25, 30.1, 32.4), 1)
    '31.2 (30.1 to 32.4)'
    """
    if point.low is None or point.high is None:
        return f"{point.y:.{digits}f}"
    return f"{point.y:.{digits}f} ({point.low:.{digits}f} to {point.high:.{digits}f})"


def _is_crowded(across: Axis) -> bool:
    """Whether the names under the ticks need two lines."""
    places = sorted((10 + across.share(value) * (WIDTH - 20), ems(name) * 12) for value, name in across.ticks)
    return any(b - a < (wide_a + wide_b) / 2 + 6 for (a, wide_a), (b, wide_b) in pairwise(places))


def _axes(chart: LineChart, plot: Plot, in_two_lines: bool) -> Iterator[Shape | Words]:
    left, right, bottom = plot.left, plot.left + WIDTH, plot.top + HEIGHT
    for value, name in plot.up.ticks:
        _, y = plot.place(plot.across.low, value)
        yield Shape(((left, y), (right, y)), stroke="line")
        yield Words(name, left - 8, y + 4, 12, "soft", "end")
    yield Shape(((left, bottom), (right, bottom)), stroke="frame")
    for number, (value, name) in enumerate(plot.across.ticks):
        x, _ = plot.place(value, plot.up.low)
        lower = 16 if in_two_lines and number % 2 else 0
        yield Shape(((x, bottom), (x, bottom + 4 + lower)), stroke="frame")
        yield Words(name, x, bottom + 18 + lower, 12, "soft", "middle")
    yield Words(
        shown(chart.x_label), (left + right) / 2, bottom + 40 + (16 if in_two_lines else 0), 13, "ink", "middle"
    )
    yield Words(shown(chart.y_label), 16 + 11, (plot.top + bottom) / 2, 13, "ink", "middle", slant=90)


def _interval(series: Series, look: Look, plot: Plot) -> Iterator[Shape]:
    """A light band through neighbouring intervals; a whisker for one that stands alone."""
    for run in _runs(series.points):
        lows = tuple(plot.place(point.x, point.low) for point in run if point.low is not None)
        highs = tuple(plot.place(point.x, point.high) for point in run if point.high is not None)
        if len(run) > 1:
            yield Shape((*lows, *reversed(highs)), fill=look.colour, opacity=0.14)
        else:
            (x, low), (_, high) = lows[0], highs[0]
            for places in (((x, low), (x, high)), ((x - 4, low), (x + 4, low)), ((x - 4, high), (x + 4, high))):
                yield Shape(places, stroke=look.colour, width=1.2)


def _runs(points: Sequence[Point]) -> list[list[Point]]:
    """Neighbouring points that have intervals."""
    runs: list[list[Point]] = [[]]
    for point in points:
        if point.low is None:
            runs.append([])
        else:
            runs[-1].append(point)
    return [run for run in runs if run]


def _line(chart: LineChart, series: Series, look: Look, plot: Plot) -> Iterator[Shape]:
    places = tuple(plot.place(point.x, point.y) for point in series.points)
    if len(places) > 1:
        yield Shape(places, stroke=look.colour, width=2.0, dashes=look.dashes)
    names, digits = dict(plot.across.ticks), digits_of(chart)
    for point, place in zip(series.points, places, strict=True):
        x = names.get(point.x, figure(point.x))
        yield _marker(place, look, f"{shown(series.name)}, {x}: {told(point, digits)}")


def _marker(place: tuple[float, float], look: Look, says: str = "") -> Shape:
    size = 4.0 if look.corners > 6 else 5.2
    angles = [math.radians(look.turn + 360 * corner / look.corners) for corner in range(look.corners)]
    places: Places = tuple((place[0] + size * math.cos(a), place[1] + size * math.sin(a)) for a in angles)
    return Shape(places, stroke="paper", width=1.0, fill=look.colour, says=says)


def _names(chart: LineChart, names: Sequence[str], plot: Plot) -> Iterator[Shape | Words]:
    """Each name beside the end of its line, moved apart where lines end together; outside the plot, so over no line."""
    ends = [plot.place(series.points[-1].x, series.points[-1].y) for series in chart.series]
    order = sorted(range(len(ends)), key=lambda number: ends[number][1])
    heights = _apart([ends[number][1] for number in order], 17.0, plot.top, plot.top + HEIGHT)
    x = plot.left + WIDTH + 16
    for number, y in zip(order, heights, strict=True):
        look, end = Look.of(number), ends[number]
        if abs(end[1] - y) > 2 and end[0] > plot.left + WIDTH - 12:
            yield Shape(
                ((end[0] + 8, end[1]), (x - 2, y)), stroke=look.colour, width=0.8, dashes=(2.0, 2.0), opacity=0.7
            )
        yield Shape(((x, y), (x + 20, y)), stroke=look.colour, width=2.0, dashes=look.dashes)
        yield _marker((x + 10, y), look)
        yield Words(names[number], x + 27, y + 4.5, 13)


def _apart(wanted: Sequence[float], distance: float, top: float, bottom: float) -> list[float]:
    """Heights near those wanted, in order, at least `distance` apart, inside the plot where they fit."""
    heights: list[float] = []
    for height in wanted:
        heights.append(max(height, heights[-1] + distance) if heights else max(height, top))
    for number in reversed(range(len(heights))):
        limit = bottom if number == len(heights) - 1 else heights[number + 1] - distance
        heights[number] = min(heights[number], limit)
    return heights
