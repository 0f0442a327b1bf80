"""A practice picture: what is in it, how it looks, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from jumok.core.names import unknown
from jumok.data.scenes.captions import Word, english, korean
from jumok.data.scenes.lexicon import is_held_out, words
from jumok.data.scenes.settings import LOOKS, setting_of
from jumok.data.scenes.telling import tell
from jumok.data.scenes.things import Box, Thing

if TYPE_CHECKING:
    from PIL.Image import Image

MOST = 4
"""A scene has at most so many objects."""

SMALLEST, LARGEST = 32, 2048
"""The smallest and the largest picture, in pixels."""

_FINER = 4
_SCENE = {"setting": (str,), "objects": (list, tuple), "look": (int,), "size": (int,)}
_OBJECT = {"kind": (str,), "colour": (str,), "size": (str,), "x": (float, int), "y": (float, int), "mirrored": (bool,)}
_WRITERS = {"english": english, "korean": korean}


@dataclass(frozen=True)
class Scene:
    """One to four drawn objects in a setting, which comes in several looks; the picture is `size` pixels wide and high.

    Captions and regions follow from the setting and the objects alone.
    """

    setting: str
    objects: tuple[Thing, ...]
    look: int = 0
    size: int = 128

    def __post_init__(self) -> None:
        setting_of(self.setting)
        if not 1 <= len(self.objects) <= MOST:
            raise ValueError(f"a scene has 1 to {MOST} objects, not {len(self.objects)}")
        if not 0 <= self.look < LOOKS:
            raise ValueError(f"look must be from 0 to {LOOKS - 1}, not {self.look}")
        _check_size(self.size)

    @classmethod
    def of(cls, setting: str, objects: Iterable[Thing], look: int = 0, size: int = 128) -> Scene:
        """A scene by its content."""
        return cls(setting, tuple(objects), look, size)

    @property
    def english(self) -> str:
        """The caption in English."""
        return " ".join(word.text for word in self.words("english"))

    @property
    def korean(self) -> str:
        """The caption in Korean."""
        return " ".join(word.text for word in self.words("korean"))

    @cached_property
    def _words(self) -> dict[str, tuple[Word, ...]]:
        clauses = tell(setting_of(self.setting), self.objects)
        return {language: write(self.objects, clauses) for language, write in _WRITERS.items()}

    def words(self, language: str) -> tuple[Word, ...]:
        """The words of a caption, with what each says and of which objects."""
        if language not in _WRITERS:
            raise ValueError(unknown("language of captions", language, _WRITERS))
        return self._words[language]

    def regions(self, language: str) -> tuple[tuple[Box, ...] | None, ...]:
        """For each word of a caption the boxes of the objects that it names or describes, or None."""
        found = [[self.objects[number].box for number in word.objects] for word in self.words(language)]
        return tuple(tuple(boxes) if boxes else None for boxes in found)

    @property
    def held_out(self) -> bool:
        """Whether an object has a colour that its kind never has in training."""
        return any(is_held_out(thing.colour, thing.kind) for thing in self.objects)

    def picture(self, size: int | None = None) -> Image:
        """The scene drawn, in RGB."""
        from PIL import ImageDraw

        from jumok.data.scenes.backgrounds import background
        from jumok.data.scenes.pen import Pen

        if size is not None:
            _check_size(size)
        fine = (size or self.size) * _FINER
        canvas = background(self.setting, self.look, fine).copy()
        draw = ImageDraw.Draw(canvas)
        for thing in sorted(self.objects, key=lambda thing: (thing.surface is None, thing.box.bottom)):
            drawing, box = thing.of_kind.drawing, thing.box
            unit = (box.right - box.left) * fine / drawing.width
            start = drawing.right if thing.mirrored else drawing.left
            pen = Pen(draw, fine, box.left * fine, box.top * fine, unit, (start, drawing.top), thing.mirrored)
            drawing.draw(pen, words().colours[thing.colour].tone)
        return canvas.reduce(_FINER)

    def to_dict(self) -> dict[str, Any]:
        """The content as JSON holds it; captions are not part of it."""
        return {**asdict(self), "objects": [asdict(thing) for thing in self.objects]}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Scene:
        """The scene that `to_dict` wrote, or one that a page has changed."""
        checked = _checked("scene", content, _SCENE, optional=("look", "size"))
        objects = [
            _checked("object of a scene", thing, _OBJECT, optional=("mirrored",)) for thing in checked["objects"]
        ]
        return cls(**{**checked, "objects": tuple(Thing(**thing) for thing in objects)})


def _check_size(size: int) -> None:
    if not SMALLEST <= size <= LARGEST:
        raise ValueError(f"a picture is {SMALLEST} to {LARGEST} pixels wide, not {size}")


def _checked(
    what: str, content: object, types: Mapping[str, tuple[type, ...]], optional: tuple[str, ...]
) -> dict[str, Any]:
    """The content, where it has the names and the types of values that it must have."""
    if not isinstance(content, Mapping):
        raise ValueError(f"a {what} is a mapping of names to values, not {content!r}")
    for name, value in content.items():
        if name not in types:
            raise ValueError(unknown(f"entry of a {what}", name, types))
        if type(value) not in types[name]:
            wanted = " or ".join(kind.__name__ for kind in types[name])
            raise ValueError(f"{name!r} of a {what} must be of type {wanted}, not {value!r}")
    missing = [name for name in types if name not in content and name not in optional]
    if missing:
        raise ValueError(f"a {what} needs {missing[0]!r}; it has: {', '.join(content) or 'nothing'}")
    return dict(content)
