"""Weights drawn in the terminal. Widths count cells: a Korean letter takes two, and all stays aligned."""

from __future__ import annotations

from collections.abc import Iterable

from rich.bar import Bar
from rich.table import Table


def bars(pairs: Iterable[tuple[object, float]], width: int = 40) -> Table:
    """One line a key: its name, its weight, and a bar as long as the weight (`width` cells for 1)."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(width=width, no_wrap=True)
    for key, weight in pairs:
        table.add_row(str(key), f"{weight:.4f}", Bar(1.0, 0.0, weight, color="cyan"))
    return table
