"""A map as it is laid on paper: one matrix, one side at the left, the other across the top."""

from __future__ import annotations

import math
from dataclasses import dataclass

from jumok.core.names import unknown
from jumok.viewing.map import AttentionMap, Weights
from jumok.viewing.palettes import TOPS
from jumok.viewing.text import pieces, shown

SIDES = ("target", "source")


@dataclass(frozen=True, eq=False)
class Grid:
    """One matrix and its labels, ready to be drawn.

    weights: `(down, across)`. down, across: the labels at the left and across the top.
    swapped: what was looked at stands at the left. scale: the weight that gets the last colour, where it is given.
    """

    weights: Weights
    down: tuple[str, ...]
    across: tuple[str, ...]
    down_name: str
    across_name: str
    title: str
    swapped: bool
    scale: float | None = None

    @classmethod
    def of(cls, look: AttentionMap, rows: str = "target") -> Grid:
        """The mean over the heads of the last layer, with the side `rows` at the left."""
        check_side(rows)
        down, across = pieces(look.rows, look.row_words), pieces(look.columns, look.column_words)
        row_name, column_name, title = shown(look.row_name), shown(look.column_name), shown(look.title)
        if rows == "target":
            return cls(look.matrix, down, across, row_name, column_name, title, swapped=False)
        return cls(look.matrix.T, across, down, column_name, row_name, title, swapped=True)

    @property
    def top(self) -> float:
        """The weight that gets the last colour: the largest, rounded up to 1, 2 or 5 times a power of ten."""
        return self.top_in("blue")

    def top_in(self, palette: str) -> float:
        """The same in a palette: that of the paper has a scale of its own."""
        return top_of(self.weights, palette) if self.scale is None else self.scale

    def cell(self, down: int, across: int) -> str:
        """What a cell says: "row -> column: 0.123", whichever side is at the left."""
        ends = (self.down[down], self.across[across])
        row, column = reversed(ends) if self.swapped else ends
        return f"{row} → {column}: {self.weights[down, across]:.3f}"


def check_side(rows: str) -> None:
    """One line where `rows` names no side."""
    if rows not in SIDES:
        raise ValueError(unknown("side", rows, SIDES))


def top_of(weights: Weights, palette: str) -> float:
    """The weight that gets the last colour of a palette."""
    if palette in TOPS:
        return TOPS[palette]
    return ceiling(float(weights.max())) if weights.size else 1.0


def ceiling(value: float) -> float:
    """The next number of 1, 2, 5, 10, 20, 50, ... and their like below 1.

    >>> [ceiling(value) for value in (0, 0.04, 0.2, 0.5, 0.93, 1.0, 1.3)]
    [1.0, 0.05, 0.2, 0.5, 1.0, 1.0, 2.0]
    """
    if value <= 0:
        return 1.0
    power = math.floor(math.log10(value))
    steps = [step * 10.0**power if power >= 0 else step / 10.0**-power for step in (1, 2, 5, 10)]
    return next((step for step in steps if value <= step * (1 + 1e-6)), steps[-1])
