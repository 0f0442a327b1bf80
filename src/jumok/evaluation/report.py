"""All figures of one model on one set of sentences: for the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jumok.evaluation.alignment import AttentionAlignment
from jumok.evaluation.lengths import LengthRow
from jumok.evaluation.looks import Diagnosis
from jumok.evaluation.score import Score, shown
from jumok.evaluation.tables import plain_table

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_SHORT = 24
"""Signatures of so many letters stand beside their figure."""


@dataclass(frozen=True)
class Report:
    """What an evaluation found; `notes` say what could not be measured, a line each."""

    sentences: int
    scores: tuple[Score, ...]
    by_length: tuple[LengthRow, ...] = ()
    alignment: AttentionAlignment | None = None
    looks: Diagnosis | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what was not measured is not there."""
        values: dict[str, Any] = {
            "sentences": self.sentences,
            "scores": [score.to_dict() for score in self.scores],
        }
        if self.by_length:
            values["by_length"] = [row.to_dict() for row in self.by_length]
        if self.alignment is not None:
            values["alignment"] = self.alignment.to_dict()
        if self.looks is not None:
            values["attention"] = self.looks.to_dict()
        if self.notes:
            values["notes"] = list(self.notes)
        return values

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the reader of the figures should know, a line each."""
        found = self.looks.warning if self.looks is not None else None
        return self.notes if found is None else (*self.notes, found)

    def table(self) -> RenderableType:
        """The figures of this model alone, for the terminal; long signatures stand below, each of them once."""
        from rich.console import Group
        from rich.markup import escape

        signatures = dict.fromkeys(score.signature for score in self.scores if len(score.signature) > _SHORT)
        number = {signature: f"[{place}]" for place, signature in enumerate(signatures, 1)}
        titles = ("figure", "value", "95 % interval", "signature")
        table = plain_table(titles, words=("figure", "signature"), whole=titles[:3])
        for score in self.scores:
            named = number.get(score.signature, score.signature)
            table.add_row(score.name, _value(score), _interval(score.low, score.high), escape(named))
        for name, value, interval, note in _about_attention(self):
            table.add_row(name, value, interval, escape(note))
        below = plain_table(("", "signature"), words=("", "signature"), whole=("",))
        below.show_header = False
        for signature, place in number.items():
            below.add_row(escape(place), escape(signature))
        return Group(table, below) if number else table


def side_by_side(reports: Mapping[str, Report]) -> Table:
    """Several models, a row for each, and a column for each figure that any of them has."""
    from rich.markup import escape

    names = list(dict.fromkeys(score.name for report in reports.values() for score in report.scores))
    table = plain_table(("model", "sentences", *names), words=("model",), whole=("sentences",))
    for model, report in reports.items():
        found = {score.name: score for score in report.scores}
        cells = (f"{_value(found[name])}{found[name].interval}" if name in found else "" for name in names)
        table.add_row(escape(model), f"{report.sentences:,}", *cells)
    return table


def _about_attention(report: Report) -> list[tuple[str, str, str, str]]:
    """Rows of the table: the figure, its value, its interval, and what belongs to it."""
    rows = []
    for shift, score in report.alignment.shifts.items() if report.alignment is not None else ():
        found = f"precision {_percent(score.precision)}, recall {_percent(score.recall)}"
        interval = f"{100 * score.low:.1f} to {_percent(score.high)}"
        rows.append((f"alignment error{_words(shift)}", _percent(score.error_rate), interval, found))
    if (looks := report.looks) is not None:
        sharp = f"{_percent(looks.relative_entropy)} of a look at everything alike"
        rows.append(("entropy of attention", f"{looks.entropy:.2f} bits", "", sharp))
        if looks.over_pictures:
            rows.append(("change of attention", _percent(looks.change), "", "of the look, from word to word"))
            return rows
        rows.append(("words looked at", _percent(looks.coverage), "", "source words that some word looks at"))
        rows.append(("weight on the end", _percent(looks.end_share), "", "of the sentence"))
    return rows


def _words(shift: int) -> str:
    if not shift:
        return ""
    return f", {abs(shift)} word{'s' if abs(shift) > 1 else ''} {'later' if shift > 0 else 'earlier'}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _value(score: Score) -> str:
    return shown(score.value)


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{shown(low)} to {shown(high)}"
