"""Colours of a weight, from 0 to the top of the scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jumok.core.names import unknown

Colours = NDArray[np.uint8]

PALETTES = {
    "blue": ("#ffffff", "#deebf7", "#b3d0ea", "#79b0dc", "#4389c4", "#1c5fa6", "#0b3c7d", "#08244f"),
    "grey": ("#000000", "#ffffff"),
    "viridis": (
        *("#440154", "#482475", "#414487", "#355f8d", "#2a788e"),
        *("#21918c", "#22a884", "#44bf70", "#7ad151", "#bddf26", "#fde725"),
    ),
    "cividis": (
        *("#00224e", "#123570", "#3b496c", "#575d6d", "#707173"),
        *("#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"),
    ),
}
"""Stops at equal distances. "blue" is light where nothing was looked at, the others are dark there."""

TOPS = {"grey": 1.0}
"""The weight that gets the last colour, where it is always the same: in the paper white is 1."""

INK, SOFT, LINES, FRAME = "#1f2933", "#66727f", "#e3e8ee", "#9aa5b1"
"""What is written, what is less important, lines between cells, lines around them; on white paper."""
ACCENT = "#1c5fa6"
"""Lines that stand for weights."""

AT_NIGHT = {"blue": ("#181c22", "#1b2f47", "#1f4a75", "#2a6bab", "#4a90d2", "#83b8e8", "#bedaf5", "#eef6ff")}
"""Palettes that begin with the paper's colour, for paper that is dark."""


def stops_of(palette: str) -> tuple[str, ...]:
    """The stops of a palette; one line that lists those known where there is none of that name."""
    if palette not in PALETTES:
        raise ValueError(unknown("palette", palette, PALETTES))
    return PALETTES[palette]


def shades(palette: str, count: int = 256) -> Colours:
    """`(count, 3)`: the colours from 0 to the top at equal steps."""
    stops = np.array([_rgb(stop) for stop in stops_of(palette)], np.float64)
    places = np.linspace(0, len(stops) - 1, count)
    channels = [np.interp(places, np.arange(len(stops)), stops[:, channel]) for channel in range(3)]
    return np.stack(channels, axis=1).round().astype(np.uint8)


def begins_white(colours: Colours) -> bool:
    """Whether a weight of 0 has the paper's colour, so that cells need lines between them."""
    return bool((colours[0] == 255).all())


def hexadecimal(colour: Sequence[int] | Colours) -> str:
    """A colour as SVG writes it."""
    return "#" + "".join(f"{int(channel):02x}" for channel in colour)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
