"""Lines between two sentences: what was looked at above, what came out below; side by side where that is too wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from jumok.viewing.grid import ceiling
from jumok.viewing.layout import MARGIN, NAMES, TITLE
from jumok.viewing.map import AttentionMap, Weights
from jumok.viewing.palettes import ACCENT
from jumok.viewing.scene import Anchor, Item, Places, Scene, Shape, Words
from jumok.viewing.text import ems, pieces, shortened, shown, widest

WIDEST = 960.0
"""Sentences that are wider stand side by side, a word a line."""
MANY = 60
"""Words of a side from which on letters are small."""
MOST_LINES = 2000
LEAST = 0.02
"""Of the largest weight's round number; a line of less could not be seen."""
LONGEST = 24.0
"""A word of more ems is shortened where the sentences stand side by side."""
BEND = np.linspace(0, 1, 25)


class End(NamedTuple):
    """A word, and where its lines end."""

    words: Words
    foot: tuple[float, float]

    @property
    def name(self) -> str:
        """The whole word, where it is drawn shortened."""
        return self.words.full or self.words.text


def lines_scene(look: AttentionMap, row: int | None = None) -> Scene:
    """The lines of the mean over the heads of the last layer; with `row`, those of other rows are faint."""
    matrix = look.matrix
    top = ceiling(float(matrix.max())) if matrix.size else 1.0
    rows, columns = pieces(look.rows, look.row_words), pieces(look.columns, look.column_words)
    size = 11.0 if max(len(rows), len(columns), 1) > MANY else 15.0
    above = MARGIN + (TITLE + 12 if look.title else 0)
    upright = max(_span(rows, size, 14), _span(columns, size, 14)) > WIDEST
    names = shown(look.column_name), shown(look.row_name)
    laid = (_side_by_side if upright else _one_above)(columns, rows, size, above, names)
    items: list[Item] = [Words(shown(look.title), MARGIN, MARGIN + 14, TITLE, bold=True)] if look.title else []
    items.extend(laid.names)
    items.extend(_links(look, laid, top, row, upright))
    items.extend(_ends(matrix, laid, top, row))
    about = f"{shown(look.title) or 'Attention'}: lines from {names[1]} ({len(rows)}) to {names[0]} ({len(columns)})"
    width = max(laid.width, 2 * MARGIN + TITLE * ems(shown(look.title), bold=True))
    return Scene(width, laid.height, about, tuple(items))


class _Laid(NamedTuple):
    width: float
    height: float
    columns: list[End]
    rows: list[End]
    names: list[Words]


def _span(words: Sequence[str], size: float, gap: float) -> float:
    return sum(ems(word) * size for word in words) + gap * max(len(words) - 1, 0)


def _one_above(columns: Sequence[str], rows: Sequence[str], size: float, above: float, names: tuple[str, str]) -> _Laid:
    full = max(min(WIDEST, max(_span(columns, size, 36), _span(rows, size, 36))), 240.0)
    tall = min(220.0, max(110.0, 0.3 * full))
    first, second = above + 42, above + 42 + tall + 20

    def placed(words: Sequence[str], y: float, foot: float) -> Iterator[End]:
        gap = min(52.0, (full - _span(words, size, 0)) / max(len(words) - 1, 1))
        x = MARGIN + (full - _span(words, size, gap)) / 2
        for word in words:
            middle = x + ems(word) * size / 2
            yield End(Words(word, middle, y, size, anchor="middle"), (middle, foot))
            x += ems(word) * size + gap

    said = [
        Words(names[0], MARGIN, above + 12, NAMES, "soft"),
        Words(names[1], MARGIN, second + 28, NAMES, "soft"),
    ]
    ends = list(placed(columns, first, first + 9)), list(placed(rows, second, second - 18))
    return _Laid(full + 2 * MARGIN, second + 28 + MARGIN, *ends, said)


def _side_by_side(
    columns: Sequence[str], rows: Sequence[str], size: float, above: float, names: tuple[str, str]
) -> _Laid:
    tall = (16.0 if size < 15 else 26.0) * max(len(columns), len(rows), 1)
    sides = [
        min(LONGEST, max(widest(words), ems(name))) * size for words, name in ((columns, names[0]), (rows, names[1]))
    ]
    left, right = MARGIN + sides[0], MARGIN + sides[0] + 300

    def placed(words: Sequence[str], x: float, anchor: Anchor, foot: float) -> Iterator[End]:
        for number, word in enumerate(words):
            y = above + 22 + (number + 0.5) * tall / len(words)
            text = shortened(word, LONGEST)
            yield End(Words(text, x, y + 0.35 * size, size, anchor=anchor, full=word), (foot, y))

    said = [
        Words(names[0], left, above + 12, NAMES, "soft", "end"),
        Words(names[1], right, above + 12, NAMES, "soft"),
    ]
    ends = list(placed(columns, left, "end", left + 7)), list(placed(rows, right, "start", right - 7))
    return _Laid(right + sides[1] + MARGIN, above + 22 + tall + MARGIN, *ends, said)


def _links(look: AttentionMap, laid: _Laid, top: float, row: int | None, upright: bool) -> Iterator[Shape]:
    matrix = look.matrix
    targets, sources = np.nonzero(matrix >= LEAST * top)
    strongest = np.argsort(matrix[targets, sources], kind="stable")[-MOST_LINES:]
    thick = 3.0 if len(laid.rows) > MANY or len(laid.columns) > MANY else 7.0
    for target, source in zip(targets[strongest].tolist(), sources[strongest].tolist(), strict=True):
        weight = float(matrix[target, source])
        share = min(weight / top, 1.0)
        faint = 0.1 if row is not None and target != row else 1.0
        yield Shape(
            _curve(laid.columns[source].foot, laid.rows[target].foot, upright),
            stroke=ACCENT,
            width=0.6 + thick * share,
            opacity=round((0.15 + 0.75 * share) * faint, 3),
            says=f"{laid.rows[target].name} → {laid.columns[source].name}: {weight:.3f}",
        )


def _ends(matrix: Weights, laid: _Laid, top: float, row: int | None) -> Iterator[Words]:
    """The words; those that a row looks at are bold, the others soft."""
    lit: set[int] = set() if row is None else {int(column) for column in np.flatnonzero(matrix[row] >= 0.1 * top)}
    for number, end in enumerate(laid.columns):
        yield end.words if row is None else _lit(end.words, number in lit)
    for number, end in enumerate(laid.rows):
        yield end.words if row is None else _lit(end.words, number == row)


def _lit(words: Words, is_lit: bool) -> Words:
    return replace(words, bold=is_lit, colour="ink" if is_lit else "soft")


def _curve(start: tuple[float, float], end: tuple[float, float], upright: bool) -> Places:
    """A curve that leaves and arrives straight, as points."""
    (x, y), (to_x, to_y) = start, end
    eased = 3 * BEND**2 - 2 * BEND**3
    along = 1.5 * BEND * (1 - BEND) + BEND**3
    first, second = (along, eased) if upright else (eased, along)
    return tuple(zip((x + (to_x - x) * first).tolist(), (y + (to_y - y) * second).tolist(), strict=True))
