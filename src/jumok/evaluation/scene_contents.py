"""Whether captions of practice pictures say what is there: objects, colours, relations, and all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jumok.data.scenes import Scene

_OBJECTS, _COLOURS = frozenset(("noun", "number", "counter")), frozenset(("colour", "size"))
_SILENT = frozenset(("a", "an", "the", "is", "are", "there", "and", "있고", "있다"))
"""Words that say nothing of the picture."""


@dataclass(frozen=True)
class Contents:
    """Shares of captions, from 0 to 1.

    objects: that name the right things, as many as there are. colours: with the right colours and sizes.
    relations: with the right relations and places, in order. right: in which all of it is right, word for word but for
    articles. by_objects: the last, by the number of objects in the picture.
    """

    captions: int
    objects: float
    colours: float
    relations: float
    right: float
    by_objects: Mapping[int, float]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**self.__dict__, "by_objects": {str(count): share for count, share in self.by_objects.items()}}


def contents(captions: Sequence[str], scenes: Sequence[Scene], language: str) -> Contents:
    """What captions of scenes get right; language: "english" or "korean"."""
    if len(captions) != len(scenes) or not scenes:
        raise ValueError(f"{len(captions)} captions of {len(scenes)} scenes: give one for each, and at least one")
    roles = {_plain(word.text): word.role for scene in scenes for word in scene.words(language) if word.role}
    parts: list[tuple[bool, bool, bool, bool]] = []
    for caption, scene in zip(captions, scenes, strict=True):
        said = [_plain(word) for word in caption.split()]
        gold = [_plain(word.text) for word in scene.words(language)]
        parts.append(
            (
                _of(said, roles, _OBJECTS) == _of(gold, roles, _OBJECTS),
                _of(said, roles, _COLOURS) == _of(gold, roles, _COLOURS),
                _of(said, roles, None) == _of(gold, roles, None),
                _loud(said) == _loud(gold),
            )
        )
    objects, colours, relations, right = (sum(column) / len(parts) for column in zip(*parts, strict=True))
    counts = sorted({len(scene.objects) for scene in scenes})
    rights = {
        count: [part[3] for part, scene in zip(parts, scenes, strict=True) if len(scene.objects) == count]
        for count in counts
    }
    by_objects = {count: sum(found) / len(found) for count, found in rights.items()}
    return Contents(len(parts), objects, colours, relations, right, by_objects)


def _plain(word: str) -> str:
    return word.strip(".,").lower()


def _loud(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _SILENT]


def _of(words: Sequence[str], roles: Mapping[str, str], among: frozenset[str] | None) -> list[str]:
    """The words of some roles, sorted; those of no role in their order."""
    if among is None:
        return [word for word in _loud(words) if word not in roles]
    return sorted(word for word in words if roles.get(word) in among)
