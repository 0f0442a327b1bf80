"""Packages that only some corpora need, imported when the first of them is opened."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def extra(module: str, name: str, what: str) -> Any:
    """A module of jumok's extra `name`; where it is not installed, one line that says how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        command = f'pip install "jumok[{name}]"'
        raise ValueError(f"{what} needs a package that is not installed ({error.name or module}): {command}") from None
