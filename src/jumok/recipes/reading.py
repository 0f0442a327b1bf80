"""From YAML to plain values that remember their line. Safe: nothing but mappings, lists, text and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

PREFIX = "tag:yaml.org,2002:"
# The plain words of YAML 1.2: `no` is text (Norwegian, say), 010 is ten, 1e-3 is a number.
WORDS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "null": (r"~|null|Null|NULL|", lambda text: None),
    "bool": (r"true|True|TRUE|false|False|FALSE", lambda text: text.lower() == "true"),
    "int": (r"[-+]?[0-9]+", int),
    "float": (r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", float),
    "str": (r"(?!)", str),
}


class Node(NamedTuple):
    """A value and the place where it was written. The value of a mapping is a `dict[str, Node]`; all else is plain."""

    value: Any
    place: str

    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {name: node.plain() for name, node in self.value.items()}
        return self.value

    def at(self, *path: str) -> Node | None:
        """What stands at `path` below this one, if anything does."""
        node: Node | None = self
        for name in path:
            node = node.value.get(name) if node is not None and isinstance(node.value, dict) else None
        return node

    def place_of(self, path: tuple[str, ...]) -> str:
        """The place of what stands at `path`, or of the deepest mapping on the way to it."""
        found = [node for length in range(len(path) + 1) if (node := self.at(*path[:length])) is not None]
        return found[-1].place


class Loader(yaml.SafeLoader):
    """Reads YAML 1.2's plain words."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 (PyYAML's way)


class Dumper(yaml.SafeDumper):
    """Writes what `Loader` reads: text that would be taken for a number is put in quotes."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012

    def represent_text(self, text: str) -> yaml.Node:
        """Text with anything that does not print is put in double quotes, in which it has names."""
        return self.represent_scalar(f"{PREFIX}str", text, style=None if text.isprintable() else '"')


Dumper.add_representer(str, Dumper.represent_text)
for _tag, (_pattern, _) in WORDS.items():
    for _class in (Loader, Dumper):
        _class.add_implicit_resolver(PREFIX + _tag, re.compile(rf"(?:{_pattern})\Z"), None)


def read_file(path: Path, name: str) -> Node:
    """The mapping in a YAML file; what is wrong with it is one line that begins with `name` and the line's number."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name}: is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8"
        ) from None
    except IsADirectoryError:
        raise ValueError(f"{name}: is a folder; name a YAML file") from None
    node = read_text(text, name)
    if not isinstance(node.value, dict):
        found = "is empty" if node.value is None else f"is {_what(node.value)}"
        raise ValueError(f"{name}: {found}; a recipe is a mapping of fields, such as 'inherits: korean'")
    return node


def read_text(text: str, name: str) -> Node:
    """The value of a YAML text."""
    try:
        found = yaml.compose(text, Loader=Loader)
        return Node(None, name) if found is None else Node(_value(found, name, set()), name)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ValueError(f"{name}:{mark.line + 1 if mark else 1}: {_explained(error)}") from None
    except yaml.YAMLError as error:  # a character that YAML does not allow
        raise ValueError(f"{name}: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise ValueError(f"{name}: is nested too deeply") from None


def word(text: str) -> Any:
    """The value of one plain word: a number, true or false, null, or text.

    >>> word("1e-3"), word("no"), word("true"), word("")
    (0.001, 'no', True, None)
    """
    for pattern, convert in WORDS.values():
        if re.fullmatch(pattern, text):
            return convert(text)
    return text


def nodes(values: Any, place: str) -> Node:
    """Values from Python as a node, all of one place."""
    if isinstance(values, Mapping):
        return Node({str(name): nodes(value, place) for name, value in values.items()}, place)
    return Node(values, place)


def _value(found: yaml.Node, name: str, seen: set[int]) -> Any:
    place = f"{name}:{found.start_mark.line + 1}"
    if id(found) in seen:
        raise ValueError(f"{place}: an alias (*); recipes have none, write the value again or inherit it")
    seen.add(id(found))
    if isinstance(found, yaml.MappingNode):
        return _mapping(found, name, seen)
    if isinstance(found, yaml.SequenceNode):
        return [Node(_value(item, name, seen), place).plain() for item in found.value]
    kind = found.tag.removeprefix(PREFIX)
    if kind not in WORDS:
        raise ValueError(f"{place}: {found.tag} is a tag; recipes have none")
    try:
        return WORDS[kind][1](found.value)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _mapping(found: yaml.MappingNode, name: str, seen: set[int]) -> dict[str, Node]:
    values: dict[str, Node] = {}
    for key, value in found.value:
        place = f"{name}:{key.start_mark.line + 1}"
        if not isinstance(key, yaml.ScalarNode):
            raise ValueError(f"{place}: the name of a field is one word, not {_what(key.value)}")
        if key.value in values:
            earlier = values[key.value].place.rpartition(":")[2]
            raise ValueError(f"{place}: {key.value!r} is there twice; it is on line {earlier} already")
        values[key.value] = Node(_value(value, name, seen), place)
    return values


def _explained(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or "cannot be read"
    if "found character '\\t'" in problem:
        return "a tab at the start of a line; indent with blanks"
    if "mapping values are not allowed here" in problem:
        return "a second ': ' in one line; put text that holds one in quotes"
    line = error.problem_mark.line if error.problem_mark else None
    begun = error.context_mark
    since = (
        f" {error.context} that began on line {begun.line + 1}"
        if begun and error.context and begun.line != line
        else ""
    )
    return f"not valid YAML: {problem}{since}"


def _what(value: Any) -> str:
    return "a mapping" if isinstance(value, dict) else "a list" if isinstance(value, list) else repr(value)
