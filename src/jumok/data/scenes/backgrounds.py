"""The settings drawn: sky, ground, water, walls. Nothing in them looks like an object that a caption names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from jumok.data.scenes.pen import WHITE, Pen, Tone, dark, light, mix

if TYPE_CHECKING:
    from PIL.Image import Image

_SKIES: tuple[tuple[Tone, Tone], ...] = (
    ((158, 214, 246), (228, 244, 250)),
    ((178, 220, 240), (252, 240, 222)),
    ((142, 200, 240), (214, 238, 250)),
    ((190, 226, 236), (240, 248, 240)),
)
_NIGHTS: tuple[tuple[Tone, Tone], ...] = (
    ((36, 42, 92), (96, 92, 150)),
    ((28, 40, 82), (70, 100, 146)),
    ((48, 38, 92), (120, 90, 146)),
    ((30, 48, 86), (88, 104, 140)),
)
_WALLS: tuple[Tone, ...] = ((246, 232, 206), (220, 234, 226), (226, 230, 244), (248, 224, 216))
_FLOORS: tuple[Tone, ...] = ((206, 164, 118), (188, 150, 112), (214, 178, 134), (196, 158, 128))
_GRASS: tuple[Tone, ...] = ((162, 212, 118), (176, 214, 112), (150, 206, 130), (184, 216, 128))
_SAND: tuple[Tone, ...] = ((246, 224, 170), (248, 218, 162), (242, 226, 184), (244, 214, 168))
_KEPT = 32


@lru_cache(maxsize=_KEPT)
def background(setting: str, look: int, size: int) -> Image:
    """A setting in one of its looks, `size` pixels wide and high. Copy it before drawing on it."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (size, size))
    mirrored = look % 2 == 1
    pen = Pen(ImageDraw.Draw(image), size, 0, 0, size / 100, (100.0 if mirrored else 0.0, 0.0), mirrored)
    _PAINTERS[setting](pen, look)
    return image


def _fade(pen: Pen, top: float, bottom: float, upper: Tone, lower: Tone, steps: int = 48) -> None:
    """Horizontal bands that go from one tone to another."""
    edges = np.linspace(top, bottom, steps + 1).tolist()
    for step, (above, below) in enumerate(pairwise(edges)):
        pen.block(-1, above, 101, below, mix(upper, lower, step / (steps - 1)), line=False)


def _hill(pen: Pen, heights: Sequence[float], fill: Tone) -> None:
    """Ground whose rim goes through the heights, from one side to the other."""
    across = np.linspace(-10, 110, len(heights)).tolist()
    pen.blob([*zip(across, heights, strict=True), (130, 110), (50, 130), (-30, 110)], fill, line=False)


def _tuft(pen: Pen, x: float, y: float, fill: Tone) -> None:
    for lean in (-1.6, 0.0, 1.6):
        pen.stroke([(x + lean * 0.4, y), (x + lean, y - 2.6)], 0.6, fill, line=False)


def _spots(look: int, count: int, top: float, bottom: float) -> list[tuple[float, float]]:
    """Places that are spread evenly and look as if by chance."""
    return [
        (4 + 92 * ((0.13 + look * 0.27 + 0.754878 * n) % 1), top + (bottom - top) * ((0.4 + 0.569840 * n) % 1))
        for n in range(1, count + 1)
    ]


def _meadow(pen: Pen, look: int) -> None:
    grass = _GRASS[look]
    _fade(pen, -1, 66, *_SKIES[look])
    _hill(pen, (58, 53, 57, 62, 58), light(grass, 0.38))
    _hill(pen, (62, 65, 61, 60, 64), light(grass, 0.15))
    _fade(pen, 68, 101, light(grass, 0.12), dark(grass, 0.08), 24)
    for x, y in _spots(look, 16, 70, 98):
        _tuft(pen, x, y, dark(grass, 0.22))


def _beach(pen: Pen, look: int) -> None:
    sand, sea = _SAND[look], (108, 190, 214)
    _fade(pen, -1, 54, *_SKIES[look])
    _fade(pen, 53, 75, mix(sea, (64, 140, 190), 0.4), light(sea, 0.35), 20)
    for x, y in _spots(look, 9, 56, 64):
        pen.stroke([(x - 4, y), (x + 4, y)], 0.5, light(sea, 0.6), line=False)
    _hill(pen, (67, 69, 66.5, 68, 66), WHITE)
    _hill(pen, (69, 71, 68.5, 70, 68), dark(sand, 0.1))
    _hill(pen, (71, 73, 70.5, 72, 70), sand)
    for x, y in _spots(look, 26, 74, 98):
        pen.ellipse(x, y, 0.55, 0.4, dark(sand, 0.22), line=False)


def _snow(pen: Pen, look: int) -> None:
    upper, lower = _SKIES[look]
    _fade(pen, -1, 68, mix(upper, (176, 190, 214), 0.55), mix(lower, (236, 240, 248), 0.6))
    _hill(pen, (60, 55, 60, 57, 62), (222, 233, 244))
    _hill(pen, (64, 67, 63, 66, 62), (235, 243, 250))
    _fade(pen, 69, 101, (240, 246, 252), (222, 233, 245), 24)
    for x, y in _spots(look, 22, 4, 96):
        pen.ellipse(x, y, 0.75, 0.75, WHITE, line=False)


def _night(pen: Pen, look: int) -> None:
    upper, lower = _NIGHTS[look]
    _fade(pen, -1, 70, upper, lower)
    for x, y in _spots(look, 30, 3, 56):
        pen.ellipse(x, y, 0.5, 0.5, light(lower, 0.75), line=False)
    _hill(pen, (66, 61, 58, 60, 67), (98, 124, 120))
    _hill(pen, (70, 67, 66, 70, 72), (84, 112, 108))
    for x, y in _spots(look, 14, 74, 98):
        _tuft(pen, x, y, (66, 92, 92))


def _street(pen: Pen, look: int) -> None:
    _fade(pen, -1, 66, *_SKIES[look])
    shade = mix(_SKIES[look][1], (150, 170, 196), 0.32)
    for number, (wide, top) in enumerate(
        ((13, 46), (9, 38), (15, 50), (11, 42), (14, 48), (10, 36), (16, 47), (12, 43))
    ):
        left = sum((13, 9, 15, 11, 14, 10, 16, 12)[:number])
        pen.block(left, top + look, left + wide, 66, light(shade, 0.12 * (number % 3)), line=False)
    pen.block(-1, 64, 101, 67, (164, 196, 132), line=False)
    pen.block(-1, 66.5, 101, 80, (222, 218, 210), line=False)
    for x in range(-4, 101, 12):
        pen.stroke([(x, 67), (x - 3, 80)], 0.5, (204, 200, 192), line=False)
    pen.block(-1, 80, 101, 82, (188, 186, 184), line=False)
    _fade(pen, 82, 101, (146, 150, 160), (132, 136, 148), 8)
    for x in range(2, 101, 20):
        pen.block(x, 90, x + 10, 91.4, (236, 234, 224), line=False)


def _room(pen: Pen, look: int) -> None:
    wall, floor = _WALLS[look], _FLOORS[look]
    pen.block(-1, -1, 101, 76, wall, line=False)
    for x in range(0, 101, 10):
        pen.block(x, -1, x + 4.5, 72, light(wall, 0.3), line=False)
    pen.block(-1, 70, 101, 75, (252, 250, 246), line=False)
    pen.block(-1, 74.4, 101, 75.2, dark(floor, 0.3), line=False)
    _fade(pen, 75, 101, floor, light(floor, 0.12), 12)
    for row, y in enumerate((80, 86, 93)):
        pen.stroke([(-2, y), (102, y)], 0.5, dark(floor, 0.14), line=False)
        for x in range(8 + row * 13, 110, 38):
            pen.stroke([(x, y), (x, y + 6.5)], 0.5, dark(floor, 0.14), line=False)


def _sea(pen: Pen, look: int) -> None:
    upper, lower = ((152, 218, 232), (170, 222, 226), (144, 208, 236), (160, 220, 214))[look], (92, 172, 208)
    _fade(pen, -1, 48, *_SKIES[look])
    _fade(pen, 47, 101, upper, lower)
    waves = [(x, 46.6 + 1.1 * (step % 2)) for step, x in enumerate(range(-2, 104, 4))]
    pen.stroke(waves, 1.6, light(upper, 0.75), line=False, smooth=True)
    for x, y in _spots(look, 14, 52, 90):
        pen.stroke([(x - 3, y), (x, y - 0.8), (x + 3, y)], 0.5, light(upper, 0.4), line=False, smooth=True)
    _hill(pen, (97, 95.5, 97.5, 96, 98), (226, 212, 168))


_PAINTERS: dict[str, Callable[[Pen, int], None]] = {
    "meadow": _meadow,
    "beach": _beach,
    "snow": _snow,
    "night": _night,
    "street": _street,
    "room": _room,
    "sea": _sea,
}
