"""The words of the practice pictures, read from the tables in `words/`, and what may be where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from jumok.core.names import unknown
from jumok.data import hangul
from jumok.data.scenes.drawings import Drawing, drawings
from jumok.data.scenes.pen import Tone

SIZES = {"small": 0.7, "middle": 1.0, "large": 1.45}
"""How large a size is drawn, against the middle one. The middle size is not said."""

HELD_OUT_OF = 12
"""One combination of a colour and a kind in so many is held out."""


@dataclass(frozen=True, eq=False)
class Colour:
    """A colour: what English and Korean call it, and its tone."""

    english: str
    korean: str
    tone: Tone

    @property
    def is_noun(self) -> bool:
        """Whether Korean says it with a noun (초록색) and not with an adjective (빨간)."""
        return self.korean.endswith("색")

    @property
    def before_noun(self) -> str:
        """How Korean says it before a noun: 초록색, 빨간."""
        return self.korean if self.is_noun else hangul.conjugate(self.korean, "ㅎ", "(으)ㄴ")


@dataclass(frozen=True, eq=False)
class Surface:
    """Where things stand on a table, a bed or a chair, in shares of its box (one that is not mirrored)."""

    height: float
    left: float
    right: float


_SURFACES = {"table": Surface(0.12, 0.08, 0.92), "bed": Surface(0.56, 0.36, 0.86), "chair": Surface(0.56, 0.3, 0.86)}


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of object: its words, how large it is drawn, its colours, and the lanes and surfaces that it may have."""

    name: str
    plural: str
    korean: str
    counter: str
    reach: float
    rank: int
    colours: tuple[str, ...]
    places: frozenset[str]
    tags: frozenset[str]
    drawing: Drawing

    @property
    def surface(self) -> Surface | None:
        """What others may stand on, if anything."""
        return _SURFACES.get(self.name)

    def extent(self, size: str) -> tuple[float, float]:
        """Width and height at a size, in widths of the picture."""
        unit = self.reach * SIZES[size] / max(self.drawing.width, self.drawing.height)
        return self.drawing.width * unit, self.drawing.height * unit


@dataclass(frozen=True, eq=False)
class Lane:
    """A part of a setting, and how it is called."""

    name: str
    english: str
    korean: str


@dataclass(frozen=True, eq=False)
class Words:
    """All tables."""

    colours: dict[str, Colour]
    kinds: dict[str, Kind]
    lanes: dict[str, Lane]

    def kind(self, name: str) -> Kind:
        """The kind of this name."""
        if name not in self.kinds:
            raise ValueError(unknown("kind of object", name, self.kinds))
        return self.kinds[name]


def _rows(name: str) -> Iterator[list[str]]:
    for line in files(__package__).joinpath("words").joinpath(name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("  ")


def _read_kinds() -> Iterator[Kind]:
    rank = -1
    for row in _rows("kinds.txt"):
        if row[0].startswith("["):
            rank += 1
            continue
        name, plural, korean, counter, reach, colours, places, *tags = row
        counter, tagged = counter.strip("-"), frozenset(" ".join(tags).split())
        yield Kind(
            name,
            plural,
            korean,
            counter,
            float(reach),
            rank,
            tuple(colours.split()),
            frozenset(places.split()),
            tagged,
            drawings()[name],
        )


@cache
def words() -> Words:
    """The one set of tables, read when it is first asked for."""
    colours = {}
    for name, korean, tone in _rows("colours.txt"):
        red, green, blue = map(int, tone.split())
        colours[name] = Colour(name, korean, (red, green, blue))
    kinds = {kind.name: kind for kind in _read_kinds()}
    return Words(colours, kinds, {row[0]: Lane(*row) for row in _rows("lanes.txt")})


@cache
def is_held_out(colour: str, kind: str) -> bool:
    """Whether a colour of a kind is kept out of training: about one combination in twelve, by a hash of its words.

    A kind that has one colour only is never held out.
    """
    digest = blake2b(f"kept out {colour} {kind}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % HELD_OUT_OF == 0 and len(words().kind(kind).colours) > 1
