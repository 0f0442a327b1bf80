"""A caption over its picture, a panel for each word (Xu et al. 2015, figure 3): as PNG, PDF and SVG.

Several maps stand under each other, so that two models can be seen on one picture.
"""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from jumok.core.files import write_whole
from jumok.viewing.fonts import Fonts
from jumok.viewing.map import AttentionMap
from jumok.viewing.overlay import lit
from jumok.viewing.palettes import INK, SOFT
from jumok.viewing.png import INCH, Sheet, write_figure
from jumok.viewing.telling import Line, Told
from jumok.viewing.text import FONTS, ems, length

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH, GAP, MARGIN = 150.0, 14.0, 16.0
"""Of a panel, between panels, and around them; pixels."""
ACROSS = 6
"""Panels in a row."""
WORD, LETTERS, LEADING, TITLE = 14.0, 10.0, 13.0, 15.0
"""Sizes of the word above a panel, of the caption below it, from line to line, and of a title."""
SHARPER = 2
"""Pixels of a panel's image for each of the layout."""


@dataclass(frozen=True, eq=False)
class Panel:
    """A picture at a place; `word` is the number of the word that it is about, -1 for the picture alone."""

    told: Told
    word: int
    x: float
    y: float
    height: float
    lines: tuple[Line, ...]

    def image(self) -> Image:
        """The picture, lit by the word's look."""
        from PIL import Image

        size = int(WIDTH * SHARPER), max(1, int(self.height * SHARPER))
        picture = self.told.picture.resize(size, Image.Resampling.LANCZOS)
        return picture if self.word < 0 else lit(picture, self.told.weights[self.word])

    @property
    def name(self) -> str:
        """What stands above it."""
        return "" if self.word < 0 else self.told.words[self.word]

    def baseline(self, number: int) -> float:
        """Where line `number` of the caption stands."""
        return self.y + self.height + 4 + LEADING * (number + 1)


@dataclass(frozen=True, eq=False)
class Panels:
    """All panels of a picture, with the titles of the maps."""

    width: float
    height: float
    titles: tuple[tuple[str, float], ...]
    panels: tuple[Panel, ...]

    @classmethod
    def of(cls, maps: Sequence[AttentionMap]) -> Panels:
        """Where everything goes."""
        if not maps:
            raise ValueError("no map to show; give at least one")
        told = [Told.of(look) for look in maps]
        across = min(ACROSS, max(len(one.words) + 1 for one in told))
        titles, panels = [], []
        y = MARGIN
        for one in told:
            if one.title:
                titles.append((one.title, y + TITLE))
                y += TITLE + 12
            height = WIDTH * one.picture.height / one.picture.width
            lines = tuple(one.lines(0.96 * WIDTH / LETTERS))
            tall = WORD + 6 + height + 4 + LEADING * len(lines) + GAP
            for number in range(len(one.words) + 1):
                x = MARGIN + number % across * (WIDTH + GAP)
                top = y + number // across * tall + WORD + 6
                panels.append(Panel(one, number - 1, x, top, height, lines))
            y += math.ceil((len(one.words) + 1) / across) * tall + GAP / 2
        names = [MARGIN + TITLE * ems(title) for title, _ in titles]
        width = max(MARGIN + across * (WIDTH + GAP) - GAP, *names, 0) + MARGIN
        return cls(math.ceil(width), math.ceil(y), tuple(titles), tuple(panels))


def save_panels(maps: AttentionMap | Sequence[AttentionMap], path: str | Path) -> None:
    """Write the panels of one map, or of several under each other; the ending says as what: .png, .pdf or .svg."""
    path = Path(path)
    several = [maps] if isinstance(maps, AttentionMap) else list(maps)
    if path.suffix.lower() == ".svg":
        write_whole(path, panels_svg(several))
    elif path.suffix.lower() in (".png", ".pdf"):
        write_figure(_drawn(Panels.of(several)), path)
    else:
        raise ValueError(f"{path}: cannot tell what to write; end the name in .png, .pdf or .svg")


def panels_svg(maps: Sequence[AttentionMap]) -> str:
    """The panels as SVG, with their pictures inside."""
    laid = Panels.of(maps)
    size = f'width="{length(laid.width)}" height="{length(laid.height)}"'
    about = "; ".join(" ".join(one.words) for one in dict.fromkeys(panel.told for panel in laid.panels))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {length(laid.width)} {length(laid.height)}" {size}'
        f' style="max-width:100%;height:auto" role="img" aria-label={quoteattr(about)} font-family="{FONTS}">',
        f'<rect {size} rx="6" fill="#ffffff"/>',
    ]
    for title, y in laid.titles:
        parts.append(_text(title, MARGIN, y, TITLE, INK, ' font-weight="600"'))
    for panel in laid.panels:
        parts.extend(_svg_panel(panel))
    return "\n".join([*parts, "</svg>\n"])


def _svg_panel(panel: Panel) -> Iterator[str]:
    x, y = length(panel.x), length(panel.y)
    content = io.BytesIO()
    panel.image().save(content, "JPEG", quality=88)
    yield (
        f'<image x="{x}" y="{y}" width="{length(WIDTH)}" height="{length(panel.height)}" preserveAspectRatio="none"'
        f' href="data:image/jpeg;base64,{base64.b64encode(content.getvalue()).decode()}"/>'
    )
    yield _text(panel.name, panel.x, panel.y - 6, WORD, INK, ' font-weight="600"')
    for number, line in enumerate(panel.lines):
        before, word, behind = (escape(part) for part in panel.told.around(line, panel.word))
        marked = f'<tspan fill="{INK}" font-weight="600" text-decoration="underline">{word}</tspan>' if word else ""
        where = f'x="{x}" y="{length(panel.baseline(number))}" font-size="{length(LETTERS)}"'
        yield f'<text {where} fill="{SOFT}" xml:space="preserve">{before}{marked}{behind}</text>'


def _text(text: str, x: float, y: float, size: float, colour: str, more: str = "") -> str:
    return (
        f'<text x="{length(x)}" y="{length(y)}" font-size="{length(size)}" fill="{colour}"{more}>{escape(text)}</text>'
    )


def _drawn(laid: Panels) -> Any:
    """The panels as a matplotlib figure."""
    texts = [title for title, _ in laid.titles] + [word for panel in laid.panels for word in panel.told.words]
    sheet = Sheet(laid.width, laid.height, Fonts.holding([*texts, "…"]))
    for title, y in laid.titles:
        sheet.text(title, MARGIN, y, TITLE)
    for panel in laid.panels:
        axes = sheet.axes(panel.x, panel.y, WIDTH, panel.height)
        axes.set_axis_off()
        axes.imshow(np.asarray(panel.image()), aspect="auto", interpolation="antialiased")
        sheet.text(panel.name, panel.x, panel.y - 6, WORD)
        for number, line in enumerate(panel.lines):
            write_line(sheet, panel.told.around(line, panel.word), panel.x, panel.baseline(number), LETTERS)
    return sheet.figure


def write_line(sheet: Sheet, parts: tuple[str, str, str], x: float, y: float, size: float) -> None:
    """A line of a caption from `x` on, the middle part of it underlined."""
    from matplotlib.lines import Line2D

    for part, colour in zip(parts, (SOFT, INK, SOFT), strict=True):
        wide = measured(sheet.fonts, part, size)
        sheet.text(part, x, y, size, colour)
        if colour == INK and part:
            across = [x / sheet.width, (x + wide) / sheet.width]
            down = [1 - (y + 0.22 * size) / sheet.height] * 2
            sheet.figure.add_artist(Line2D(across, down, color=INK, linewidth=0.09 * size))
        x += wide


def measured(fonts: Fonts, text: str, size: float) -> float:
    """How wide a text will be, in pixels; blanks at its ends count."""
    from matplotlib.textpath import text_to_path

    if not text:
        return 0.0
    held, font = fonts.of(text)
    font.set_size(size * 72 / INCH)
    ends = "|"  # blanks at the ends would not be measured
    around, alone = (
        text_to_path.get_text_width_height_descent(told, font, ismath=False)[0]
        for told in (ends + held + ends, ends * 2)
    )
    return float(around - alone) * INCH / 72
