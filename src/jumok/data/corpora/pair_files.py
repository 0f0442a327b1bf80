"""Two plain files, read in step: whatever is in a line, line 7 of one belongs to line 7 of the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from jumok.data.corpora.files import pieces
from jumok.data.corpora.lines import text_lines
from jumok.data.corpora.rows import Fault, Row, Side


class PairFilesReader(NamedTuple):
    """Reads a file of sentences and a file of their translations."""

    source: Path
    target: Path
    encoding: str

    @property
    def name(self) -> str:
        """Both files."""
        return f"{self.source} and {self.target}"

    def rows(self) -> Iterator[Row | Fault]:
        """Yields a row for each line; the lines that one file has more than the other are one fault at the end."""
        sources, targets = text_lines(self.source, self.encoding), text_lines(self.target, self.encoding)
        for number, (source, target) in enumerate(zip_longest(sources, targets), start=1):
            if source is None or target is None:
                more = 1 + sum(1 for _ in (targets if source is None else sources))
                yield self._longer("target" if source is None else "source", number, more)
                return
            if isinstance(source, str) and isinstance(target, str):
                yield Row(number, source, target)
            else:
                yield source if isinstance(source, Fault) else target  # type: ignore[misc]

    def place(self, number: int, side: Side) -> str:
        """The file of that side, and the line."""
        return f"{self.source if side == 'source' else self.target}:{number}"

    def content(self) -> Iterator[bytes]:
        """Yields the encoding, then the bytes of both files."""
        yield f"pair files {self.encoding}".encode()
        yield from pieces(self.source)
        yield from pieces(self.target)

    def _longer(self, side: Side, number: int, more: int) -> Fault:
        lines = {side: number - 1 + more}
        counts = [lines.get("source", number - 1), lines.get("target", number - 1)]
        detail = f"{self.source} has {_lines(counts[0])}, {self.target} has {_lines(counts[1])}"
        return Fault(self.place(number, side), "the line has no partner", detail, lost=more)


def _lines(count: int) -> str:
    return f"{count:,} line{'' if count == 1 else 's'}"
