"""Drawings in the terminal: as wide as it is at most, aligned by cells, and nothing in them is markup."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from jumok.viewing import AttentionMap, LineChart, Point, Series
from viewing.looks import hostile, look, simple

CHART = LineChart(
    "BLEU by length 길이별",
    "단어 words",
    "BLEU",
    [
        Series("additive 덧셈", [Point(10, 31.2, 30.1, 32.4), Point(20, 29.8), Point(30, 24.0)]),
        Series("none", [Point(10, 25.0), Point(30, 9.5)]),
    ],
    x_ticks={10: "up to 10", 20: "11 to 20", 30: "스물한 단어부터"},
)


def printed(drawing: object, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(drawing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [1, 2, 7, 20, 33, 80, 200])
@pytest.mark.parametrize(
    "drawing",
    [look(1, 1).draw(), look(6, 5).draw(), look(12, 40, title="긴 제목 🍎").draw(rows="source"), look(4, 130).draw(),
     hostile().draw(), CHART.draw()],
    ids=["1x1", "6x5", "12x40", "4x130", "hostile", "chart"],
)  # fmt: skip
def test_no_line_is_wider_than_the_terminal(drawing: object, width: int) -> None:
    lines = printed(drawing, width)
    assert lines
    assert max(cell_len(line) for line in lines) <= width


@pytest.mark.parametrize("drawing", [look(6, 5).draw(), CHART.draw()])
def test_a_drawing_fits_into_other_renderables(drawing: object) -> None:
    table = Table(title="looks")
    table.add_column()
    table.add_row(drawing)  # type: ignore[arg-type]
    assert max(cell_len(line) for line in printed(table, 60)) <= 60


def test_labels_and_numbers_are_shown_where_there_is_room() -> None:
    lines = printed(simple("Title").draw(), 80)
    assert lines[0] == "Title"
    assert lines[2].split() == ["target", "↓", "to", "the", "school"]
    assert lines[3].split() == ["I", "██", ".90", "··", ".10"]
    assert lines[4].split() == ["came", "░░", ".20", "░░", ".30", "▒▒", ".50"]


def test_columns_are_numbered_with_a_legend_where_there_is_none() -> None:
    lines = printed(simple().draw(), 30)
    assert lines[0].split() == ["target", "↓", "1", "2", "3"]
    assert lines[1].split() == ["I", "██", "··"]
    assert "1 to  2 the  3 school" in lines


def test_all_columns_come_in_bands() -> None:
    count = 50
    full = AttentionMap.from_arrays(np.eye(count), [f"r{i}" for i in range(count)], [f"c{i}" for i in range(count)])
    lines = printed(full.draw(), 40)
    numbers = [int(word) for line in lines if "target ↓" in line for word in line.split()[2:]]
    assert numbers == list(range(1, count + 1))
    assert sum(line.count("██") for line in lines[:-1]) == count


def test_columns_stand_under_each_other_in_korean() -> None:
    full = AttentionMap.from_arrays(np.eye(3), ["나", "학교에서", "apple"], ["사과", "z", "도서관에서는"])
    head, *rows = printed(full.draw(), 80)[1:5]
    ends = [cell_len(head[: head.index(label)]) + cell_len(label) for label in full.columns]
    for row, end in zip(rows, ends, strict=True):
        assert cell_len(row[: row.index("1.0")]) + 3 == end


def test_a_map_without_cells_says_so() -> None:
    assert printed(look(1, 1).without_special().draw(), 40) == ["nothing to show"]


def test_a_chart_shows_its_points_and_figures() -> None:
    lines = printed(CHART.draw(), 100)
    assert "● additive 덧셈  31.2  29.8  24.0" in lines
    assert "■ none           25.0  9.5" in lines
    plot = "".join(line for line in lines if "│" in line or "┤" in line)
    assert (plot.count("●"), plot.count("■")) == (3, 2)
