"""The gold alignment: words of the two sides that come from the same node."""

from __future__ import annotations

from collections.abc import Sequence

Word = tuple[str, tuple[int, ...], tuple[int, ...]]
Links = tuple[tuple[int, int], ...]


def align(source: Sequence[Word], target: Sequence[Word]) -> tuple[Links, Links]:
    """Sure and possible links, (source word, target word), sorted; no link is in both.

    A link is sure where both words surely stand for one node, and possible where one of them may.
    """
    where: dict[int, list[tuple[int, bool]]] = {}
    for index, (_, surely, perhaps) in enumerate(source):
        for key in surely:
            where.setdefault(key, []).append((index, True))
        for key in perhaps:
            where.setdefault(key, []).append((index, False))
    sure: set[tuple[int, int]] = set()
    possible: set[tuple[int, int]] = set()
    for index, (_, surely, perhaps) in enumerate(target):
        for key in surely:
            for word, certain in where.get(key, ()):
                (sure if certain else possible).add((word, index))
        for key in perhaps:
            possible.update((word, index) for word, _ in where.get(key, ()))
    return tuple(sorted(sure)), tuple(sorted(possible - sure))
