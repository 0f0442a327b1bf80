"""Lines of text as they come: from files, tables and other programs, in chunks, with their translations behind."""

from __future__ import annotations

import csv
import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from jumok.core.names import unknown
from jumok.data.corpora.encodings import checked_encoding

CHUNK = 2000
"""Lines that are sorted by length and translated together."""

_DELIMITERS = {".csv": ",", ".tsv": "\t"}


class Table(NamedTuple):
    """A CSV or TSV file, whole."""

    names: list[str]
    rows: list[list[str]]
    delimiter: str

    def column(self, name: str, path: Path) -> list[str]:
        """The texts of one column."""
        place = self._place(name, path)
        return [row[place] for row in self.rows]

    def _place(self, name: str, path: Path) -> int:
        if name not in self.names:
            raise ValueError(f"{path}: {unknown('column', name, self.names)}")
        return self.names.index(name)

    def with_column(self, name: str, values: Sequence[str]) -> Table:
        """With one more column, or in place of the one that has this name."""
        if name in self.names:
            place = self.names.index(name)
            rows = [[*row[:place], value, *row[place + 1 :]] for row, value in zip(self.rows, values, strict=True)]
            return self._replace(rows=rows)
        rows = [[*row, value] for row, value in zip(self.rows, values, strict=True)]
        return Table([*self.names, name], rows, self.delimiter)

    def write(self, file: IO[str]) -> None:
        """As CSV or TSV, with the names above."""
        writer = csv.writer(file, delimiter=self.delimiter, lineterminator="\n")
        writer.writerows([self.names, *self.rows])


def is_table(path: Path) -> bool:
    """Whether a file is a table, by the ending of its name."""
    return path.suffix.lower() in _DELIMITERS


def read_table(path: Path, encoding: str = "utf-8") -> Table:
    """A CSV or TSV file whose first row holds the names of its columns."""
    delimiter = _DELIMITERS.get(path.suffix.lower())
    if delimiter is None:
        raise ValueError(f"{path}: --column is for tables; their names end in {' or '.join(_DELIMITERS)}")
    with _opened(path, encoding, newline="") as file:
        try:
            rows = list(csv.reader(file, delimiter=delimiter, strict=True))
        except csv.Error as error:
            raise ValueError(f"{path}: is no table that can be read ({error})") from None
        except UnicodeDecodeError as error:
            raise _not_text(path, encoding, error) from None
    if not rows:
        raise ValueError(f"{path}: is empty; its first row should hold the names of the columns")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(rows[0]):
            raise ValueError(f"{path}:{number}: has {len(row)} columns, the first row has {len(rows[0])}")
    return Table(rows[0], rows[1:], delimiter)


def read_lines(path: Path, encoding: str = "utf-8") -> Iterator[str]:
    """The lines of a file, cut at newlines and nothing else."""
    with _opened(path, encoding) as file:
        try:
            for line in file:
                yield line.rstrip("\n").rstrip("\r")
        except UnicodeDecodeError as error:
            raise _not_text(path, encoding, error) from None


def chunks(lines: Iterable[str], most: int = CHUNK) -> Iterator[list[str]]:
    """Lines in chunks: as many as are there, `most` at once, so that who waits for an answer gets it.

    They are read by a thread, which a slow translation does not hold up.
    """
    waiting: queue.Queue[str | BaseException | None] = queue.Queue(maxsize=2 * most)

    def read() -> None:
        try:
            for line in lines:
                waiting.put(line)
            waiting.put(None)
        except BaseException as error:  # is raised where the lines are taken
            waiting.put(error)

    threading.Thread(target=read, daemon=True).start()
    chunk: list[str] = []
    while True:
        try:
            item = waiting.get(block=not chunk)
        except queue.Empty:
            yield chunk
            chunk = []
            continue
        if isinstance(item, str):
            chunk.append(item)
        if chunk and (len(chunk) == most or not isinstance(item, str)):
            yield chunk
            chunk = []
        if isinstance(item, BaseException):
            raise item
        if item is None:
            return


def _opened(path: Path, encoding: str, newline: str = "\n") -> IO[str]:
    name = checked_encoding(encoding)
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    if path.is_dir():
        raise ValueError(f"{path}: is a folder; name a file")
    return path.open(encoding="utf-8-sig" if name.lower().replace("_", "-") == "utf-8" else name, newline=newline)


def _not_text(path: Path, encoding: str, error: UnicodeDecodeError) -> ValueError:
    return ValueError(
        f"{path}: is not {encoding} ({error.reason} at byte {error.start}); give --encoding, such as cp949"
    )
