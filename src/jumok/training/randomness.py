"""Random numbers that depend on where the training is, and on nothing that happened before."""

from __future__ import annotations

_WORD = (1 << 64) - 1


def mix(*numbers: int) -> int:
    """One 63-bit seed made of several numbers; neighbours give seeds that have nothing in common (splitmix64).

    >>> mix(1, 2, 3) == mix(1, 2, 3), mix(1, 2, 3) == mix(1, 3, 2)
    (True, False)
    """
    state = 0
    for number in numbers:
        state = _scramble((state ^ (number & _WORD)) + 0x9E3779B97F4A7C15 & _WORD)
    return state >> 1


def _scramble(word: int) -> int:
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _WORD
    return word ^ (word >> 31)
