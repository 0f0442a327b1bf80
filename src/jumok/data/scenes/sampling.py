"""The practice pictures as data: scenes by number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count as numbers

from jumok.data.korean.dice import Dice, Weights
from jumok.data.scenes.lexicon import Kind, is_held_out, words
from jumok.data.scenes.placing import Wish, place
from jumok.data.scenes.scene import MOST, Scene
from jumok.data.scenes.settings import LOOKS, SETTINGS, Setting

VERSION = "1"
"""The version of drawings, words and rules; any change to the scenes or their captions raises it."""

_PARTS: dict[int, Weights[tuple[int, ...]]] = {
    1: Weights({(1,): 1.0}),
    2: Weights({(1, 1): 4.0, (2,): 1.0}),
    3: Weights({(1, 1, 1): 4.0, (2, 1): 3.0, (3,): 1.0}),
    4: Weights({(1, 1, 1, 1): 4.0, (2, 1, 1): 4.0, (2, 2): 1.5, (3, 1): 1.5, (4,): 0.5}),
}
_LANES = {
    "room": Weights({"lower": 3.0, "upper": 1.0}),
    "sea": Weights({"lower": 1.0, "deep": 1.2, "upper": 0.8}),
    "night": Weights({"lower": 1.0, "upper": 1.4}),
}
_OUTDOORS = Weights({"lower": 2.0, "upper": 1.0})
_SETTINGS = Weights(
    {setting: {"room": 2.2, "meadow": 1.4, "street": 1.3}.get(setting.name, 1.0) for setting in SETTINGS.values()}
)
_SIZES = Weights({"small": 1.0, "middle": 1.3, "large": 1.0})
_SUPPORT, _ON, _SAME_KIND = 0.5, 0.7, 0.15
_DARK = frozenset(("hill", "night"))


class Scenes:
    """An endless collection of scenes; scene `number` follows from the seed, the number and the settings alone.

    >>> scene = Scenes(seed=0).scene(5, objects=(2, 2))
    >>> scene == Scenes(seed=0).scene(5, objects=(2, 2))
    True
    """

    def __init__(self, seed: int = 0, size: int = 128) -> None:
        self.seed = seed
        self.size = size

    def scene(self, number: int, *, objects: tuple[int, int] = (1, MOST), held_out: bool = False) -> Scene:
        """Scene `number`, with a number of objects in this range; all numbers come about equally often.

        A scene for training has no colour of a kind that is held out, one with `held_out` has at least one.
        """
        low, high = objects
        if not 1 <= low <= high <= MOST:
            raise ValueError(f"objects must satisfy 1 <= least <= most <= {MOST}, not {low} and {high}")
        dice = Dice(f"scenes {VERSION} {self.seed} {number} {low} {high} {held_out}")
        count = low + dice.below(high - low + 1)
        while True:
            setting, look = dice.weighted(_SETTINGS), dice.below(LOOKS)
            for _ in range(8):
                wishes = _wishes(dice, setting, count, held_out)
                things = place(dice, setting, wishes) if wishes else None
                if things is not None:
                    return Scene(setting.name, things, look, self.size)

    def scenes(self, count: int, *, objects: tuple[int, int] = (1, MOST), held_out: bool = False) -> Iterator[Scene]:
        """Yields the first `count` scenes."""
        return (self.scene(number, objects=objects, held_out=held_out) for number in range(count))

    def __iter__(self) -> Iterator[Scene]:
        return (self.scene(number) for number in numbers())


def _wishes(dice: Dice, setting: Setting, count: int, held_out: bool) -> tuple[Wish, ...]:
    """What a scene shall have; nothing where the lanes that were drawn do not offer it."""
    wishes: list[Wish] = []
    parts = dice.weighted(_PARTS[count])
    special = dice.below(len(parts)) if held_out else -1
    for position, members in enumerate(reversed(parts)):
        on = _support(wishes) if dice.chance(_ON) else None
        lane = getattr(setting, dice.weighted(_LANES.get(setting.name, _OUTDOORS)))
        kinds = _kinds({on.kind} if on else {lane, f"{lane}:{setting.name}"})
        if not wishes and lane == "floor" and len(parts) > 1 and dice.chance(_SUPPORT):
            kinds = [kind for kind in kinds if kind.surface]
        kinds = _other_kinds(dice, kinds, members, wishes)
        wish = _wish(dice, kinds, members, setting.lower if on else lane, on, position == special)
        if wish is None or any(_look_same(wish, other) for other in wishes):
            return ()
        wishes.append(wish)
    return tuple(wishes)


def _support(wishes: list[Wish]) -> Wish | None:
    """A table, a bed or a chair on which nothing stands yet."""
    found = [wish for wish in wishes if words().kinds[wish.kind].surface and wish.count == 1]
    return found[0] if found and not any(wish.on for wish in wishes) else None


@cache
def _homes(kind: Kind) -> frozenset[str]:
    """The settings in which a kind may be; what is at home in many comes less often in each."""
    named = {name for name, s in SETTINGS.items() for lane in s.lanes if kind.places & {lane, f"{lane}:{name}"}}
    return frozenset(named)


def _kinds(places: set[str]) -> list[Kind]:
    return [kind for kind in words().kinds.values() if places & kind.places]


def _other_kinds(dice: Dice, kinds: list[Kind], members: int, before: list[Wish]) -> list[Kind]:
    """The kinds that are not in the scene yet or, now and then, those that are; never a second sun."""
    taken = {wish.kind for wish in before}
    again = [kind for kind in kinds if kind.name in taken and "single" not in kind.tags]
    if again and dice.chance(_SAME_KIND):
        return again
    return [kind for kind in kinds if kind.name not in taken and (members == 1 or "single" not in kind.tags)]


def _wish(dice: Dice, kinds: list[Kind], members: int, lane: str, on: Wish | None, held_out: bool) -> Wish | None:
    """Some of these kinds in a colour and a size; None where none has a colour that may be."""
    weights: dict[tuple[Kind, tuple[str, ...]], float] = {}
    for kind in kinds:
        colours = [colour for colour in kind.colours if is_held_out(colour, kind.name) == held_out]
        if lane in _DARK and "black" in colours:
            colours.remove("black")
        if colours:
            weights[kind, tuple(colours)] = 1 / len(_homes(kind))
    if not weights:
        return None
    kind, among = dice.weighted(Weights(weights))
    return Wish(kind.name, dice.pick(among), dice.weighted(_SIZES), members, lane, on)


def _look_same(one: Wish, other: Wish) -> bool:
    return (one.kind, one.colour, one.size) == (other.kind, other.colour, other.size)
