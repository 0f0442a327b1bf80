"""All ways to cut many strings into pieces, as one graph that NumPy walks for all strings at once.

A node is a place between two characters of a string, an edge a piece that leads from one node to another.
Only sums and products of doubles in a fixed order are used, so the same comes out on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Hashes = npt.NDArray[np.uint64]


class Text:
    """Strings one after the other.

    codes: all characters. owners: the string of each. offsets: its place in that. left: characters from it to the end.
    """

    def __init__(self, strings: Sequence[str]) -> None:
        self.strings = strings
        self.lengths = np.array([len(string) for string in strings], np.int64)
        self.codes = np.frombuffer("".join(strings).encode("utf-32-le"), "<u4").astype(np.uint64)
        self.owners = np.repeat(np.arange(len(strings)), self.lengths)
        self.offsets = np.arange(len(self.codes)) - (np.cumsum(self.lengths) - self.lengths)[self.owners]
        self.left = self.lengths[self.owners] - self.offsets

    def substring(self, place: int, length: int) -> str:
        """`length` characters from `place` on."""
        start = int(self.offsets[place])
        return self.strings[int(self.owners[place])][start : start + length]

    def lengthened(self, hashes: Hashes, places: Ints, length: int) -> Hashes:
        """The hashes of the substrings of `length` at `places`, from those of `length - 1`."""
        return hashes * np.uint64(0x9E3779B97F4A7C15) + self.codes[places + (length - 1)] + np.uint64(1)


@dataclass(frozen=True)
class Lattice:
    """Edge `i` is the piece `pieces[i]` from node `starts[i]` to `ends[i]` of the string `owners[i]`.

    Edges are sorted by how many characters of their string they reach (`reached`), then by the node they lead to.
    first, last: the outer nodes of each string. Every single character of a string has to be a piece.
    """

    starts: Ints
    ends: Ints
    reached: Ints
    pieces: Ints
    owners: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(cls, strings: Sequence[str], pieces: Sequence[str]) -> Lattice:
        """The lattice of all pieces in all strings."""
        text, known = Text(strings), Text(pieces)
        places = np.arange(len(text.codes))
        hashes = np.zeros(len(places), np.uint64)
        sought = np.arange(len(pieces))
        begins = np.cumsum(known.lengths) - known.lengths
        sought_hashes = np.zeros(len(pieces), np.uint64)
        found: list[tuple[Ints, Ints, Ints]] = []
        for length in range(1, int(known.lengths.max(initial=0)) + 1):
            fits, long = text.left[places] >= length, known.lengths[sought] >= length
            places, sought = places[fits], sought[long]
            hashes = text.lengthened(hashes[fits], places, length)
            sought_hashes = known.lengthened(sought_hashes[long], begins[sought], length)
            here = known.lengths[sought] == length
            by_hash = np.argsort(sought_hashes[here], kind="stable")
            table, ids = sought_hashes[here][by_hash], sought[here][by_hash]
            if not len(table):
                continue
            slots = np.minimum(np.searchsorted(table, hashes), len(table) - 1)
            hit = table[slots] == hashes
            found.append((places[hit], np.full(int(hit.sum()), length), ids[slots[hit]]))
        at, lengths, ids = (np.concatenate(column) for column in zip(*found, strict=True))
        owners = text.owners[at]
        starts = at + owners  # a string has one node more than it has characters
        order = np.lexsort((starts, starts + lengths, text.offsets[at] + lengths))
        last = np.cumsum(text.lengths + 1) - 1
        return cls(
            starts[order],
            (starts + lengths)[order],
            (text.offsets[at] + lengths)[order],
            ids[order],
            owners[order],
            last - text.lengths,
            last,
        )

    def keep(self, edges: npt.NDArray[np.bool_]) -> Lattice:
        """The lattice with some of its edges."""
        return replace(
            self,
            starts=self.starts[edges],
            ends=self.ends[edges],
            reached=self.reached[edges],
            pieces=self.pieces[edges],
            owners=self.owners[edges],
        )

    def renumbered(self, numbers: Ints) -> Lattice:
        """The lattice with other numbers for its pieces."""
        return replace(self, pieces=numbers[self.pieces])

    def forward(self, chances: Floats, join: np.ufunc = np.add) -> Floats:
        """For each node the sum (or `join`) over the ways to it; a way is the product of its pieces' chances."""
        nodes = np.zeros(int(self.last[-1]) + 1)
        nodes[self.first] = 1.0
        for edges in self._steps():
            ends = self.ends[edges]
            groups = np.flatnonzero(np.diff(ends, prepend=-1))
            nodes[ends[groups]] = join.reduceat(nodes[self.starts[edges]] * chances[self.pieces[edges]], groups)
        return nodes

    def backward(self, chances: Floats) -> Floats:
        """For each node the sum over the ways from it to its string's end."""
        nodes = np.zeros(int(self.last[-1]) + 1)
        nodes[self.last] = 1.0
        for edges in reversed(self._steps()):  # no two edges of one step start at the same node
            nodes[self.starts[edges]] += nodes[self.ends[edges]] * chances[self.pieces[edges]]
        return nodes

    def expected(self, chances: Floats, counts: Floats) -> Floats:
        """How often each piece is used, over all ways to cut the strings, which are there `counts` times each."""
        forward, backward = self.forward(chances), self.backward(chances)
        used = forward[self.starts] * chances[self.pieces] * backward[self.ends]
        used *= (counts / forward[self.last])[self.owners]
        return np.bincount(self.pieces, used, len(chances)).astype(np.float64)

    def _steps(self) -> list[slice]:
        cuts = np.flatnonzero(np.diff(self.reached, prepend=-1, append=-1)).tolist()
        return [slice(start, end) for start, end in pairwise(cuts)]
