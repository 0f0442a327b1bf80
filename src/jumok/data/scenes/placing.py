"""Where the objects of a practice scene go: in rows, apart, and so that no relation is a close call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations

from jumok.data.korean.dice import Dice
from jumok.data.scenes.lexicon import words
from jumok.data.scenes.settings import Setting
from jumok.data.scenes.telling import SLACK, tell
from jumok.data.scenes.things import Thing

_MARGIN = 0.012
_ROOM = 1 - 2 * _MARGIN
_FAR, _NEAR = 0.05, 0.11


@dataclass(frozen=True)
class Wish:
    """Objects that a scene shall have: so many of a kind, colour and size in a lane; `on` is the wish they stand on."""

    kind: str
    colour: str
    size: str
    count: int
    lane: str
    on: Wish | None = None

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of one."""
        return words().kinds[self.kind].extent(self.size)


def place(dice: Dice, setting: Setting, wishes: Sequence[Wish]) -> tuple[Thing, ...] | None:
    """The objects at places, or None where this try gave no clear picture."""
    placed: dict[Wish, list[Thing]] = {}
    for lane in setting.lanes:
        row = [wish for wish in wishes if wish.lane == lane and wish.on is None]
        if row and not _place_row(dice, setting, lane, row, placed):
            return None
    for wish in wishes:
        if wish.on is not None and not _place_on(dice, wish, placed[wish.on][0], placed):
            return None
    things = tuple(thing for wish in wishes for thing in placed[wish])
    supported = {id(thing): id(placed[wish.on][0]) for wish in wishes if wish.on for thing in placed[wish]}
    for one, other in combinations(things, 2):
        on_it = supported.get(id(one)) == id(other) or supported.get(id(other)) == id(one)
        if not on_it and max(one.box.gap(other.box)) < _MARGIN / 2:
            return None
    told = tell(setting, things)
    return things if told == tell(setting, things, SLACK) == tell(setting, things, -SLACK) else None


def _between(dice: Dice, low: float, high: float) -> float:
    return low + (high - low) * dice.below(1000) / 999


def _total(values: Sequence[float]) -> float:
    """The sum as every version of Python adds; its own `sum` is more exact since 3.12."""
    *_, total = accumulate(values, initial=0.0)
    return total


def _place_row(dice: Dice, setting: Setting, lane: str, row: list[Wish], placed: dict[Wish, list[Thing]]) -> bool:
    """Places the wishes of a lane side by side; False where they do not fit."""
    order = [row[number] for number in sorted(range(len(row)), key=lambda _: dice.below(1 << 20))]
    inner = [_between(dice, 0.016, 0.045) for _ in order]
    widths = [w.count * w.extent[0] + (w.count - 1) * gap for w, gap in zip(order, inner, strict=True)]
    close = len(order) == 2 and dice.chance(0.35)
    gaps = [_between(dice, 0.014, 0.032) if close else 0.095 for _ in order[1:]]
    spare = _ROOM - _total(widths) - _total(gaps)
    if spare < 0:
        return False
    shares = [dice.below(1000) for _ in range(len(order) + 1)]
    if close:
        shares[1:-1] = [0] * (len(shares) - 2)
    steps = [spare * share / max(sum(shares), 1) for share in shares]
    tall = max(wish.extent[1] for wish in order)
    level = _level(dice, setting, lane, tall)
    if level is None:
        return False
    x = _MARGIN + steps[0]
    for number, wish in enumerate(order):
        width, height = wish.extent
        things = []
        for _ in range(wish.count):
            y = level + _between(dice, -0.025, 0.025)
            if lane == setting.lower:
                y = _depth(setting, wish, y) - height / 2
            y = min(max(y, _MARGIN + height / 2), 1 - _MARGIN - height / 2)
            mirrored = dice.chance(0.5)
            things.append(Thing(wish.kind, wish.colour, wish.size, round(x + width / 2, 3), round(y, 3), mirrored))
            x += width + inner[number]
        placed[wish] = things
        if number < len(order) - 1:
            x += gaps[number] + steps[number + 1] - inner[number]
    return True


def _depth(setting: Setting, wish: Wish, foot: float) -> float:
    """Where something stands: landmarks stand back, cars and buses come forward to the road."""
    kind, back = words().kinds[wish.kind], setting.standing[0]
    return min(foot, back + _FAR) if kind.rank == 0 else max(foot, back + _NEAR) if "near" in kind.tags else foot


def _level(dice: Dice, setting: Setting, lane: str, tall: float) -> float | None:
    """The height of a row: of its feet in the lower lane, of its middle in the others; None where it is too tall."""
    if lane == setting.lower:
        low, high = setting.standing
        return _between(dice, low, high) if tall < high else None
    top, bottom = setting.flying if lane == setting.upper else (setting.waterline + 0.04, 0.985)
    low, high = top + tall / 2 + 0.025, bottom - tall / 2 - 0.025
    return _between(dice, low, high) if low <= high else None


def _place_on(dice: Dice, wish: Wish, support: Thing, placed: dict[Wish, list[Thing]]) -> bool:
    """Places a wish on a table, a bed or a chair; False where there is no room."""
    surface, (width, height) = support.surface, wish.extent
    if surface is None:
        return False
    room = surface.right - surface.left + 0.06 - wish.count * (width + 0.012)
    if room < 0:
        return False
    x = surface.left - 0.03 + 0.006 + _between(dice, 0, room)
    placed[wish] = [
        Thing(
            wish.kind,
            wish.colour,
            wish.size,
            round(x + width / 2 + number * (width + 0.012), 3),
            round(surface.top - height / 2, 3),
            dice.chance(0.5),
        )
        for number in range(wish.count)
    ]
    return True
