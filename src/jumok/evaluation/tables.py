"""Tables of figures for the terminal: without lines, and where it is narrow, folded and never cut."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

_NUMBER = 8
"""As narrow as a column of figures may become: a number of two decimals with its bracket is not divided."""


def plain_table(titles: Sequence[str], words: Collection[str] = (), whole: Collection[str] = ()) -> Table:
    """A table with these columns; those of `words` stand at the left, those that are `whole` are not folded."""
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in titles:
        left = title in words
        table.add_column(
            escape(title),
            justify="left" if left else "right",
            overflow="fold",
            no_wrap=title in whole,
            min_width=None if left or title in whole else _NUMBER,
        )
    return table
