"""Protected text back into a translation: where it stands, or where the words that looked at it say that it belongs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

Piece = tuple[str, bool]
"""A part of a word, and whether it is protected."""

Word = list[Piece]

Links = dict[int, int]
"""Words of the translation with the source word that each looked at."""

_MARKS = ".,;:!?\"'()[]…。、！？“”‘’«»「」"


def around(word: str) -> tuple[str, str, str]:
    """A word, and the sentence's punctuation before and behind it; brackets of placeholders are its own.

    >>> around('("사과".)')
    ('("', '사과', '".)')
    """
    core = word.strip(_MARKS)
    begin = len(word) - len(word.lstrip(_MARKS)) if core else 0
    return word[:begin], core, word[begin + len(core) :]


def words_of(text: str) -> list[Word]:
    """The words of a text, with nothing protected in them."""
    return [[(word, False)] for word in text.split(" ")] if text else []


def read(word: Word) -> str:
    """The word as it is written."""
    return "".join(text for text, _ in word)


def linked(links: Links, sources: Collection[int]) -> list[int]:
    """The words of the translation that looked at these words of the source, in their order."""
    return sorted(target for target, source in links.items() if source in sources)


def keep(text: str, sources: range, words: list[Word], links: Links, pattern: re.Pattern[str]) -> bool:
    """Protect a text that is there, at a word that looked at its source or else the first; whether there is one."""
    near = [place for place in linked(links, sources) if place < len(words)]
    for place in dict.fromkeys([*near, *range(len(words))]):
        several = words[place : place + len(sources)]  # a placeholder may have blanks
        joined = [(" ".join(map(read, several)), False)] if len(sources) > 1 and _is_free(several) else words[place]
        if _write(joined, text, pattern, only=text):
            words[place] = joined
            words[place + 1 : place + len(sources)] = [[] for _ in several[1:]]
            return True
    return False


def put_back(text: str, sources: range, words: list[Word], links: Links, like: re.Pattern[str], over_all: bool) -> None:
    """Write a text that is missing: over what is like it in a word that looked at its source, or beside.

    over_all: where nothing is like it, it may take the place of all of such a word but its punctuation.
    """
    places = [place for place in linked(links, sources) if place < len(words)]
    if any(_write(words[place], text, like) for place in places):
        return
    free = [place for place in places if _is_free([words[place]])]
    if over_all and free:
        before, _, behind = around(read(words[free[0]]))
        words[free[0]] = [(before, False), (text, True), (behind, False)]
        return
    if places:
        place = next(iter(free), places[-1] + 1)
    else:
        earlier = [
            (source, target) for target, source in links.items() if source < sources.start and target < len(words)
        ]
        place = max(earlier, default=(0, -1))[1] + 1
    _insert(place, text, words)
    moved = {(target if target < place else target + 1): source for target, source in links.items()}
    links.clear()
    links.update(moved | {place: sources.start})


def _insert(place: int, text: str, words: list[Word]) -> None:
    """A word of its own at this place; at the end, before the punctuation of the sentence."""
    behind = ""
    if words and place == len(words) and _is_free(words[-1:]):
        before, core, behind = around(read(words[-1]))
        words[-1] = [(before + core, False)]
    words.insert(place, [(text, True), (behind, False)])


def _write(word: Word, text: str, pattern: re.Pattern[str], only: str | None = None) -> bool:
    """Write a protected text over the first that the pattern finds in a word, or the first that is `only` this."""
    for place, (piece, kept) in enumerate(word):
        for found in () if kept else pattern.finditer(piece):
            if only is None or found.group() == only:
                word[place : place + 1] = [(piece[: found.start()], False), (text, True), (piece[found.end() :], False)]
                return True
    return False


def _is_free(words: Iterable[Word]) -> bool:
    """Whether nothing in these words is protected."""
    return not any(kept for word in words for _, kept in word)
