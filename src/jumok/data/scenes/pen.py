"""The pen: filled shapes with a dark line around them, in the units of one drawing.

A drawing is about 100 units high or wide. The pen knows where on the canvas it lies, how large a unit is, and whether
the drawing is turned to face the other way. The canvas is several times larger than the picture; reducing it makes
the edges smooth.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

Tone = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""

Points = Sequence[tuple[float, float]]
Path = NDArray[np.float64]

INK: Tone = (42, 36, 58)
WHITE: Tone = (252, 252, 250)
BLACK: Tone = (40, 38, 46)
GLASS: Tone = (190, 226, 242)
METAL: Tone = (150, 156, 168)
TYRE: Tone = (62, 60, 72)
WOOD: Tone = (160, 112, 70)
ORANGE: Tone = (246, 154, 52)
PINK: Tone = (246, 160, 172)

_LINE, _THICKEST_LINE = 0.009, 3.4
_MITER = 0.35


def mix(one: Tone, other: Tone, share: float) -> Tone:
    """A tone between two, with this share of the other."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def light(tone: Tone, share: float = 0.4) -> Tone:
    """A lighter tone."""
    return mix(tone, WHITE, share)


def dark(tone: Tone, share: float = 0.22) -> Tone:
    """A darker tone."""
    return mix(tone, INK, share)


def ink(tone: Tone) -> Tone:
    """The line around a shape of this tone."""
    return mix(tone, INK, 0.62)


class Pen:
    """Draws on a canvas; `left`, `top` and `unit` are in its pixels.

    `start` is the point of the drawing, in units, that comes to lie at `left` and `top`.
    """

    def __init__(
        self,
        canvas: ImageDraw,
        size: int,
        left: float,
        top: float,
        unit: float,
        start: tuple[float, float] = (0.0, 0.0),
        mirrored: bool = False,
    ) -> None:
        self._canvas = canvas
        self._scale = np.array([-unit if mirrored else unit, unit])
        self._origin = np.array([left, top]) - self._scale * start
        self._line = min(_LINE * size / unit, _THICKEST_LINE)

    def polygon(self, points: Points | Path, fill: Tone, line: bool = True) -> None:
        """A shape with straight sides."""
        path = np.asarray(points, dtype=np.float64)
        if line:
            self._fill(_grown(path, self._line), ink(fill))
        self._fill(path, fill)

    def blob(self, points: Points, fill: Tone, line: bool = True) -> None:
        """A smooth closed shape through the points."""
        self.polygon(_smooth(np.asarray(points, dtype=np.float64)), fill, line)

    def ellipse(
        self, x: float, y: float, wide: float, high: float, fill: Tone, line: bool = True, turn: float = 0.0
    ) -> None:
        """An ellipse by its middle and its half-axes, turned clockwise by some degrees."""
        if line:
            self._fill(_ellipse(x, y, wide + self._line, high + self._line, turn), ink(fill))
        self._fill(_ellipse(x, y, wide, high, turn), fill)

    def sector(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        start: float,
        end: float,
        fill: Tone,
        line: bool = True,
    ) -> None:
        """The part of an ellipse between two angles, clockwise from the right, closed by a straight line."""
        angles = np.radians(np.linspace(start, end, 20))
        self.polygon(np.stack([x + wide * np.cos(angles), y + high * np.sin(angles)], 1), fill, line)

    def block(
        self, left: float, top: float, right: float, bottom: float, fill: Tone, corner: float = 0, line: bool = True
    ) -> None:
        """A rectangle, with round corners where `corner` is their radius."""
        if not corner:
            return self.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], fill, line)
        middles = np.array([(right, bottom), (left, bottom), (left, top), (right, top)], dtype=np.float64)
        inward = np.array([(-corner, -corner), (corner, -corner), (corner, corner), (-corner, corner)])
        path = np.repeat(middles + inward, 6, axis=0) + corner * _corners()
        return self.polygon(path, fill, line)

    def stroke(self, points: Points, width: float, fill: Tone, line: bool = True, smooth: bool = False) -> None:
        """A line of some width with round ends."""
        path = np.asarray(points, dtype=np.float64)
        if smooth:
            path = _smooth(path, closed=False)
        if line:
            self._stroke(path, width / 2 + self._line, ink(fill))
        self._stroke(path, width / 2, fill)

    def eye(self, x: float, y: float, size: float = 4.0) -> None:
        """A dark eye with a light in it."""
        self.ellipse(x, y, size, size * 1.15, INK, line=False)
        self.ellipse(x + size * 0.3, y - size * 0.4, size * 0.38, size * 0.38, WHITE, line=False)

    def _stroke(self, path: Path, half: float, fill: Tone) -> None:
        along = np.gradient(path, axis=0)
        along /= np.maximum(np.hypot(along[:, 0], along[:, 1])[:, None], 1e-9)
        side = np.stack([-along[:, 1], along[:, 0]], 1) * half
        self._fill(np.concatenate([path + side, (path - side)[::-1]]), fill)
        for end in (path[0], path[-1]):
            self._fill(_ellipse(end[0], end[1], half, half, 0.0), fill)

    def _fill(self, path: Path, fill: Tone) -> None:
        self._canvas.polygon((path * self._scale + self._origin).ravel().tolist(), fill=fill)


@cache
def _circle(points: int) -> Path:
    angles = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return np.stack([np.cos(angles), np.sin(angles)], 1)


@cache
def _corners() -> Path:
    """Four quarters of a circle, six points each, clockwise from the lower right."""
    angles = np.concatenate([np.linspace(start, start + np.pi / 2, 6) for start in np.pi / 2 * np.arange(4)])
    return np.stack([np.cos(angles), np.sin(angles)], 1)


def _ellipse(x: float, y: float, wide: float, high: float, turn: float) -> Path:
    path: Path = _circle(32) * (wide, high)
    if turn:
        cosine, sine = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        path = path @ np.array([[cosine, sine], [-sine, cosine]])
    path += (x, y)
    return path


@cache
def _weights(steps: int) -> Path:
    """How much each of four neighbouring points counts along a Catmull-Rom curve."""
    t = np.linspace(0, 1, steps, endpoint=False)
    parts = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, t**3 - t**2)
    return np.stack(parts, 1) / 2


def _smooth(path: Path, closed: bool = True, steps: int = 6) -> Path:
    """A Catmull-Rom curve through the points."""
    if closed:
        around = np.concatenate([path[-1:], path, path[:2]])
    else:
        around = np.concatenate([2 * path[:1] - path[1:2], path, 2 * path[-1:] - path[-2:-1]])
    fours = np.stack([around[i : len(around) - 3 + i] for i in range(4)], 1)
    curve = (_weights(steps) @ fours).reshape(-1, 2)
    return curve if closed else np.concatenate([curve, path[-1:]])


def _grown(path: Path, by: float) -> Path:
    """The polygon with every side moved outwards; sharp corners are cut."""
    after = np.concatenate([path[1:], path[:1]])
    sides = after - path
    twice_the_area = float(path[:, 0] @ after[:, 1] - path[:, 1] @ after[:, 0])
    normals = np.stack([sides[:, 1], -sides[:, 0]], 1) * (1.0 if twice_the_area > 0 else -1.0)
    normals /= np.maximum(np.hypot(normals[:, 0], normals[:, 1])[:, None], 1e-9)
    before = np.concatenate([normals[-1:], normals[:-1]])
    opening = 1 + (normals * before).sum(1, keepdims=True)
    moved: Path = path + by * (normals + before) / np.maximum(opening, _MITER)
    return moved
