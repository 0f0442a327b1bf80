"""A line chart as one page: the picture, and its figures as a table."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from jumok.viewing.chart_drawing import digits_of, scene_of, told, x_axis
from jumok.viewing.charts import LineChart
from jumok.viewing.svg import to_svg
from jumok.viewing.text import figure, shown

BY_NAME = {
    "ink": "var(--ink)",
    "soft": "var(--soft)",
    "line": "var(--line)",
    "frame": "var(--soft)",
    "paper": "var(--paper)",
}
"""Colours that the page decides, by day and by night."""


def page(chart: LineChart) -> str:
    """The page as text: no script, nothing fetched."""
    style = (files("jumok.viewing") / "page" / "page.css").read_text("utf-8")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(shown(chart.title or chart.y_label))}</title>
<style>
{style}</style>
</head>
<body>
<figure>
{to_svg(scene_of(chart), BY_NAME)}</figure>
<div class="scroll">
{_table(chart)}
</div>
</body>
</html>
"""


def _table(chart: LineChart) -> str:
    """A row for each x, a column for each series."""
    names, digits = dict(x_axis(chart).ticks), digits_of(chart)
    by_place = [{point.x: point for point in series.points} for series in chart.series]
    heads = "".join(f'<th scope="col">{escape(shown(series.name))}</th>' for series in chart.series)
    lines = [
        f'<tr><th scope="row">{escape(names.get(x, figure(x)))}</th>'
        + "".join(f"<td>{told(points[x], digits) if x in points else ''}</td>" for points in by_place)
        + "</tr>"
        for x in sorted({x for points in by_place for x in points})
    ]
    caption = f"{chart.y_label} by {chart.x_label}"
    return (
        f"<table><caption>{escape(shown(caption))}</caption>"
        f'<thead><tr><th scope="col">{escape(shown(chart.x_label))}</th>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )
