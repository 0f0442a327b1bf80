"""Word alignments as text, in the format of Pharaoh: a line a sentence, a link `source-target`, as in `0-0 1-2 2?1`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from jumok.core.files import write_whole

Links = frozenset[tuple[int, int]]
"""(source word, target word), counted from 0."""

_LINK = re.compile(r"(\d+)([-?p])(\d+)", flags=re.ASCII)


class Gold(NamedTuple):
    """What people say of one sentence: links that must be there, and others that may; no link is in both."""

    sure: Links
    possible: Links = frozenset()


def parse_alignment(line: str, first: int = 0) -> Gold:
    """The links of one line: `i-j` is sure, `i?j` and `ipj` are possible; words count from `first`, 0 or 1.

    >>> gold = parse_alignment("1-1 2-3 3?2", first=1)
    >>> sorted(gold.sure), sorted(gold.possible)
    ([(0, 0), (1, 2)], [(2, 1)])
    """
    _check_first(first)
    found: dict[bool, set[tuple[int, int]]] = {True: set(), False: set()}
    for link in line.split():
        match = _LINK.fullmatch(link)
        if match is None:
            raise ValueError(f"{link!r} is no link; write 0-0 where it is sure, 0?0 where it is possible")
        source, target = int(match[1]) - first, int(match[3]) - first
        if min(source, target) < 0:
            raise ValueError(f"{link!r}: words count from 1 here; say first=0 if this file counts from 0")
        found[match[2] == "-"].add((source, target))
    return Gold(frozenset(found[True]), frozenset(found[False] - found[True]))


def format_alignment(gold: Gold, first: int = 0) -> str:
    """One line of links, sorted.

    >>> format_alignment(Gold(frozenset({(1, 2), (0, 0)}), frozenset({(2, 1)})))
    '0-0 1-2 2?1'
    """
    _check_first(first)
    marks = {**dict.fromkeys(gold.possible, "?"), **dict.fromkeys(gold.sure, "-")}
    return " ".join(f"{source + first}{marks[source, target]}{target + first}" for source, target in sorted(marks))


def read_alignments(path: str | Path, first: int = 0) -> list[Gold]:
    """The alignments of a file; an empty line is a sentence without links."""
    path = Path(path)
    golds = []
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, start=1):
            try:
                golds.append(parse_alignment(line, first))
            except ValueError as error:
                raise ValueError(f"{path}:{number}: {error}") from None
    return golds


def write_alignments(path: str | Path, golds: Iterable[Gold], first: int = 0) -> None:
    """Write alignments, a line a sentence, so that `read_alignments` gives the same back."""
    write_whole(Path(path), "".join(f"{format_alignment(gold, first)}\n" for gold in golds))


def _check_first(first: int) -> None:
    if first not in (0, 1):
        raise ValueError(f"first is the number of the first word, 0 or 1, not {first!r}")
