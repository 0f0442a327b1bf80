"""What a caption tells, and in which order: a function of what is in the picture, of nothing else.

1. Objects of one kind, colour and size are one group and are counted.
2. Two groups of one lane stand to the left or right of each other, next to each other where they are close, above or
   below where they lie so. Of three, the middle one is between the others.
3. A group that stands on a table, a bed or a chair is on it.
4. A single group in the sky is above what it is over, and in the sky where it is over nothing; under the surface of the
   sea, the same with below. What hangs on a wall is on the wall: Korean 위에 would put it on the bed.
5. What no clause has told yet is told with its lane: "in the meadow".

Of two groups, the one of the higher rank (see kinds.txt) is what the other is told by; of equals, the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from jumok.data.scenes.lexicon import Kind, words
from jumok.data.scenes.settings import Setting
from jumok.data.scenes.things import Box, Thing, around

CLOSE = 0.06
"""Groups are next to each other up to this gap."""

OVER = 0.03
"""How far the middle of an upper group may be beside the box that it is above."""

ON = 0.04
"""How far from a surface the foot of what stands on it may be."""

SLACK = 0.025
"""In practice scenes, moving any of these borders by so much changes nothing."""


@dataclass(frozen=True)
class Group:
    """Objects that are told together; `members` are their numbers in the scene, from left to right."""

    kind: str
    colour: str
    size: str
    members: tuple[int, ...]
    box: Box

    @property
    def of_kind(self) -> Kind:
        """Their kind, with words."""
        return words().kinds[self.kind]


@dataclass(frozen=True)
class Clause:
    """Where one group is: in a relation to others, or in a lane."""

    figure: Group
    relation: str
    anchors: tuple[Group, ...] = ()
    known: bool = False
    lane: str = ""


def groups_of(things: Sequence[Thing]) -> list[Group]:
    """The groups of a picture, from left to right."""

    def key(number: int) -> tuple[str, str, str]:
        return things[number].kind, things[number].colour, things[number].size

    found = []
    for (kind, colour, size), same in groupby(sorted(range(len(things)), key=key), key):
        members = tuple(sorted(same, key=lambda number: things[number].x))
        found.append(Group(kind, colour, size, members, around([things[number].box for number in members])))
    return sorted(found, key=lambda group: (group.box.x, group.box.y))


def lane_of(setting: Setting, box: Box, slack: float = 0.0) -> str:
    """The lane of a setting that a box is in."""
    if box.bottom < setting.horizon + slack:
        return setting.upper
    return setting.deep if setting.deep and box.top > setting.waterline + slack else setting.lower


def place_of(lane: str, kind: Kind) -> str:
    """The lane by which an object is told: what cannot hang on a wall is in the air."""
    return "air" if lane == "wall" and "wall" not in kind.places else lane


def relation(figure: Box, anchor: Box, slack: float = 0.0) -> str:
    """How one box lies to another: left, right, next, above or below."""
    across, down = figure.gap(anchor)
    if across - down < slack:
        return "above" if figure.y < anchor.y else "below"
    if across < CLOSE + slack:
        return "next"
    return "left" if figure.x < anchor.x else "right"


def stands_on(things: Sequence[Thing], group: Group, support: Group, slack: float = 0.0) -> bool:
    """Whether every member of a group stands on the first of another."""
    surface = things[support.members[0]].surface
    if surface is None or group is support:
        return False
    boxes = [things[number].box for number in group.members]
    return all(abs(b.bottom - surface.top) < ON + slack and surface.left < b.x < surface.right for b in boxes)


def tell(setting: Setting, things: Sequence[Thing], slack: float = 0.0) -> tuple[Clause, ...]:
    """The clauses of a caption, in order; `slack` moves every border, to see whether one is near."""
    groups = groups_of(things)
    support: dict[Group, Group] = {}
    for group in groups:
        below = [other for other in groups if other not in support and stands_on(things, group, other, slack)]
        if below:
            support[group] = below[0]
    rows: dict[str, list[Group]] = {lane: [] for lane in setting.lanes}
    for group in groups:
        if group not in support:
            rows[lane_of(setting, group.box, slack)].append(group)
    ground = rows.pop(setting.lower)
    clauses = _row(ground, slack) if len(ground) > 1 else []
    told: set[Group] = {group for clause in clauses for group in (clause.figure, *clause.anchors)}
    for group, below_it in support.items():
        clauses.append(Clause(group, "on", (below_it,), below_it in told))
        told |= {group, below_it}
    others = []
    for lane, row in rows.items():
        base = _over(row[0], ground, slack) if len(row) == 1 and lane != "wall" else None
        if base is None:
            others += _row(row, slack) if len(row) > 1 else [Clause(g, "in", lane=lane) for g in row]
            continue
        figure, anchor, way = row[0], base, "above" if lane == setting.upper else "below"
        if base not in told and base.of_kind.rank > figure.of_kind.rank:
            figure, anchor, way = base, figure, "below" if way == "above" else "above"
        clauses.append(Clause(figure, way, (anchor,), anchor in told))
        told |= {figure, anchor}
    clauses += [Clause(group, "in", lane=setting.lower) for group in ground if group not in told]
    return tuple(clauses + others)


def _row(row: list[Group], slack: float = 0.0) -> list[Clause]:
    """The clauses of a lane with several groups."""
    if len(row) == 3:
        return [Clause(row[1], "between", (row[0], row[2]))]
    clauses = []
    for left, right in zip(row[::2], row[1::2], strict=True):
        figure, anchor = (right, left) if right.of_kind.rank > left.of_kind.rank else (left, right)
        clauses.append(Clause(figure, relation(figure.box, anchor.box, slack), (anchor,)))
    return clauses


def _over(group: Group, ground: list[Group], slack: float) -> Group | None:
    """The group of the lower lane that another one is over or under."""
    room = OVER + slack
    found = [base for base in ground if base.box.left - room < group.box.x < base.box.right + room]
    return min(found, key=lambda base: abs(base.box.x - group.box.x), default=None)
