"""Parquet files, a batch of rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jumok.core.names import unknown
from jumok.data.corpora.columns import Columns
from jumok.data.corpora.extras import extra
from jumok.data.corpora.files import pieces
from jumok.data.corpora.json_lines import row_of
from jumok.data.corpora.rows import Fault, Row, Side

ROWS_AT_ONCE = 4096


class ParquetReader(NamedTuple):
    """Reads two columns of a Parquet file; `translation.en` is the field `en` of the column `translation`."""

    path: Path
    columns: Columns

    @property
    def name(self) -> str:
        """The file."""
        return str(self.path)

    def rows(self) -> Iterator[Row | Fault]:
        """Yields a row for each row of the table."""
        parquet = extra("pyarrow.parquet", "parquet", self.name)
        number = 0
        try:
            with parquet.ParquetFile(self.path) as file:
                columns = by_name(self.columns, file.schema_arrow.names, self.name)
                for batch in file.iter_batches(ROWS_AT_ONCE, columns=sorted(set(columns))):
                    for value in batch.to_pylist():
                        number += 1
                        yield row_of(self.place(number, "source"), number, value, columns)
        except (extra("pyarrow", "parquet", self.name).ArrowException, OSError, UnicodeDecodeError) as error:
            cause = " ".join(str(error).split())
            raise OSError(f"{self.path}: not a whole Parquet file ({cause[:200]}); copy or download it again") from None

    def place(self, number: int, side: Side) -> str:
        """The file and the row, counted from 1."""
        return f"{self.path}:{number}"

    def content(self) -> Iterator[bytes]:
        """Yields what is asked for, then the bytes of the file."""
        yield f"parquet {tuple(self.columns)}".encode()
        yield from pieces(self.path)


def by_name(columns: Columns, names: Sequence[str], where: str) -> Columns:
    """The columns by name, or as a path that starts with one; an error where a table of these names has no such one."""
    found = []
    for column in columns:
        if isinstance(column, int) and column >= len(names):
            raise ValueError(f"{where}: there is no column number {column}; the first of {len(names)} is number 0")
        name = names[column] if isinstance(column, int) else column
        if name not in names and name.partition(".")[0] not in names:
            raise ValueError(f"{where}: {unknown('column', name, names)}")
        found.append(name)
    return Columns(*found)
