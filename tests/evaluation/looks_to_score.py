"""Attention maps of the practice language that look where the gold alignment says, or not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from jumok.data.korean import Korean, Pair
from jumok.viewing.map import AttentionMap


@cache
def pairs(count: int = 40) -> tuple[Pair, ...]:
    return tuple(Korean(seed=3).pairs(count))


def gold_columns(pair: Pair) -> list[int]:
    """The source word that each target word should look at; the last where gold says nothing."""
    sides = pair.source.split(), pair.target.split()
    columns = []
    for target in range(len(sides[1])):
        links = [link[0] for link in (*pair.sure, *pair.possible) if link[1] == target]
        columns.append(links[0] if links else len(sides[0]) - 1)
    return columns


def look_at(pair: Pair, columns: Sequence[int], late: int = 0, sharpness: float = 0.9) -> AttentionMap:
    """A map with `<end>` on both sides whose row `t + late` looks at the column of word `t`."""
    source, target = pair.source.split(), pair.target.split()
    weights = np.full((len(target) + 1, len(source) + 1), (1 - sharpness) / (len(source) + 1))
    for word in range(len(target) + 1):
        place = word - late
        column = columns[place] if 0 <= place < len(columns) else len(source)
        weights[word, column] += sharpness
    return AttentionMap.from_arrays(
        weights,
        [*target, "<end>"],
        [*source, "<end>"],
        row_words=[*range(len(target)), -1],
        column_words=[*range(len(source)), -1],
    )
