"""Labelled texts in the order of their file, read as they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jumok.data.corpora.normalizing import normalize
from jumok.data.corpora.parts import Part
from jumok.data.corpora.report import CorpusReport
from jumok.data.corpora.rows import Fault, Reader, Row

LARGEST = 1e30
"""Numbers to tell must be smaller: they are kept as float32."""

MEND = "mend it, or leave such texts out with data.on_error=skip"


class LabelledText(NamedTuple):
    """A text, normalised and not empty, its label as it is written, and the number of its row."""

    number: int
    text: str
    label: str

    @property
    def value(self) -> float:
        """The label as a number, where it is one."""
        return float(self.label)


class LabelledTexts:
    """Texts with a label or a number each; iterating reads them from the start, as often as wanted.

    name: which split it is. reader: what reads its file, the text as source and the label as target.
    labels: those that there may be (all, if None). are_numbers: whether they must be numbers.
    part: which of the texts belong to it (all, if None).
    A row that does not fit is a `ValueError` with its place, or, with `skip`, is left out and counted in `report`.
    """

    def __init__(
        self,
        name: str,
        reader: Reader,
        *,
        skip: bool = False,
        lowercase: bool = False,
        part: Part | None = None,
        are_numbers: bool = False,
        labels: tuple[str, ...] | None = None,
    ) -> None:
        self.name, self.reader, self.skip, self.lowercase, self.part = name, reader, skip, lowercase, part
        self.are_numbers, self.labels = are_numbers, labels
        self.report = CorpusReport(name)

    def __iter__(self) -> Iterator[LabelledText]:
        report = self.report = CorpusReport(self.name)
        for found in self.reader.rows():
            row = self._checked(found)
            if isinstance(row, Fault):
                if not self.skip:
                    raise row.error()
                report.skip(row)
            elif self.part is not None and not self.part.has(row.text):
                report.held_out += 1
            else:
                report.pairs += 1
                yield row
        if not report.pairs:
            skipped = "; ".join(line.removeprefix(f"{self.name}: ") for line in report.lines()[1:])
            elsewhere = f"{report.held_out:,} belong to another split" if report.held_out else ""
            why = "; ".join(part for part in (elsewhere, skipped) if part)
            advice = f": {why}" if why else "; give a row for each, with its label"
            raise ValueError(f"{self.name}: there is not one text in {self.reader.name}{advice}")

    def limited(self, labels: tuple[str, ...]) -> LabelledTexts:
        """The same texts, where any other label is a fault."""
        return LabelledTexts(
            self.name,
            self.reader,
            skip=self.skip,
            lowercase=self.lowercase,
            part=self.part,
            are_numbers=self.are_numbers,
            labels=labels,
        )

    def _checked(self, row: Row | Fault) -> LabelledText | Fault:
        if isinstance(row, Fault):
            return row._replace(advice=row.advice.replace("such pairs", "such texts"))
        place = self.reader.place(row.number, "source")
        try:
            text, label = normalize(row.source, self.lowercase), normalize(row.target)
        except ValueError as error:
            return Fault(place, "not valid Unicode", str(error), MEND)
        if not text or not label:
            return Fault(place, f"the {'label' if text else 'text'} is empty", advice=MEND)
        if self.are_numbers and not _is_number(label):
            return Fault(place, "the label is not a number", f"it is {label!r}", MEND)
        if self.labels is not None and label not in self.labels:
            known = ", ".join(self.labels[:10]) + (", ..." if len(self.labels) > 10 else "")
            return Fault(place, "the label does not occur in training", f"it is {label!r}; known: {known}", MEND)
        return LabelledText(row.number, text, label)


def _is_number(text: str) -> bool:
    try:
        return abs(float(text)) < LARGEST
    except ValueError:
        return False
