"""Which value of a row is meant: a column by number, by the name that the header gives it, or a field by its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jumok.core.names import unknown


class Columns(NamedTuple):
    """The columns of the two sides, by name or by number from 0."""

    source: int | str
    target: int | str

    @property
    def named(self) -> bool:
        """Whether a header is needed to find them."""
        return isinstance(self.source, str) or isinstance(self.target, str)

    def numbers(self, header: Sequence[str], where: str) -> tuple[int, int]:
        """Both as numbers, by the names in the header; a name that is not there is an error that names them all."""
        names = [name.strip() for name in header]
        source, target = (_number(column, names, where) for column in self)
        return source, target


def _number(column: int | str, names: Sequence[str], where: str) -> int:
    if isinstance(column, int):
        return column
    if names.count(column) > 1:
        raise ValueError(f"{where}: two columns are called {column!r}; name the column by its number, from 0")
    if column in names:
        return names.index(column)
    hint = " (or are the columns not separated by commas?)" if len(names) == 1 and ";" in names[0] else ""
    raise ValueError(f"{where}: {unknown('column', column, names)}{hint}")


def field(row: Any, column: int | str) -> Any:
    """The value at a path such as `translation.en`, or at a number in a list; `KeyError` where there is none.

    >>> field({"translation": {"en": "Go."}, "a.b": 1}, "translation.en"), field(["x", "y"], 1)
    ('Go.', 'y')
    """
    if isinstance(column, int):
        if isinstance(row, Sequence) and not isinstance(row, str) and column < len(row):
            return row[column]
        raise KeyError(column)
    if isinstance(row, Mapping):
        if column in row:
            return row[column]
        outer, dot, inner = column.partition(".")
        if dot and outer in row:
            return field(row[outer], inner)
    raise KeyError(column)


def kind_of(value: Any) -> str:
    """What a value is that is not text, for people."""
    names = {type(None): "null", bool: "true or false", int: "a number", float: "a number", list: "a list"}
    return names.get(type(value), "an object" if isinstance(value, Mapping) else type(value).__name__)
