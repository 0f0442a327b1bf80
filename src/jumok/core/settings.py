"""Settings that say what is wrong with them: the base of every part's settings, and their one-line errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import pydantic
from pydantic import BaseModel, ConfigDict
from pydantic_core import ErrorDetails

from jumok.core import schema
from jumok.core.names import nearest

S = TypeVar("S", bound="Settings")
Where = str | Callable[[tuple[str, ...]], str]


class Settings(BaseModel):
    """Checked values with names. A field that is not known is an error; nothing changes after they were read."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


def read_settings(kind: type[S], values: Mapping[str, Any], where: Where) -> S:
    """`values` as settings of `kind`; what does not fit is one `ValueError` that names `where` and the field.

    `where` is a file's name, or a function that says for a field's path from where its value came.

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
        problems = _of_best_branches([_problem(kind, found) for found in error.errors(include_url=False)])
    first = min(problems, key=lambda problem: problem.error["type"] == "missing")  # a misspelt field is missing, too
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    place = where if isinstance(where, str) else where(first.path)
    raise ValueError(f"{place}: {_line(first)}{more}")


class _Problem(NamedTuple):
    """One error of pydantic: the path of the field that it is about, and the branches of unions on the way there."""

    error: ErrorDetails
    path: tuple[str, ...]
    branches: Mapping[tuple[str, ...], str]
    annotation: Any


def _problem(kind: type[Settings], error: ErrorDetails) -> _Problem:
    """Tell fields from branches in an error's place: pydantic puts the kind of a union that it tried there, too."""
    annotation: Any = kind
    path: list[str] = []
    branches = {}
    for part in map(str, error["loc"]):
        options = schema.options(annotation)
        if len(options) > 1:
            branches[tuple(path)] = part
            annotation = schema.option_named(part, options)
        else:
            inner = schema.below(options[0], part) if options else None
            if inner is None and error["type"] != "extra_forbidden":
                continue  # the name of a check, not of a field
            path.append(part)
            annotation = inner if inner is not None else annotation
    return _Problem(error, tuple(path), branches, annotation)


def _of_best_branches(problems: Sequence[_Problem]) -> Sequence[_Problem]:
    """Of every union, only what the kind says that fits best; the others only say that they are not meant."""
    unions = sorted(
        {union for problem in problems for union in problem.branches}, key=lambda union: (len(union), union)
    )
    for union in unions:
        counts: dict[str, int] = {}
        for problem in problems:
            if union in problem.branches:
                refused = problem.path == union and problem.error["type"].endswith("_type")
                name = problem.branches[union]
                counts[name] = counts.get(name, 0) + (1000 if refused else 1)
        best = min(counts, key=counts.__getitem__, default=None)
        problems = [problem for problem in problems if problem.branches.get(union, best) == best]
    return problems


def _line(problem: _Problem) -> str:
    error = problem.error
    field = ".".join(problem.path) or "the whole"
    if error["type"] == "extra_forbidden":
        return f"{field}: no such field; {_hint(problem.path[-1], schema.fields(problem.annotation))}"
    if error["type"] == "missing":
        return f"{field}: is missing, and has no default"
    if error["type"] == "union_tag_not_found":
        return f"{field}.{_tag(error)}: is missing, and has no default"
    if error["type"] == "union_tag_invalid":
        known = sorted(set().union(*map(schema.tags, schema.options(problem.annotation))))
        return f"{field}.{_tag(error)}: unknown {error['ctx']['tag']!r}; {_hint(error['ctx']['tag'], known)}"
    if error["type"] == "model_type":
        return f"{field}: should be a mapping of fields (it is {error['input']!r})"
    known = schema.choices(problem.annotation)
    if known and isinstance(error["input"], str):
        return f"{field}: unknown {error['input']!r}; {_hint(error['input'], known)}"
    message = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
    if not problem.path and error["type"] == "value_error":  # fields that do not go together, which it names
        return message
    return f"{field}: {message}" + ("" if isinstance(error["input"], dict) else f" (it is {error['input']!r})")


def _tag(error: ErrorDetails) -> str:
    """The name of the field that tells the kinds of a union apart."""
    return str(error["ctx"]["discriminator"]).strip("'")


def _hint(name: str, known: Sequence[str]) -> str:
    close = nearest(name, known)
    return f"{f'did you mean {close!r}? Known' if close else 'known'}: {', '.join(known)}"
