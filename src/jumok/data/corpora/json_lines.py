"""JSONL: a JSON value a line, and a path to the text of each side."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from jumok.data.corpora.columns import Columns, field, kind_of
from jumok.data.corpora.files import pieces
from jumok.data.corpora.lines import text_lines
from jumok.data.corpora.rows import Fault, Row, Side


def fields_of(value: Any, columns: Columns, place: str) -> list[Any] | Fault:
    """What a value has in the columns; a fault where one is missing."""
    found = []
    for column in columns:
        try:
            found.append(field(value, column))
        except KeyError:
            there = f"it has {', '.join(map(str, value))}" if isinstance(value, dict) else f"it is {kind_of(value)}"
            return Fault(place, f"there is no field {column!r}", there[:200])
    return found


def row_of(place: str, number: int, value: Any, columns: Columns) -> Row | Fault:
    """The row of a value that has the columns as fields; a fault where one is missing, or is not text."""
    texts = fields_of(value, columns, place)
    if isinstance(texts, Fault):
        return texts
    for column, text in zip(columns, texts, strict=True):
        if not isinstance(text, str):
            return Fault(place, f"the field {column!r} is not text", f"it is {kind_of(text)}")
    return Row(number, *texts)


class JsonLinesReader(NamedTuple):
    """Reads one JSON object (or list) a line; `row` makes a row of its place, its number, the value and the columns."""

    path: Path
    columns: Columns
    encoding: str
    row: Callable[[str, int, Any, Columns], Row | Fault] = row_of

    @property
    def name(self) -> str:
        """The file."""
        return str(self.path)

    def rows(self) -> Iterator[Row | Fault]:
        """Yields a row for each line."""
        for number, line in enumerate(text_lines(self.path, self.encoding), start=1):
            yield line if isinstance(line, Fault) else self._row(number, line)

    def place(self, number: int, side: Side) -> str:
        """The file and the line."""
        return f"{self.path}:{number}"

    def content(self) -> Iterator[bytes]:
        """Yields what is asked for, then the bytes of the file."""
        yield f"jsonl {self.encoding} {tuple(self.columns)}".encode()
        yield from pieces(self.path)

    def _row(self, number: int, line: str) -> Row | Fault:
        place = self.place(number, "source")
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = "not valid JSON" if line.strip() else "the line is empty"
            return Fault(place, reason, str(error).splitlines()[0] if line.strip() else "")
        return self.row(place, number, value, self.columns)
