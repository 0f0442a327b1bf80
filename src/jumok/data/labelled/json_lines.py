"""JSONL with a text and a label a line; the label may be a number or true, as such files often have it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from jumok.data.corpora.columns import Columns, field, kind_of
from jumok.data.corpora.files import pieces
from jumok.data.corpora.lines import text_lines
from jumok.data.corpora.rows import Fault, Row, Side


class LabelledLinesReader(NamedTuple):
    """Reads one JSON object (or list) a line: its text is the row's source, its label the target."""

    path: Path
    columns: Columns
    encoding: str

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
        found = []
        for column in self.columns:
            try:
                found.append(field(value, column))
            except KeyError:
                there = f"it has {', '.join(map(str, value))}" if isinstance(value, dict) else f"it is {kind_of(value)}"
                return Fault(place, f"there is no field {column!r}", there[:200])
        text, label = found
        if not isinstance(text, str):
            return Fault(place, f"the field {self.columns.source!r} is not text", f"it is {kind_of(text)}")
        if not isinstance(label, str | int | float):
            return Fault(place, f"the field {self.columns.target!r} is no label", f"it is {kind_of(label)}")
        return Row(number, text, label if isinstance(label, str) else _written(label))


def _written(label: Any) -> str:
    """A label that is no text as JSON writes it: 1, 0.5, true."""
    return json.dumps(label)
