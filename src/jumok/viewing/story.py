"""Hops over a story: its sentences as lines, and beside each how much every hop looked at it."""

from __future__ import annotations

from collections.abc import Iterator

from jumok.viewing.layout import MARGIN, NAMES, TITLE
from jumok.viewing.map import AttentionMap
from jumok.viewing.palettes import ACCENT
from jumok.viewing.scene import Item, Scene, Shape, Words, box
from jumok.viewing.text import ems, shortened, shown, widest

SIZE, LEADING = 14.0, 24.0
"""Of the sentences, and from one to the next."""
BAR, NUMBER, GAP = 90.0, 34.0, 16.0
"""Pixels of a weight of 1, of its number, and between hops."""
LONGEST = 40.0
"""A sentence of more ems is shortened."""


def story_scene(look: AttentionMap) -> Scene:
    """Columns as lines of text, rows as bars beside them; the mean over the heads of the last layer."""
    title = shown(look.title)
    sentences = [shown(sentence) for sentence in look.columns]
    left, above = MARGIN, MARGIN + (TITLE + 12 if title else 0) + 24
    side = min(LONGEST, max(widest(sentences), ems(shown(look.column_name)) + 2)) * SIZE + 24
    items: list[Item] = [Words(title, MARGIN, MARGIN + 14, TITLE, bold=True)] if title else []
    items.append(Words(f"{shown(look.column_name)} ↓", left, above - 8, NAMES, "soft"))
    for number, sentence in enumerate(sentences):
        y = above + number * LEADING + 0.7 * LEADING
        items.append(Words(shortened(sentence, LONGEST), left, y, SIZE, full=sentence))
    for row in range(len(look.rows)):
        items.extend(_hop(look, row, left + side + row * (BAR + NUMBER + GAP), above))
    width = left + side + max(len(look.rows), 1) * (BAR + NUMBER + GAP) - GAP + MARGIN
    about = f"{title or 'Attention'}: {len(look.rows)} looks at {len(sentences)} {shown(look.column_name)}s"
    height = above + max(len(sentences), 1) * LEADING + MARGIN
    return Scene(max(width, 2 * MARGIN + TITLE * ems(title, bold=True)), height, about, tuple(items))


def _hop(look: AttentionMap, row: int, x: float, above: float) -> Iterator[Item]:
    name = f"{shown(look.row_name)} {shown(look.rows[row])}"
    yield Words(shortened(name, 9.0), x, above - 8, NAMES, "soft", full=name)
    for number, weight in enumerate(look.matrix[row].tolist()):
        y = above + number * LEADING
        yield Shape(box(x, y + 6, BAR, 12), fill="line")
        if weight > 0:
            says = f"{name} → {shown(look.columns[number])}: {weight:.3f}"
            yield Shape(box(x, y + 6, max(BAR * min(weight, 1.0), 0.5), 12), fill=ACCENT, says=says)
        if weight >= 0.005:
            yield Words(f"{weight:.2f}", x + BAR + 5, y + 0.7 * LEADING, 11, "soft")
