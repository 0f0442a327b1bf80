"""Tables of text, a row a pair: TSV, cut at tabs and nothing else, and CSV, with its quotes."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jumok.data.corpora.columns import Columns
from jumok.data.corpora.files import pieces
from jumok.data.corpora.lines import text_lines
from jumok.data.corpora.rows import MEND, Fault, Row, Side


class Record(NamedTuple):
    """The fields of a row of a table, and the line on which it starts."""

    number: int
    fields: Sequence[str]


class TableReader(NamedTuple):
    """Reads a TSV or CSV file; its first row holds the columns' names if one of them is asked for by name."""

    path: Path
    kind: str
    columns: Columns
    encoding: str

    @property
    def name(self) -> str:
        """The file."""
        return str(self.path)

    def rows(self) -> Iterator[Row | Fault]:
        """Yields a row for each row of the table but its header."""
        records = self._tsv() if self.kind == "tsv" else self._csv()
        source, target = self._numbers(records)
        for record in records:
            if isinstance(record, Fault):
                yield record
            elif max(source, target) < len(record.fields):
                yield Row(record.number, record.fields[source], record.fields[target])
            else:
                yield self._too_few(record, max(source, target))

    def place(self, number: int, side: Side) -> str:
        """The file and the line."""
        return f"{self.path}:{number}"

    def content(self) -> Iterator[bytes]:
        """Yields what is asked for, then the bytes of the file."""
        yield f"{self.kind} {self.encoding} {tuple(self.columns)}".encode()
        yield from pieces(self.path)

    def _numbers(self, records: Iterator[Record | Fault]) -> tuple[int, int]:
        if not self.columns.named:
            return self.columns.numbers((), "")
        header = next(records, None)
        if header is None:
            return 0, 0
        if isinstance(header, Fault):
            raise header.error()
        return self.columns.numbers(header.fields, f"{self.path}:1")

    def _too_few(self, record: Record, last: int) -> Fault:
        detail = f"it has {len(record.fields)}, and column number {last} is asked for; the first is number 0"
        if not any(text.strip() for text in record.fields):
            return Fault(self.place(record.number, "source"), "the line is empty")
        return Fault(self.place(record.number, "source"), "the row has too few columns", detail)

    def _tsv(self) -> Iterator[Record | Fault]:
        for number, line in enumerate(text_lines(self.path, self.encoding), start=1):
            yield line if isinstance(line, Fault) else Record(number, line.split("\t"))

    def _csv(self) -> Iterator[Record | Fault]:
        r"""Rows by Python's csv module, strictly; a `\r` within a line is a blank, not the end of a row."""
        faults: list[Fault] = []

        def lines() -> Iterator[str]:
            for line in text_lines(self.path, self.encoding):
                if isinstance(line, Fault):
                    faults.append(line)
                    line = line.text
                yield line.removesuffix("\n").removesuffix("\r").replace("\r", " ") + "\n"

        reader = csv.reader(lines(), strict=True)
        while True:
            number = reader.line_num + 1
            try:
                fields = next(reader, None)
            except csv.Error as error:
                advice, lost = f"a quote within a quoted field is written twice; {MEND}", reader.line_num + 1 - number
                faults.append(Fault(self.place(number, "source"), "not valid CSV", str(error), advice, lost))
                fields = []
            if fields is None:
                return
            yield faults[0] if faults else Record(number, fields)
            faults.clear()
