"""What the annotations of settings say: which kinds a field may be, what is below it, which words it takes."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel


def options(annotation: Any) -> list[Any]:
    """The kinds that a value may have, without None: one, or several where the annotation is a union.

    >>> options(int | None), options(int | list[str] | None)
    ([<class 'int'>], [<class 'int'>, list[str]])
    """
    if get_origin(annotation) is Annotated:
        return options(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return [found for part in get_args(annotation) for found in options(part)]
    return [] if annotation in (None, types.NoneType) else [annotation]


def kinds(annotation: Any) -> list[type[BaseModel]]:
    """Those options that are settings themselves."""
    return [option for option in options(annotation) if isinstance(option, type) and issubclass(option, BaseModel)]


def below(kind: Any, name: str) -> Any | None:
    """The annotation of what is called `name` inside of one kind; None where it has no such inside."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind.model_fields[name].annotation if name in kind.model_fields else None
    inside = get_args(kind)
    if get_origin(kind) in (dict, Mapping, typing.Mapping):
        return inside[1]
    if get_origin(kind) in (list, tuple, Sequence, typing.Sequence) and name.isdecimal():
        return inside[min(int(name), len(inside) - 1)] if get_origin(kind) is tuple and ... not in inside else inside[0]
    return None


def option_named(label: str, among: Sequence[Any]) -> Any:
    """The option that pydantic calls `label` in the place of an error: by its class's name, or by its tag."""
    for option in among:
        if getattr(option, "__name__", "") == label or label in tags(option):
            return option
    return None


def tags(kind: Any) -> set[str]:
    """The words by which a kind of settings can be told: those of its fields that take one word only."""
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return set()
    words = [choices(field.annotation) for field in kind.model_fields.values()]
    return {found[0] for found in words if len(found) == 1}


def choices(annotation: Any) -> list[str]:
    """The words that a field takes, where it takes only some.

    >>> choices(Literal["lstm", "gru"])
    ['lstm', 'gru']
    """
    found = options(annotation)
    if not found or any(get_origin(option) is not Literal for option in found):
        return []
    return [word for option in found for word in get_args(option) if isinstance(word, str)]


def fields(annotation: Any) -> list[str]:
    """The names of all fields that a value may have."""
    return sorted({name for kind in kinds(annotation) for name in kind.model_fields})


def takes_none(annotation: Any) -> bool:
    """Whether a value may be None.

    >>> takes_none(int | None), takes_none(int), takes_none(Any)
    (True, False, True)
    """
    if get_origin(annotation) is Annotated:
        return takes_none(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return any(map(takes_none, get_args(annotation)))
    return annotation in (None, types.NoneType, Any)
