"""How a recipe changes the one that it inherits from: mappings are merged, all else is replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from jumok.core import schema
from jumok.recipes.reading import Node


def merge(base: Node, over: Node, annotation: Any) -> Node:
    """`base` with what `over` says; `annotation` is what the settings say of this place.

    - Two mappings are merged field by field; lists and plain values are replaced.
    - Where there are several kinds (a corpus is two files, or a table, or practice data ...), a mapping that names
      another kind replaces the old one whole, so that the fields of two kinds are never mixed.
    - A null in the place of an inherited value that cannot be null takes it away: the default is back.
    - Settings may have a method `takes_over`, which says what of the old ones another value makes void: another preset
      brings its own attention.
    """
    if not (isinstance(base.value, dict) and isinstance(over.value, dict)):
        return over
    kinds = schema.kinds(annotation)
    if len(kinds) > 1 and _is_another(base.value, over.value, kinds):
        return over
    for kind in kinds:
        for path in getattr(kind, "takes_over", _nothing)(base.plain(), over.plain()):
            base = _without(base, path)
    merged = dict(base.value)
    known = [kind for kind in kinds if merged.keys() | over.value.keys() <= set(kind.model_fields)]
    for name, node in over.value.items():
        inner = _inside(known or schema.options(annotation), name)
        if name in merged and node.value is None and not schema.takes_none(inner):
            del merged[name]
        else:
            merged[name] = merge(merged[name], node, inner) if name in merged else node
    return Node(merged, over.place)


def _nothing(before: Mapping[str, Any], now: Mapping[str, Any]) -> Sequence[tuple[str, ...]]:
    return ()


def _without(node: Node, path: Sequence[str]) -> Node:
    """A node without the field at a path."""
    name, *rest = path
    if not isinstance(node.value, dict) or name not in node.value:
        return node
    kept = {key: value for key, value in node.value.items() if key != name}
    return Node(kept | ({name: _without(node.value[name], rest)} if rest else {}), node.place)


def _is_another(base: Mapping[str, Node], over: Mapping[str, Node], kinds: Sequence[type[BaseModel]]) -> bool:
    """Whether `over` is another kind than `base`: whole in itself, or with a field that goes with none of its kinds."""
    own = next((kind for kind in kinds if _fits(base, kind)), None)
    if own is not None and _words(own) & base.keys() and _fits({**base, **over}, own):
        return False  # the one word that names its kind still holds
    told = [kind for kind in kinds if _fits(over, kind) and _telling(kind) & over.keys()]
    if told:
        return told[0] is not own
    known = [set(kind.model_fields) for kind in kinds]
    fits_one = any(over.keys() <= names for names in known)
    fits_both = any(over.keys() | base.keys() <= names for names in known)
    return fits_one and not fits_both


def _fits(values: Mapping[str, Node], kind: type[BaseModel]) -> bool:
    """Whether these could be all fields of a kind, as far as names and fixed words tell."""
    needed = {name for name, field in kind.model_fields.items() if field.is_required()}
    words = {name: schema.choices(field.annotation) for name, field in kind.model_fields.items()}
    return needed <= values.keys() <= words.keys() and all(
        not words[name] or node.value in words[name] for name, node in values.items()
    )


def _telling(kind: type[BaseModel]) -> set[str]:
    """The fields of which one is enough to tell a kind: those without a default, and the one word that names it."""
    return {name for name, field in kind.model_fields.items() if field.is_required()} | _words(kind)


def _words(kind: type[BaseModel]) -> set[str]:
    """The fields that take one word only, by which a kind is named."""
    return {name for name, field in kind.model_fields.items() if len(schema.choices(field.annotation)) == 1}


def _inside(options: Sequence[Any], name: str) -> Any:
    """What the settings say of a field, by the first of these kinds that has it."""
    found = [inner for option in options if (inner := schema.below(option, name)) is not None]
    return found[0] if found else Any
