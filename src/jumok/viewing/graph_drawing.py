"""A small graph, drawn: nodes coloured by what they are said to be, and at each node the lines to those it looks at.

Every edge has two halves. The half beside a node is as thick as that node's look along the edge.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from jumok.viewing.chart_drawing import COLOURS
from jumok.viewing.graph_layout import laid_out
from jumok.viewing.graph_look import MOST_NODES, GraphLook, Weights
from jumok.viewing.palettes import FRAME
from jumok.viewing.scene import Places, Scene, Shape, Words
from jumok.viewing.text import ems, shortened, shown

MARGIN, TITLE, SMALL = 16.0, 16.0, 12.0
THICKEST, THINNEST = 9.0, 0.4
LONGEST = 130.0
"""Pixels of an edge of a small graph; more would only spread it over the sheet."""
FEW, MANY = 20, 60
"""Nodes of a small graph, and of one whose names are still written beside their nodes."""
PLENTY = 1000
"""Half edges from which on the faint ones become fainter, so that the strong ones stay to be seen."""

NO_LABEL = FRAME
"""Grey, for a node whose label has no colour."""


def scene_of(look: GraphLook, layer: int = -1) -> Scene:
    """The picture of one layer, the mean of its heads."""
    count = len(look.nodes)
    if not 0 < count <= MOST_NODES:
        what = "there is no node" if not count else f"{count:,} nodes are too many"
        raise ValueError(f"{what} to draw: name a node, and its neighbours are drawn (at most {MOST_NODES} nodes)")
    size, radius = _sizes(count)
    places, height = _placed(look, size, radius)
    colours = _colours(look)
    chosen = look.layer(layer)
    items: list[Shape | Words] = []
    if look.title:
        items.append(Words(shown(look.title), MARGIN, MARGIN + TITLE, TITLE, bold=True))
    items.extend(_edges(look, layer, places))
    own = None if chosen.own is None else chosen.own.mean(1)
    for node in range(count):
        items.extend(_node(look, node, places[node], radius, colours, own))
    items.extend(_legend(look, colours, height))
    about = f"{look.title or 'Attention'}: {count} nodes, {len(look.edges)} edges, thicker where a node looks more"
    rows = 2 if colours else 1
    return Scene(size + 2 * MARGIN, height + 2 * MARGIN + 6 + 24 * rows, about, tuple(items))


def _sizes(count: int) -> tuple[float, float]:
    """The width of the picture, and the radius of a node."""
    return (560.0, 13.0) if count <= FEW else (720.0, 12.0) if count <= MANY else (1100.0, 9.0)


def _placed(look: GraphLook, size: float, radius: float) -> tuple[Weights, float]:
    """Where the nodes are, and the height of the picture; its longest side lies down."""
    places = _turned(laid_out(len(look.nodes), look.edges))
    spread = np.ptp(places, axis=0)
    edge, above = radius + 22, 24.0 if look.title else 0.0
    scale = (size - 2 * edge) / max(float(spread[0]), 1e-9)
    if len(look.nodes) <= FEW:
        scale = min(LONGEST, scale)
    middle = (places.max(0) + places.min(0)) / 2
    inner = float(spread[1]) * scale + 2 * edge
    centre = (MARGIN + size / 2, MARGIN + above + inner / 2)
    return ((places - middle) * scale + centre).astype(np.float32), inner + above


def _turned(places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Places turned so that they spread most from left to right."""
    x, y = (places - places.mean(0)).T
    turn = 0.5 * math.atan2(2 * float(x @ y), float(x @ x - y @ y))
    cosine, sine = math.cos(turn), math.sin(turn)
    return np.stack([cosine * x + sine * y, cosine * y - sine * x], 1)


def _colours(look: GraphLook) -> dict[str, str]:
    """A colour for each label; where there are more labels than colours, for the most frequent, and grey for others."""
    counts = Counter(look.labels)
    often = sorted(counts, key=lambda label: (-counts[label], label))
    chosen = often if len(often) <= len(COLOURS) else often[: len(COLOURS) - 1]
    return dict(zip(sorted(chosen), COLOURS, strict=False))


def _edges(look: GraphLook, layer: int, places: Weights) -> Iterator[Shape]:
    chosen = look.layer(layer)
    forth = chosen.weights.mean(1)
    back = None if chosen.back is None else chosen.back.mean(1)
    halves: dict[tuple[int, int], float] = {}  # (who looks, at whom); an edge given twice is drawn once
    for number, (source, target) in enumerate(look.edges.tolist()):
        if source != target:
            halves[target, source] = float(forth[number])
            if back is not None:
                halves[source, target] = float(back[number])
            else:
                halves.setdefault((source, target), 0.0)
    faint = 0.25 * max(min(PLENTY / max(len(halves), 1), 1.0), 0.1)  # a thousand edges would make a wall
    for (who, whom), weight in sorted(halves.items(), key=lambda half: half[1]):
        start, end = places[who], (places[who] + places[whom]) / 2
        line = (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))
        yield Shape(
            line,
            stroke="ink",
            width=max(THINNEST, THICKEST * weight),
            opacity=round(faint + (0.75 - faint) * min(weight * 2, 1.0), 3),
            says=shown(f"{look.nodes[who]} looks at {look.nodes[whom]}: {weight:.3f}") if weight else "",
        )


def _node(
    look: GraphLook, node: int, place: Weights, radius: float, colours: dict[str, str], own: Weights | None
) -> Iterator[Shape | Words]:
    x, y = (float(value) for value in place)
    label, name = look.labels[node] if look.labels else "", shown(look.nodes[node])
    says = f"{name}: {label}" if label else name
    if own is not None:
        says += f"; looks at itself: {own[node]:.3f}"
    yield Shape(_circle(x, y, radius), stroke="paper", width=1.5, fill=colours.get(label, NO_LABEL), says=shown(says))
    fits = ems(name) * 10 <= 2 * radius - 5
    if fits:
        yield Words(name, x, y + 3.6, 10, colour="paper", anchor="middle", bold=True)
    elif len(look.nodes) <= MANY:
        yield Words(shortened(name, 9.0), x, y - radius - 4, 11, anchor="middle", bold=True)


def _circle(x: float, y: float, radius: float, corners: int = 28) -> Places:
    turns = (2 * math.pi * number / corners for number in range(corners))
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


def _legend(look: GraphLook, colours: dict[str, str], height: float) -> Iterator[Shape | Words]:
    """What the colours are, and how thick a look is."""
    x, y = MARGIN, height + MARGIN + 20
    others = {} if set(look.labels) <= colours.keys() else {"others": NO_LABEL}
    for label, colour in (colours | others).items():
        text = shortened(shown(label), 7.0)
        yield Shape(_circle(x + 6, y - 4, 6), fill=colour)
        yield Words(text, x + 17, y, SMALL, colour="soft")
        x += 17 + ems(text) * SMALL + 14
    x, y = MARGIN, y + 24 if colours else y
    for weight in (0.1, 0.5, 1.0):
        yield Shape(((x, y - 4), (x + 24, y - 4)), stroke="ink", width=THICKEST * weight, opacity=0.75)
        yield Words(f"{weight:g}", x + 33, y, SMALL, colour="soft")
        x += 33 + 36
    yield Words("how much the node beside it looks that way", x, y, SMALL, colour="soft")
