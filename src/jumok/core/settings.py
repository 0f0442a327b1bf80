"""Settings that say what is wrong with them: the base of every part's settings, and their one-line errors."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, TypeVar

import pydantic
from pydantic import BaseModel, ConfigDict
from pydantic_core import ErrorDetails

from jumok.core.names import nearest

S = TypeVar("S", bound="Settings")


class Settings(BaseModel):
    """Checked values with names. A field that is not known is an error; nothing changes after they were read."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


def read_settings(kind: type[S], values: Mapping[str, Any], where: str) -> S:
    """`values` as settings of `kind`; what does not fit is one `ValueError` that names `where` and the field.

    >>> class Cell(Settings):
    ...     kind: str = "lstm"
    ...     layers: int = 1
    >>> read_settings(Cell, {"layer": 2}, "my.yaml")
    Traceback (most recent call last):
    ValueError: my.yaml: layer: no such field; did you mean 'layers'? Known: kind, layers
    """
    try:
        return kind.model_validate(dict(values))
    except pydantic.ValidationError as error:
        first, *others = error.errors(include_url=False)
        more = f" (and {len(others)} more)" if others else ""
        raise ValueError(f"{where}: {_line(kind, first)}{more}") from None


def _line(kind: type[Settings], error: ErrorDetails) -> str:
    place = [part for part in error["loc"] if not _is_branch(part)]
    field = ".".join(str(part) for part in place) or "the whole"
    if error["type"] == "extra_forbidden":
        names = _fields(kind, [str(part) for part in error["loc"][:-1]])
        close = nearest(str(error["loc"][-1]), names)
        return f"{field}: no such field; {f'did you mean {close!r}? Known' if close else 'known'}: {', '.join(names)}"
    if error["type"] == "missing":
        return f"{field}: is missing, and has no default"
    message = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return f"{field}: {message} (it is {error['input']!r})"


def _is_branch(part: int | str) -> bool:
    """Whether pydantic put this into an error's place to say which kind of a union it tried."""
    return isinstance(part, str) and (part[:1].isupper() or "[" in part or "-" in part)


def _fields(kind: type[Settings], path: list[str]) -> list[str]:
    """The names of the fields at `path` under `kind`."""
    for part in path:
        if part in kind.model_fields:
            inner = _settings_in(kind.model_fields[part].annotation)
        else:  # the branch of a union
            inner = [option for option in _all_settings(kind) if option.__name__ == part]
        if inner:
            kind = inner[0]
    return sorted(kind.model_fields)


def _settings_in(annotation: Any) -> list[type[Settings]]:
    if isinstance(annotation, type) and issubclass(annotation, Settings):
        return [annotation]
    return [found for part in typing.get_args(annotation) for found in _settings_in(part)]


def _all_settings(kind: type[Settings]) -> list[type[Settings]]:
    return [found for field in kind.model_fields.values() for found in _settings_in(field.annotation)]
