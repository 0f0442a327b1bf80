"""A recipe and those that it inherits from, each as it was written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jumok.recipes.finding import Found, find
from jumok.recipes.reading import Node, nodes, read_file


class Layer(NamedTuple):
    """One recipe of a chain: what it says itself, and its file (None where it came from Python)."""

    node: Node
    found: Found | None

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.node.place

    @property
    def folder(self) -> Path:
        """The folder that relative paths in it start from."""
        return self.found.folder if self.found else Path.cwd()


def read_chain(recipe: str | Path | Mapping[str, Any]) -> list[Layer]:
    """The recipe and those that it inherits from, nearest first; `inherits` names one of ours, or a file beside it."""
    chain = [Layer(nodes(recipe, "the recipe"), None) if isinstance(recipe, Mapping) else _read(find(recipe))]
    while (inherits := chain[-1].node.at("inherits")) is not None and inherits.value is not None:
        chain.append(_inherited(inherits, chain))
    return chain


def _inherited(inherits: Node, chain: list[Layer]) -> Layer:
    if not isinstance(inherits.value, str):
        raise ValueError(f"{inherits.place}: inherits: should be a recipe's name or file (it is {inherits.plain()!r})")
    nearer = chain[-1].found
    try:
        found = find(inherits.value, nearer.path.parent if nearer and not nearer.is_ours else None)
    except ValueError as error:
        raise ValueError(f"{inherits.place}: inherits: {error}") from None
    if any(layer.found and layer.found.path.samefile(found.path) for layer in chain):
        circle = " -> ".join([*(layer.name for layer in chain), found.name])
        raise ValueError(f"{inherits.place}: inherits: goes in a circle: {circle}")
    return _read(found)


def _read(found: Found) -> Layer:
    return Layer(read_file(found.path, found.name), found)
