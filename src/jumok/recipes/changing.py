"""`--set key.path=value`: one field changed from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jumok.recipes.reading import Node, nodes, read_text, word


class Change(NamedTuple):
    """A field's path, its new value, and the words by which errors name the change."""

    path: tuple[str, ...]
    value: Any
    place: str

    def node(self) -> Node:
        """The change as a recipe that says nothing else."""
        node = nodes(self.value, self.place)
        for name in reversed(self.path):
            node = Node({name: node}, self.place)
        return node

    def check(self, root: Node, fixed: Sequence[str]) -> None:
        """A change of what is `fixed`, or below something in `root` that has no fields, is an error."""
        if self.path[0] in fixed:
            raise ValueError(f"{self.place}: {self.path[0]} is no setting; write it into a recipe of your own")
        for length in range(1, len(self.path)):
            found = root.at(*self.path[:length])
            if found is not None and found.value is not None and not isinstance(found.value, dict):
                above = ".".join(self.path[:length])
                raise ValueError(f"{self.place}: {above} is {found.value!r} and has no fields; set {above} itself")


def parse_change(typed: str, option: str = "--set") -> Change:
    """A change as it is typed after `option`. Values are those of YAML; only brackets and quotes have a meaning.

    >>> parse_change("training.rate=1e-3").value, parse_change("data.train.source=a: b").value
    (0.001, 'a: b')
    >>> parse_change("model={preset: hard, layers: [1, 2]}").value
    {'preset': 'hard', 'layers': [1, 2]}
    """
    key, equals, text = typed.partition("=")
    place = f"{option} {typed}"
    if not equals:
        raise ValueError(f"{place}: there is no '='; write it as {option} {typed or 'field'}=value")
    text = text.strip()
    value = read_text(text, place).plain() if text[:1] in tuple("[{\"'") else word(text)
    return Change(_path(key, place), value, place)


def changes_of(values: Mapping[str, Any]) -> list[Change]:
    """The same from Python: `{"training.updates": 100}`."""
    return [Change(_path(key, f"set {key!r}"), value, f"set {key!r}") for key, value in values.items()]


def _path(key: str, place: str) -> tuple[str, ...]:
    path = tuple(key.strip().split("."))
    if not all(path):
        raise ValueError(f"{place}: {key!r} is no path of a field; write it like training.updates")
    return path
