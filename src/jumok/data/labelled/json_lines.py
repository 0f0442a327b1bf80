"""A text and a label of a JSON value; the label may be a number or true, as such files often have it."""

from __future__ import annotations

import json
from typing import Any

from jumok.data.corpora.columns import Columns, kind_of
from jumok.data.corpora.json_lines import fields_of
from jumok.data.corpora.rows import Fault, Row


def labelled_row(place: str, number: int, value: Any, columns: Columns) -> Row | Fault:
    """The text is the row's source, the label its target: as it is, or as JSON writes it (1, 0.5, true)."""
    found = fields_of(value, columns, place)
    if isinstance(found, Fault):
        return found
    text, label = found
    if not isinstance(text, str):
        return Fault(place, f"the field {columns.source!r} is not text", f"it is {kind_of(text)}")
    if not isinstance(label, str | int | float):
        return Fault(place, f"the field {columns.target!r} is no label", f"it is {kind_of(label)}")
    return Row(number, text, label if isinstance(label, str) else json.dumps(label))
