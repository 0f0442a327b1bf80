"""Choices that follow from a seed, the same in every version of Python (only `Random.random` promises that)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


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

    def weighted(self, weights: Mapping[T, float]) -> T:
        """One of the keys, in proportion to its weight."""
        left = self._next() * sum(weights.values())
        for item, weight in weights.items():
            left -= weight
            if left < 0:
                return item
        return item
