"""What is in a picture: drawn objects and the boxes that they fill."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from jumok.core.names import unknown
from jumok.data.scenes.lexicon import SIZES, Kind, words

_ROUNDING = 1e-6


class Box(NamedTuple):
    """A rectangle; the picture goes from 0 to 1 in both directions, down and to the right."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def x(self) -> float:
        """The middle, across."""
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        """The middle, down."""
        return (self.top + self.bottom) / 2

    def gap(self, other: Box) -> tuple[float, float]:
        """The room between two boxes across and down; negative where they overlap."""
        across = max(self.left - other.right, other.left - self.right)
        return across, max(self.top - other.bottom, other.top - self.bottom)


def around(boxes: list[Box]) -> Box:
    """The smallest box that holds all."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


@dataclass(frozen=True)
class Thing:
    """One drawn object: its kind, colour and size, the middle of its box, and which way it faces."""

    kind: str
    colour: str
    size: str
    x: float
    y: float
    mirrored: bool = False

    def __post_init__(self) -> None:
        words().kind(self.kind)
        if self.colour not in words().colours:
            raise ValueError(unknown("colour", self.colour, words().colours))
        if self.size not in SIZES:
            raise ValueError(unknown("size", self.size, SIZES))
        width, height = self.of_kind.extent(self.size)
        room = (1 - width) / 2 + _ROUNDING, (1 - height) / 2 + _ROUNDING
        if not (abs(self.x - 0.5) <= room[0] and abs(self.y - 0.5) <= room[1]):
            raise ValueError(
                f"the {self.size} {self.kind} at x={self.x}, y={self.y} lies outside the picture; "
                "its whole box must be between 0 and 1"
            )

    @property
    def of_kind(self) -> Kind:
        """Its kind, with words and drawing."""
        return words().kinds[self.kind]

    @property
    def english(self) -> str:
        """Its name: red boat."""
        return f"{self.colour} {self.kind}"

    @property
    def korean(self) -> str:
        """Its name: 빨간 배."""
        return f"{words().colours[self.colour].before_noun} {self.of_kind.korean}"

    @property
    def box(self) -> Box:
        """The rectangle that it fills."""
        width, height = self.of_kind.extent(self.size)
        left, top = max(self.x - width / 2, 0.0), max(self.y - height / 2, 0.0)
        return Box(left, top, min(self.x + width / 2, 1.0), min(self.y + height / 2, 1.0))

    def moved(self, x: float, y: float) -> Thing:
        """The same with its middle at another place, or as near to it as the picture allows."""
        width, height = self.of_kind.extent(self.size)
        return replace(self, x=min(max(x, width / 2), 1 - width / 2), y=min(max(y, height / 2), 1 - height / 2))

    @property
    def surface(self) -> Box | None:
        """The line on which other things may stand, as a box without height."""
        found, box = self.of_kind.surface, self.box
        if found is None:
            return None
        left, right = (1 - found.right, 1 - found.left) if self.mirrored else (found.left, found.right)
        width, height = box.right - box.left, box.top + found.height * (box.bottom - box.top)
        return Box(box.left + left * width, height, box.left + right * width, height)
