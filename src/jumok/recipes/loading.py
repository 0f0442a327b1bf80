"""A whole recipe: its chain of inheritance merged, changes applied, checked against its system's settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jumok.core.names import nearest
from jumok.core.settings import Settings, read_settings
from jumok.recipes.about import About
from jumok.recipes.chain import Layer, read_chain
from jumok.recipes.changing import Change
from jumok.recipes.merging import merge
from jumok.recipes.reading import Node
from jumok.recipes.rooting import place_folders, with_root

NOT_SETTINGS = ("inherits", "about")


@dataclass(frozen=True)
class Recipe:
    """A recipe that was read: what it is called, what it says of itself, and the settings of its system."""

    name: str
    about: About
    system: str
    settings: Settings


def load(
    recipe: str | Path | Mapping[str, Any],
    changes: Sequence[Change] = (),
    kinds: Mapping[str, type[Settings]] | None = None,
) -> Recipe:
    """Read a recipe by its name, its path, or from a mapping; `kinds` are the settings by system (None: ours)."""
    chain = read_chain(recipe)
    system, kind = _system(chain, changes, _our_kinds() if kinds is None else kinds)
    root = Node({}, chain[0].name)
    for layer in reversed(chain):
        root = merge(root, place_folders(layer.node, layer.folder), kind)
    for change in changes:
        change.check(root, NOT_SETTINGS)
        root = merge(root, place_folders(change.node(), Path.cwd()), kind)
    root = with_root(root, chain)
    fields = Node({name: node for name, node in root.value.items() if name not in NOT_SETTINGS}, chain[0].name)
    settings = read_settings(kind, fields.plain(), fields.place_of)
    name = system if isinstance(recipe, Mapping) else Path(recipe).stem
    return Recipe(name, about_of(chain[0]), system, settings)


def about_of(layer: Layer) -> About:
    """What a recipe says of itself."""
    said = layer.node.at("about")
    if said is None:
        return About()
    if not isinstance(said.value, dict):
        raise ValueError(f"{said.place}: about: should be a mapping of fields (it is {said.value!r})")
    return read_settings(About, said.plain(), lambda path: f"{said.place_of(path)}: about")


def _system(
    chain: Sequence[Layer], changes: Sequence[Change], kinds: Mapping[str, type[Settings]]
) -> tuple[str, type[Settings]]:
    """The system that the recipe is for, and its settings: what was said last."""
    said = [
        *(layer.node.at("system") for layer in reversed(chain)),
        *(change.node().at("system") for change in changes),
    ]
    spoken = [node for node in said if node is not None]
    known = ", ".join(sorted(kinds))
    if not spoken:
        raise ValueError(
            f"{chain[0].name}: system: is missing; write 'system: NAME' (known: {known}) or inherit a recipe"
        )
    name = spoken[-1].value
    if not isinstance(name, str) or name not in kinds:
        close = nearest(str(name), kinds)
        hint = f"did you mean {close!r}? Known" if close else "known"
        raise ValueError(f"{spoken[-1].place}: system: unknown {name!r}; {hint}: {known}")
    return name, kinds[name]


def _our_kinds() -> Mapping[str, type[Settings]]:
    from jumok.systems import SYSTEMS  # here, so that the list of recipes does not wait for torch

    return {name: system.recipe for name, system in SYSTEMS.items()}
