"""Whether a captioner looks at what it names: its weights beside the boxes of the things that words are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jumok.viewing.map import SPECIAL, AttentionMap

Boxes = Sequence[tuple[float, float, float, float]]
"""Left, top, right and bottom, from 0 to 1, of all things that a word is about."""


@dataclass(frozen=True)
class Pointing:
    """Figures over all words that are about something.

    accuracy: the share of words whose largest weight lies in their region: the cells whose middle is in one of the
    boxes (for a box that holds no middle, the cell that its own middle is in).
    inside: the mean of the weight that lies in the region. even: that of a look at everything alike.
    """

    words: int
    accuracy: float
    inside: float
    even: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return dict(self.__dict__)


def pointing(looks: Iterable[AttentionMap], regions: Iterable[Sequence[Boxes | None]]) -> Pointing | None:
    """How well the words of captions point at their regions; None where no word has one.

    looks: maps over pictures. regions: for each map the boxes of each of its words, None for words about nothing.
    """
    hits, inside, even = [], [], []
    for look, boxes in zip(looks, regions, strict=True):
        if look.grid is None:
            raise ValueError("pointing: this map is not one over a picture")
        merged = look.select().words()
        rows = [row for row, word in enumerate(merged.row_words) if word != SPECIAL]
        if len(rows) != len(boxes):
            raise ValueError(f"pointing: a map of {len(rows)} words with regions for {len(boxes)}; give one for each")
        for row, about in zip(rows, boxes, strict=True):
            if about:
                region = cells(about, look.grid)
                weights = merged.matrix[row].reshape(look.grid)
                hits.append(bool(region.flat[int(weights.argmax())]))
                inside.append(float(weights[region].sum()))
                even.append(float(region.mean()))
    if not hits:
        return None
    return Pointing(len(hits), *(float(np.mean(values)) for values in (hits, inside, even)))


def cells(boxes: Boxes, grid: tuple[int, int]) -> NDArray[np.bool_]:
    """Which cells of a grid `(rows, columns)` lie in some of the boxes."""
    rows, columns = grid
    down, across = (np.arange(rows) + 0.5) / rows, (np.arange(columns) + 0.5) / columns
    found = np.zeros(grid, np.bool_)
    for left, top, right, bottom in boxes:
        within = ((down >= top) & (down <= bottom))[:, None] & ((across >= left) & (across <= right))
        if not within.any():
            row, column = int((top + bottom) / 2 * rows), int((left + right) / 2 * columns)
            within[min(row, rows - 1), min(column, columns - 1)] = True
        found |= within
    return found
