"""Random numbers that depend on where the training is, and on nothing that happened before."""

from __future__ import annotations

from jumok.core import splitmix


def mix(*numbers: int) -> int:
    """One 63-bit seed made of several numbers; neighbours give seeds that have nothing in common (SplitMix64).

    >>> mix(1, 2, 3) == mix(1, 2, 3), mix(1, 2, 3) == mix(1, 3, 2)
    (True, False)
    """
    state = 0
    for number in numbers:
        state = splitmix.mix((state ^ (number & splitmix.MASK)) + splitmix.STEP)
    return state >> 1
