"""Animations that follow the words: of a caption over its picture, of a sentence by its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jumok.viewing.fonts import Fonts
from jumok.viewing.frames import check_gif, painted, write_gif
from jumok.viewing.lines import lines_scene
from jumok.viewing.map import AttentionMap
from jumok.viewing.overlay import lit
from jumok.viewing.panels import write_line
from jumok.viewing.png import Sheet, to_figure
from jumok.viewing.telling import Told

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH, MARGIN, LETTERS, LEADING = 336.0, 12.0, 16.0, 23.0
"""Of the picture, around it, of the caption's letters, from line to line; pixels."""
EACH, LAST = 650, 1800
"""How long a word stays, and the whole caption at the end; milliseconds."""
MOST_ROWS = 100
"""Rows that an animation follows one by one; it ends with all of them anyway."""


def save_gif(maps: AttentionMap | Sequence[AttentionMap], path: str | Path) -> None:
    """Write an animation: each word in turn, then the whole caption; several maps follow each other."""
    path = Path(path)
    check_gif(path)
    told = [Told.of(look) for look in ([maps] if isinstance(maps, AttentionMap) else maps)]
    if not told:
        raise ValueError("no map to show; give at least one")
    height = max(_height(one) for one in told)
    frames, times = [], []
    for one in told:
        for word, frame in enumerate(frames_of(one, height)):
            frames.append(frame)
            times.append(EACH if word < len(one.words) else LAST)
    write_gif(frames, times, path)


def save_lines_gif(look: AttentionMap, path: str | Path) -> None:
    """Write an animation of the lines between two sentences: each row in turn, then all."""
    path = Path(path)
    check_gif(path)
    rows = [*range(min(len(look.rows), MOST_ROWS)), None]
    frames = [painted(to_figure(lines_scene(look, row))) for row in rows]
    write_gif(frames, [EACH] * (len(rows) - 1) + [LAST], path)


def frames_of(told: Told, height: float | None = None) -> Iterator[Image]:
    """A frame for each word, and one of the whole."""
    fonts = Fonts.holding([told.title, *told.words])
    for word in range(len(told.words) + 1):
        yield _frame(told, word, _height(told) if height is None else height, fonts)


def _height(told: Told) -> float:
    title = LEADING if told.title else 0.0
    lines = told.lines(0.96 * WIDTH / LETTERS)
    return 2 * MARGIN + title + WIDTH * told.picture.height / told.picture.width + 6 + LEADING * len(lines)


def _frame(told: Told, word: int, height: float, fonts: Fonts) -> Image:
    from PIL import Image

    tall = WIDTH * told.picture.height / told.picture.width
    picture = told.picture.resize((int(WIDTH), max(1, int(tall))), Image.Resampling.LANCZOS)
    if word < len(told.words):
        picture = lit(picture, told.weights[word])
    sheet = Sheet(WIDTH + 2 * MARGIN, height, fonts)
    top = MARGIN + (LEADING if told.title else 0.0)
    if told.title:
        sheet.text(told.title, MARGIN, MARGIN + 14, LETTERS)
    axes = sheet.axes(MARGIN, top, WIDTH, tall)
    axes.set_axis_off()
    axes.imshow(np.asarray(picture), aspect="auto", interpolation="antialiased")
    for number, line in enumerate(told.lines(0.96 * WIDTH / LETTERS)):
        write_line(sheet, told.around(line, word), MARGIN, top + tall + 2 + LEADING * (number + 1), LETTERS)
    return painted(sheet.figure)
