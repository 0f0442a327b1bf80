"""What is to come through a translation unchanged: numbers, placeholders, tags."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jumok.systems.restoring import Links, Word, around, keep, linked, put_back, read, words_of

PATTERNS: Mapping[str, str] = {
    "tags": r"</?[A-Za-z][^<>]*>",
    "placeholders": r"\$?\{\{?[^{}]*\}?\}|%\([^()]*\)[a-z]|%[sd]|\$\d+",
    "numbers": r"(?:(?<!\w)[+\-−])?\d+(?:[.,:/-]\d+)*(?!(?:[.,:/-]?\d)*(?:st|nd|rd|th)\b)%?",
}
"""What can be protected, and how it is recognised, inside words as well: 3 in 3개를; 1st is a word, and no number."""

_BREAKS = re.compile(r"</?(?:br|hr|p|div|li|ul|ol|table|tr|td|th|h\d)\b", re.IGNORECASE)
"""Tags between which words end; all others may stand inside one."""


class Held(NamedTuple):
    """Something that is protected: what it is, and the source word that it belongs to."""

    kind: str
    text: str
    word: int
    """Of the source without tags: where it begins; for a tag the word that it stands before, or behind at a closing."""
    whole: bool = False
    """Whether there is nothing else in the word but punctuation."""

    @property
    def words(self) -> range:
        """All words of the source that it is in."""
        return range(self.word, self.word + self.text.count(" ") + 1)


@dataclass(frozen=True)
class Protected:
    """A source without its tags, and what must be found in the translation.

    Attention says where it belongs. What it cannot know: that a number was written as a word (3 of 3개 then stands
    beside a "three"), that another language writes 1,000 as 1.000, and where inside a word a tag stood.
    """

    text: str
    held: tuple[Held, ...] = field(default=())

    def put_into(self, text: str, links: Mapping[int, int]) -> str:
        """The translation with all that is protected; `links` are its words with the source word each looked at.

        Each is looked for first; then what is missing is written over a number or an unknown word that looked at its
        word, over any word that did if it was a word of its own, and else beside.
        """
        words, links = words_of(text), dict(links)
        missing = []
        for kind in ("placeholders", "numbers"):
            pattern = re.compile(PATTERNS[kind])
            missing += [
                one for one in self.held if one.kind == kind and not keep(one.text, one.words, words, links, pattern)
            ]
        for one in missing:
            put_back(one.text, one.words, words, links, re.compile(f"{PATTERNS[one.kind]}|⁇"), one.whole)
        return self._tagged(words, links)

    def _tagged(self, words: Sequence[Word], links: Links) -> str:
        """The words with the tags around those that looked inside them."""
        before: dict[int, list[str]] = {}
        behind: dict[int, list[str]] = {}
        opened: list[Held] = []
        for one in (held for held in self.held if held.kind == "tags"):
            if one.text.startswith("</") and opened:
                first = opened.pop()
                inside = linked(links, range(first.word, one.word + 1))
                before.setdefault(min(inside, default=len(words)), []).append(first.text)
                behind.setdefault(max(inside, default=len(words)), []).append(one.text)
            elif one.text.startswith("</") or one.text.endswith("/>"):
                behind.setdefault(max(linked(links, range(one.word + 1)), default=len(words)), []).append(one.text)
            else:
                opened.append(one)
        for one in opened:
            before.setdefault(min(linked(links, [one.word]), default=len(words)), []).append(one.text)
        tagged = [
            "".join(reversed(before.get(place, []))) + read(word) + "".join(behind.get(place, []))
            for place, word in enumerate(words)
        ]
        end = "".join([*before.get(len(words), []), *behind.get(len(words), [])])
        return " ".join(filter(None, tagged)) + end


class Protection:
    """Which kinds are protected: of `tags`, `placeholders`, `numbers`."""

    def __init__(self, kinds: Sequence[str] = ()) -> None:
        for kind in kinds:
            if kind not in PATTERNS:
                raise ValueError(f"protect: unknown {kind!r}; known: {', '.join(PATTERNS)}")
        self.kinds = tuple(kind for kind in PATTERNS if kind in kinds)

    def taken_from(self, text: str) -> Protected:
        """The text without its tags, and what was found in it, each as often as it is there."""
        held: list[Held] = []
        if "tags" in self.kinds:
            text = self._without_tags(text, held)
        named = "|".join(f"(?P<{kind}>{PATTERNS[kind]})" for kind in self.kinds if kind != "tags")
        for found in re.finditer(named, text) if named else ():
            start, end = text.rfind(" ", 0, found.start()) + 1, text.find(" ", found.end())
            whole = around(text[start : None if end < 0 else end])[1] == found.group()
            held.append(Held(found.lastgroup or "", found.group(), text.count(" ", 0, found.start()), whole))
        return Protected(text, tuple(held))

    @staticmethod
    def _without_tags(text: str, held: list[Held]) -> str:
        plain = ""
        for number, piece in enumerate(re.split(f"({PATTERNS['tags']})", text)):
            if number % 2 == 0:
                plain += piece
                continue
            breaks = _BREAKS.match(piece) is not None
            inside = not breaks and plain[-1:].strip() != ""  # a word that has begun goes on behind it
            closing = piece.startswith("</") or piece.endswith("/>")
            begun = len(plain.split())
            held.append(Held("tags", piece, max(0, begun - 1) if closing or inside else begun))
            plain += " " if breaks else ""
        return " ".join(plain.split())
