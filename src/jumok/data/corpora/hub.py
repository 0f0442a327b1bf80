"""Data sets of the Hugging Face Hub: downloaded once by `datasets`, then read from the disk a batch at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from jumok.data.corpora.columns import Columns
from jumok.data.corpora.extras import extra
from jumok.data.corpora.json_lines import row_of
from jumok.data.corpora.parquet import ROWS_AT_ONCE, by_name
from jumok.data.corpora.rows import Fault, Row, Side
from jumok.data.corpora.settings import HubData


class HubReader(NamedTuple):
    """Reads two columns of a data set that was loaded."""

    name: str
    table: Any
    columns: Columns

    def rows(self) -> Iterator[Row | Fault]:
        """Yields a row for each row of the data set."""
        number = 0
        for batch in self.table.iter(ROWS_AT_ONCE):
            for value in batch.to_pylist():
                number += 1
                yield row_of(self.place(number, "source"), number, value, self.columns)

    def place(self, number: int, side: Side) -> str:
        """The data set and the row, counted from 1."""
        return f"{self.name}:{number}"

    def content(self) -> Iterator[bytes]:
        """Yields the text of all rows."""
        for row in self.rows():
            yield repr(tuple(row)[1:]).encode()


def open_hub(settings: HubData, where: str) -> HubReader:
    """Load a data set, from the disk if it was downloaded before; what `datasets` says against it is one line."""
    datasets = extra("datasets", "hub", f"{where}: {settings.hub}")
    try:
        table = datasets.load_dataset(settings.hub, settings.name, split=settings.split, revision=settings.revision)
    except Exception as error:  # its packages raise whatever they like
        raise ValueError(f"{where}: {settings.hub}: {' '.join(str(error).split())[:300]}") from error
    name = f"{settings.hub}/{settings.split}"
    columns = by_name(Columns(settings.source, settings.target), table.column_names, f"{where}: {name}")
    tops = [column if column in table.column_names else str(column).partition(".")[0] for column in columns]
    return HubReader(name, table.select_columns(sorted(set(map(str, tops)))).with_format("arrow"), columns)
