"""Line charts: what they take, that nothing overlaps, and that every writer says the same."""

from __future__ import annotations

import warnings
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from jumok.viewing import LineChart, Point, Series
from jumok.viewing.chart_drawing import HEIGHT, WIDTH, Look, scene_of, x_axis, y_axis
from jumok.viewing.scene import Scene, Words
from jumok.viewing.text import ems

SVG = "{http://www.w3.org/2000/svg}"


def chart(count: int = 3, title: str = "BLEU by length") -> LineChart:
    series = [
        Series(
            f"모델 {number} model", [Point(x, 30 - 0.1 * x * number, 28 - 0.1 * x * number, 31) for x in (10, 20, 30)]
        )
        for number in range(count)
    ]
    return LineChart(title, "words 단어", "BLEU 🍎", series)


def named(scene: Scene) -> list[Words]:
    return [item for item in scene.items if isinstance(item, Words)]


@pytest.mark.parametrize("ending", ["svg", "html", "png", "pdf"])
def test_every_writer_writes(tmp_path: Path, ending: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no font here has")
        chart().save(tmp_path / f"chart.{ending}")
    begins = {"svg": b"<svg", "html": b"<!DOCTYPE html>", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert (tmp_path / f"chart.{ending}").read_bytes().startswith(begins[ending])


def test_an_unknown_ending_lists_those_known(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"end the name in \.svg, \.html, \.png, \.pdf"):
        chart().save(tmp_path / "chart.json")


def test_the_svg_parses_names_all_and_has_no_ids() -> None:
    picture = chart()._repr_html_()
    root = ElementTree.fromstring(picture)
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"BLEU by length", "words 단어", "BLEU 🍎", "모델 0 model", "모델 2 model", "10", "30"} <= texts
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert "모델 1 model, 20: 28.0 (26.0 to 31.0)" in titles
    assert len(titles) == 9
    assert " id=" not in picture


def test_hostile_names_are_text(tmp_path: Path) -> None:
    name = "</svg><script>alert(1)</script>&\"'\x00"
    hostile = LineChart(name, name, name, [Series(name, [Point(1, 1)])], x_ticks={1: name})
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(hostile._repr_html_()).iter()}
    assert tags <= {"svg", "rect", "polyline", "polygon", "text", "title"}
    hostile.save(tmp_path / "chart.html")
    seen: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.append(tag)

    Tags().feed((tmp_path / "chart.html").read_text("utf-8"))
    assert "script" not in seen
    assert seen.count("table") == 1


@pytest.mark.parametrize("count", [1, 2, 7, 12])
def test_names_stand_apart_and_outside_the_plot(count: int) -> None:
    scene = scene_of(chart(count))
    names = [item for item in named(scene) if item.text.startswith("모델")]
    heights = sorted(item.y for item in names)
    assert len(names) == count
    assert all(below - above >= 13 * 1.15 for above, below in pairwise(heights))
    right = max(
        x for item in scene.items if not isinstance(item, Words) and item.opacity == 0.14 for x, _ in item.places
    )
    assert min(item.x for item in names) > right
    assert all(item.x + ems(item.text) * item.size <= scene.width for item in names)


def test_every_place_is_on_the_paper() -> None:
    scene = scene_of(chart(5))
    for item in scene.items:
        places: Any = [(item.x, item.y)] if isinstance(item, Words) else item.places
        assert all(0 <= x <= scene.width and 0 <= y <= scene.height for x, y in places)


def test_series_differ_in_colour_and_marker_and_then_in_dashes() -> None:
    looks = [Look.of(number) for number in range(14)]
    assert len({look.colour for look in looks[:7]}) == 7
    assert len({(look.corners, look.turn) for look in looks[:7]}) == 7
    assert len(set(looks)) == 14


def test_points_are_sorted_and_axes_hold_intervals() -> None:
    mixed = Series("a", [Point(30, 12.0, 3.0, 19.0), Point(10, 14.0)])
    one = LineChart("", "x", "y", [mixed])
    assert [point.x for point in one.series[0].points] == [10, 30]
    assert y_axis(one).low <= 3
    assert y_axis(one).high >= 19
    assert x_axis(one).ticks == ((10.0, "10"), (30.0, "30"))


def test_a_single_point_and_flat_lines_have_axes() -> None:
    for points in ([Point(5, 0.0)], [Point(1, 2.0), Point(2, 2.0)]):
        scene = scene_of(LineChart("", "x", "y", [Series("a", points)]))
        assert scene.width > WIDTH
        assert scene.height > HEIGHT


def test_ticks_may_be_places_or_names() -> None:
    series = [Series("a", [Point(x, x) for x in range(1, 40)])]
    assert [name for _, name in x_axis(LineChart("", "x", "y", series)).ticks] == ["10", "20", "30"]
    assert [name for _, name in x_axis(LineChart("", "x", "y", series, x_ticks=[5, 35])).ticks] == ["5", "35"]
    assert [name for _, name in x_axis(LineChart("", "x", "y", series, x_ticks={5: "다섯"})).ticks] == ["다섯"]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Point(1, float("nan")), "figures must be finite"),
        (lambda: Point(1, 2, low=1), "give both ends"),
        (lambda: Point(1, 2, 3, 4), "the interval must hold the figure"),
        (lambda: Series("a", []), "series 'a' has no points"),
        (lambda: LineChart("t", "x", "y", []), "chart 't' has no series"),
        (lambda: LineChart("t", "x", "y", [Series("a", [Point(1, 1)])] * 2), "two series are called 'a'"),
    ],
)
def test_what_makes_no_chart_is_one_clear_line(make: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        make()


def test_the_page_has_the_figures_as_a_table(tmp_path: Path) -> None:
    chart(2).save(tmp_path / "chart.html")
    text = (tmp_path / "chart.html").read_text("utf-8")
    assert '<th scope="row">20</th><td>30.0 (28.0 to 31.0)</td><td>28.0 (26.0 to 31.0)</td>' in text
    assert "<script" not in text
