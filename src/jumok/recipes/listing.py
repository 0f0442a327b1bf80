"""The recipes that come with jumok, in a list."""

from __future__ import annotations

from typing import NamedTuple

from jumok.recipes.about import About
from jumok.recipes.chain import read_chain
from jumok.recipes.finding import find, names
from jumok.recipes.loading import about_of


class Listed(NamedTuple):
    """One of our recipes, and what it says of itself."""

    name: str
    about: About


def listed() -> list[Listed]:
    """All of ours, by name; only what they say of themselves is read, so this is quick."""
    return [Listed(name, about_of(read_chain(name)[0])) for name in names()]


def text_of(recipe: str) -> str:
    """A recipe as it was written, comments and all."""
    return find(recipe).path.read_text(encoding="utf-8-sig")
