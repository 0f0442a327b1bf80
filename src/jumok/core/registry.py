"""Kinds that can be named: a registry, and the check of the settings that go with a name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from jumok.core.names import unknown

T = TypeVar("T")


class Registry(Generic[T]):
    """Classes of one kind by name; a name that is not there is a `ValueError` with the nearest known one."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._kinds: dict[str, type[T]] = {}

    def add(self, name: str, kind: type[T]) -> None:
        """Make `kind` known as `name`; a name is taken once, but a class may be defined again (a notebook's cell)."""
        taken = self._kinds.get(name)
        if taken is not None and (taken.__module__, taken.__qualname__) != (kind.__module__, kind.__qualname__):
            raise ValueError(f"{self.what} {name!r} is taken by {taken.__qualname__}; register under another name")
        self._kinds[name] = kind

    def __getitem__(self, name: str) -> type[T]:
        if name not in self._kinds:
            raise ValueError(unknown(self.what, name, self._kinds))
        return self._kinds[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._kinds))

    def __contains__(self, name: object) -> bool:
        return name in self._kinds


def keyword_settings(kind: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    """The settings that `kind` takes by name, without `self` and without catch-alls."""
    caught = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters: Mapping[str, Any] = inspect.signature(kind).parameters
    return {name: parameter for name, parameter in parameters.items() if parameter.kind not in caught}
