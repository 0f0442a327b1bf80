"""A figure by length, for several models: the record; its pictures are drawn beside."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jumok.core.files import write_whole
from jumok.viewing.saving import write_scene, writer_for

if TYPE_CHECKING:
    from jumok.viewing.chart_terminal import ChartDrawing


@dataclass(frozen=True)
class Point:
    """One figure, with the interval that it lies in where that is known."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        given = [value for value in (self.x, self.y, self.low, self.high) if value is not None]
        if not all(math.isfinite(value) for value in given):
            raise ValueError(f"{self}: figures must be finite; leave out a point that has none")
        if (self.low is None) != (self.high is None):
            raise ValueError(f"{self}: give both ends of the interval, or neither")
        if self.low is not None and self.high is not None and not self.low <= self.y <= self.high:
            raise ValueError(f"{self}: the interval must hold the figure")


@dataclass(frozen=True)
class Series:
    """The points of one model, in the order of x."""

    name: str
    points: Sequence[Point]

    def __post_init__(self) -> None:
        if not self.points:
            raise ValueError(f"series {self.name!r} has no points")
        object.__setattr__(self, "points", tuple(sorted(self.points, key=lambda point: point.x)))


@dataclass(frozen=True)
class LineChart:
    """Lines over a common x, one a series, such as the score of several models by sentence length.

    x_ticks: the places that the axis names, `[10, 20]`, or what it calls them, `{10: "up to 10", 20: "11 to 20"}`.

    >>> scores = Series("additive", [Point(10, 31.2, 30.1, 32.4), Point(20, 29.8, 28.9, 30.6)])
    >>> LineChart("BLEU by length", "words", "BLEU", [scores])
    LineChart('BLEU by length': additive)
    """

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    x_ticks: Sequence[float] | Mapping[float, str] | None = None

    def __post_init__(self) -> None:
        if not self.series:
            raise ValueError(f"chart {self.title!r} has no series")
        object.__setattr__(self, "series", tuple(self.series))
        names = [series.name for series in self.series]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two series are called {twice!r}; give each its own name")

    def save(self, path: str | Path) -> None:
        """Write the chart; the ending says as what: .svg, .png, .pdf or .html."""
        path = Path(path)
        writer_for(path, WRITERS)(self, path)

    def draw(self) -> ChartDrawing:
        """The chart for the terminal: `rich.print(chart.draw())`."""
        from jumok.viewing.chart_terminal import ChartDrawing

        return ChartDrawing(self)

    def _repr_html_(self) -> str:
        from jumok.viewing.chart_drawing import scene_of
        from jumok.viewing.svg import to_svg

        return to_svg(scene_of(self))

    def __repr__(self) -> str:
        return f"LineChart({self.title!r}: {', '.join(series.name for series in self.series)})"


def _still(chart: LineChart, path: Path) -> None:
    from jumok.viewing.chart_drawing import scene_of

    write_scene(scene_of(chart), path)


def _html(chart: LineChart, path: Path) -> None:
    from jumok.viewing.chart_page import page

    write_whole(path, page(chart))


WRITERS = {".svg": _still, ".html": _html, ".png": _still, ".pdf": _still}
