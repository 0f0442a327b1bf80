"""What is to come through a translation unchanged: numbers, placeholders, tags. Attention says where it belongs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

PATTERNS: Mapping[str, str] = {
    "tags": r"</?[A-Za-z][^<>]*>",
    "placeholders": r"\$?\{\{?[^{}]*\}?\}|%\([^()]*\)[a-z]|%[sd]|\$\d+",
    "numbers": r"\d+(?:[.,:/-]\d+)*",
}
"""What can be protected, and how it is recognised."""

_PUNCTUATION = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


class Held(NamedTuple):
    """Something that is protected: what it is, the source word that it belongs to, and how."""

    kind: str
    text: str
    word: int
    """Of the source without tags: what it is, or for a tag the word that it stands before (or behind, at a closing)."""


@dataclass(frozen=True)
class Protected:
    """A source without its tags, and what must be found in the translation."""

    text: str
    held: tuple[Held, ...] = field(default=())

    def put_into(self, text: str, links: Mapping[int, int]) -> str:
        """The translation with all that is protected; `links` are its words with the source word each looked at."""
        words = text.split(" ") if text else []
        links = dict(links)
        for one in self.held:
            if one.kind != "tags":
                _put_word(one, words, links)
        before: dict[int, list[str]] = {}
        behind: dict[int, list[str]] = {}
        opened: list[Held] = []
        for one in (held for held in self.held if held.kind == "tags"):
            if one.text.startswith("</") and opened:
                first = opened.pop()
                inside = _linked(links, range(first.word, one.word + 1))
                before.setdefault(min(inside, default=len(words)), []).append(first.text)
                behind.setdefault(max(inside, default=len(words)), []).append(one.text)
            elif one.text.startswith("</") or one.text.endswith("/>"):
                behind.setdefault(max(_linked(links, range(one.word + 1)), default=len(words)), []).append(one.text)
            else:
                opened.append(one)
        for one in opened:
            before.setdefault(min(_linked(links, [one.word]), default=len(words)), []).append(one.text)
        tagged = [
            "".join(reversed(before.get(place, []))) + word + "".join(behind.get(place, []))
            for place, word in enumerate(words)
        ]
        end = "".join([*before.get(len(words), []), *behind.get(len(words), [])])
        return " ".join(tagged) + end


class Protection:
    """Which kinds are protected: of `tags`, `placeholders`, `numbers`."""

    def __init__(self, kinds: Sequence[str] = ()) -> None:
        for kind in kinds:
            if kind not in PATTERNS:
                raise ValueError(f"protect: unknown {kind!r}; known: {', '.join(PATTERNS)}")
        self.kinds = tuple(kind for kind in PATTERNS if kind in kinds)

    def taken_from(self, text: str) -> Protected:
        """The text without its tags, and what was found in it."""
        held: list[Held] = []
        if "tags" in self.kinds:
            text = self._without_tags(text, held)
        for kind in self.kinds:
            if kind == "tags":
                continue
            for number, word in enumerate(text.split(" ")):
                if re.fullmatch(PATTERNS[kind], core := _core(word)) and not any(core == one.text for one in held):
                    held.append(Held(kind, core, number))
        return Protected(text, tuple(held))

    @staticmethod
    def _without_tags(text: str, held: list[Held]) -> str:
        words: list[str] = []
        for number, piece in enumerate(re.split(f"({PATTERNS['tags']})", text)):
            if number % 2:
                closing = piece.startswith("</") or piece.endswith("/>")
                held.append(Held("tags", piece, max(0, len(words) - 1) if closing else len(words)))
            else:
                words += piece.split()
        return " ".join(words)


def _core(word: str) -> str:
    """A word without the sentence's punctuation around it; brackets of placeholders stay."""
    return word.strip(".,;:!?\"'()[]…。、")


def _linked(links: Mapping[int, int], sources: Sequence[int]) -> list[int]:
    """The words of the translation that looked at these words of the source."""
    return [target for target, source in links.items() if source in sources]


def _put_word(one: Held, words: list[str], links: dict[int, int]) -> None:
    """Write a number or placeholder over the word that looked at it, or behind its nearest neighbour."""
    if any(_core(word) == one.text for word in words):
        return
    places = [place for place in _linked(links, [one.word]) if place < len(words)]
    if places:
        matched = _PUNCTUATION.match(words[places[0]])
        assert matched is not None
        words[places[0]] = f"{matched[1]}{one.text}{matched[3]}"
        return
    nearest = [place for place, source in links.items() if source < one.word and place < len(words)]
    place = max(nearest, default=-1) + 1
    words.insert(place, one.text)
    moved = {(target if target < place else target + 1): source for target, source in links.items()}
    links.clear()
    links.update(moved | {place: one.word})
