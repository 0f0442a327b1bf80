"""Choices that follow from a seed, the same in every version of Python (only `Random.random` promises that)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


class Weights(Generic[T]):
    """Things to choose from, in proportion to their weights."""

    def __init__(self, weights: Mapping[T, float]) -> None:
        self.items = tuple(item for item, weight in weights.items() if weight > 0)
        *self.bounds, self.total = accumulate(weight for weight in weights.values() if weight > 0)


class Dice:
    """A stream of choices."""

    def __init__(self, seed: str) -> None:
        self._next = Random(seed).random

    def below(self, count: int) -> int:
        """A whole number from 0 up to, not including, `count`."""
        return int(self._next() * count)

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[int(self._next() * len(items))]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._next() < probability

    def weighted(self, weights: Weights[T]) -> T:
        """One of the items, in proportion to its weight."""
        return weights.items[bisect_right(weights.bounds, self._next() * weights.total)]
