"""A corpus: pairs of sentences in the order of their file, read as they are asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256

from jumok.data.corpora import normalizing
from jumok.data.corpora.normalizing import normalize
from jumok.data.corpora.parts import Part
from jumok.data.corpora.report import CorpusReport
from jumok.data.corpora.rows import MEND, Fault, Reader, Row, Side, TextPair


class Corpus:
    """Pairs of sentences, normalised; iterating reads them from the start, in constant memory, as often as wanted.

    name: which split it is. reader: what reads its files. part: which of its sentences belong to it (all, if None).
    A row that is no pair is a `ValueError` with its place, or, with `skip`, is left out and counted in `report`,
    which is that of the last reading.
    """

    def __init__(
        self,
        name: str,
        reader: Reader,
        *,
        skip: bool = False,
        lowercase: bool = False,
        part: Part | None = None,
    ) -> None:
        self.name, self.reader = name, reader
        self.skip, self.lowercase, self.part = skip, lowercase, part
        self.report = CorpusReport(name)

    def __iter__(self) -> Iterator[TextPair]:
        return (TextPair(source, target) for _, source, target in self.rows())

    def rows(self) -> Iterator[Row]:
        """Yields the pairs with the numbers of their rows."""
        report = self.report = CorpusReport(self.name)
        lowercase, part = self.lowercase, self.part
        for found in self.reader.rows():
            row = found if isinstance(found, Fault) else self._normalized(found, lowercase)
            if isinstance(row, Fault):
                if not self.skip:
                    raise row.error()
                report.skip(row)
            elif part is not None and not part.has(row.source):
                report.held_out += 1
            else:
                report.pairs += 1
                yield row
        if not report.pairs:
            raise ValueError(self._nothing(report))

    def skipping(self) -> Corpus:
        """The same corpus, with rows that are no pairs left out and counted."""
        return Corpus(self.name, self.reader, skip=True, lowercase=self.lowercase, part=self.part)

    def place(self, number: int, side: Side = "source") -> str:
        """Where the row `number` is: `train.de:17`."""
        return self.reader.place(number, side)

    def fingerprint(self) -> str:
        """A hash of all that decides the text of the pairs: the files' bytes and the settings; not where they are."""
        settings = [normalizing.VERSION, self.skip, self.lowercase, self.part]
        digest = sha256(json.dumps(settings).encode())
        for content in self.reader.content():
            digest.update(content)
        return digest.hexdigest()

    def _normalized(self, row: Row, lowercase: bool) -> Row | Fault:
        try:
            source = normalize(row.source, lowercase)
            target = normalize(row.target, lowercase)
        except ValueError as error:
            return Fault(self.place(row.number), "not valid Unicode", str(error))
        if source and target:
            return Row(row.number, source, target)
        side: Side = "target" if source else "source"
        return Fault(self.place(row.number, side), f"the {side} is empty")

    def _nothing(self, report: CorpusReport) -> str:
        found = f"{report.held_out:,} pairs belong to another split" if report.held_out else ""
        skipped = "; ".join(line.removeprefix(f"{self.name}: ") for line in report.lines()[1:])
        advice = "; ".join(sorted({fault.advice for fault in report.skipped.values()} - {MEND}))
        why = "; ".join(part for part in (found, skipped, advice) if part)
        return f"{self.name}: there is not one pair in {self.reader.name}{f': {why}' if why else ''}"
