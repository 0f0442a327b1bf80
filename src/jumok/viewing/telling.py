"""A caption word by word: what each panel and frame says, with its word underlined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jumok.viewing.map import SPECIAL, AttentionMap, Weights
from jumok.viewing.overlay import opened, regions
from jumok.viewing.text import ems, shown

if TYPE_CHECKING:
    from PIL.Image import Image

Line = list[int]
"""The numbers of the words in a line."""

_GLUED = frozenset(",.!?;:%)]}…。、")


@dataclass(frozen=True, eq=False)
class Told:
    """A caption over its picture. weights: `(words, height, width)`. glued: whether no space stands before a word."""

    title: str
    words: tuple[str, ...]
    glued: tuple[bool, ...]
    weights: Weights
    picture: Image

    @classmethod
    def of(cls, look: AttentionMap) -> Told:
        """What a map over a picture tells, pieces joined to words, without the end."""
        if look.picture is None or look.grid is None:
            raise ValueError("this map is not one over a picture; save it as .svg, .html, .png, .pdf or .json")
        merged = look.select().words()
        kept = [row for row, word in enumerate(merged.row_words) if word != SPECIAL]
        words = tuple(shown(merged.rows[row]) for row in kept)
        glued = tuple(number > 0 and set(word) <= _GLUED for number, word in enumerate(words))
        return cls(shown(look.title), words, glued, regions(merged)[kept], opened(look.picture))

    def lines(self, width: float) -> list[Line]:
        """The caption in lines of at most `width` ems."""
        lines: list[Line] = [[]]
        used = 0.0
        for number, word in enumerate(self.words):
            space = 0.0 if self.glued[number] or not lines[-1] else ems(" ")
            if lines[-1] and not self.glued[number] and used + space + ems(word) > width:
                lines.append([])
                used, space = 0.0, 0.0
            lines[-1].append(number)
            used += space + ems(word)
        return lines

    def text(self, line: Sequence[int]) -> str:
        """Some words in a row, as they are written."""
        return "".join(("" if self.glued[number] or number == line[0] else " ") + self.words[number] for number in line)

    def around(self, line: Line, word: int) -> tuple[str, str, str]:
        """A line cut in three: what stands before a word, the word, and what stands behind it."""
        if word not in line:
            return self.text(line), "", ""
        place = line.index(word)
        before, whole = self.text(line[:place]), self.text(line)
        upto = self.text(line[: place + 1])
        start = len(upto) - len(self.words[word])
        return whole[:start] if before else "", self.words[word], whole[len(upto) :]
