"""Weights drawn in the terminal. Widths count cells: a Korean letter takes two, and all stays aligned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.bar import Bar
from rich.table import Table

SHADES = " ░▒▓█"


def bars(pairs: Iterable[tuple[object, float]], width: int = 40) -> Table:
    """One line a key: its name, its weight, and a bar as long as the weight (`width` cells for 1)."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(width=width, no_wrap=True)
    for key, weight in pairs:
        table.add_row(str(key), f"{weight:.4f}", Bar(1.0, 0.0, weight, color="cyan"))
    return table


def heat(rows: Sequence[str], columns: Sequence[str], weights: Sequence[Sequence[float]]) -> Table:
    """A grid of weights: a row for what asked, a column for what was looked at, dark where the look rests."""
    table = Table.grid(padding=(0, 2))
    for _ in range(len(columns) + 1):
        table.add_column(justify="right", no_wrap=True)
    table.add_row("", *columns)
    for name, row in zip(rows, weights, strict=True):
        cells = (f"[cyan]{SHADES[round(weight * 4)] * 2}[/] {weight:.2f}" for weight in row)
        table.add_row(name, *cells)
    return table
