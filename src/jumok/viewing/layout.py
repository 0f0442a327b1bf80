"""Where the parts of a matrix go: sizes of cells and letters, room for labels, before anything is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from jumok.viewing.grid import Grid
from jumok.viewing.text import ems, shortened, widest

LINE = 1.15
"""The height of a line of labels, in ems."""
LONGEST = 16.0
"""A label longer than this many ems is shortened."""
MARGIN, TITLE, NAMES = 16.0, 15.0, 12.0
"""Room at the edges; font sizes of the title and of the names of the sides."""


@dataclass(frozen=True)
class Label:
    """A label at the centre of its row or column; `text` may be shortened, `full` is not."""

    place: float
    text: str
    full: str


@dataclass(frozen=True)
class Layout:
    """Sizes of a picture's parts, in pixels.

    left, top: the corner of the cells. cell_width, cell_height: of one cell. width, height: of all cells.
    letters: the labels' font size. slant: the angle of the labels across the top; 0 where they fit above their cells.
    down, across: the labels drawn; in long maps only some. sheet_width, sheet_height: of the whole picture.
    """

    left: float
    top: float
    cell_width: float
    cell_height: float
    width: float
    height: float
    letters: float
    slant: int
    down: tuple[Label, ...]
    across: tuple[Label, ...]
    sheet_width: float
    sheet_height: float

    @property
    def name_above(self) -> float:
        """How far above the cells the name of the left side stands: clear of a first label taller than its row."""
        return 6 + max(0.0, (self.letters - self.cell_height) / 2)

    @property
    def across_name_at(self) -> float:
        """The baseline on which the name of the upper side stands."""
        return self.top - header(self.across, self.letters, self.slant) - 4


def laid_out(grid: Grid) -> Layout:
    """Where everything goes: the title, the names of the sides, labels, cells, and the scale below them."""
    cell_width, cell_height = cell_size(len(grid.down), len(grid.across))
    letters = min(14.0, max(10.0, 0.55 * min(cell_width, cell_height)))
    slant = _slant([shortened(label, LONGEST) for label in grid.across], cell_width, letters)
    lean = math.radians(slant or 90)
    down = _labels(grid.down, cell_height, LINE * letters)
    across = _labels(grid.across, cell_width, 0.0 if slant == 0 else LINE * letters / math.sin(lean))
    side = max(widest([label.text for label in down]) * letters, NAMES * ems(f"{grid.down_name} ↓"))
    left = MARGIN + math.ceil(side) + 8
    top = MARGIN + (26 if grid.title else 0) + 16 + header(across, letters, slant)
    width, height = cell_width * len(grid.across), cell_height * len(grid.down)
    reach = max((label.place + ems(label.text) * letters * math.cos(lean) for label in across), default=0.0)
    names = [left + NAMES * ems(f"{grid.across_name} →"), MARGIN + TITLE * ems(grid.title, bold=True)]
    return Layout(
        left=left,
        top=top,
        cell_width=cell_width,
        cell_height=cell_height,
        width=width,
        height=height,
        letters=letters,
        slant=slant,
        down=down,
        across=across,
        sheet_width=math.ceil(max(left + width, left + reach, left + 170, *names) + MARGIN),
        sheet_height=math.ceil(top + height + 44 + MARGIN / 2),
    )


def header(across: Sequence[Label], letters: float, slant: int) -> float:
    """The height that the labels across the top take."""
    rise = math.sin(math.radians(slant)) * widest([label.text for label in across])
    return math.ceil(rise * letters + letters) + 4


def cell_size(down: int, across: int) -> tuple[float, float]:
    """Width and height of a cell: square where both sides are short enough for it."""
    width, height = _size(across), _size(down)
    both = min(width, height)
    return (both, both) if both >= 12 else (width, height)


def _size(count: int) -> float:
    count = max(count, 1)
    return min(40.0, max(640 / count, min(13.5, 900 / count)))


def _slant(labels: Sequence[str], cell: float, letters: float) -> int:
    if all(ems(label) * letters <= cell - 4 for label in labels):
        return 0
    return 45 if cell * math.sin(math.radians(45)) >= LINE * letters else 60


def _labels(labels: Sequence[str], cell: float, needed: float) -> tuple[Label, ...]:
    """The labels that have room: all, or every second, every fifth, ..."""
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if step * cell >= needed), 1000)
    return tuple(
        Label((number + 0.5) * cell, shortened(label, LONGEST), label)
        for number, label in enumerate(labels)
        if number % step == 0
    )
