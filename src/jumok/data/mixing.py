"""Random numbers that are a function of what they are for: the same on every machine and in every version of NumPy.

SplitMix64 used as a counter-based generator: number `i` of stream `key` is `mix(key + i * STEP)`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from jumok.core.splitmix import STEP, mix

Words = npt.NDArray[np.uint64]


def key(*parts: int) -> int:
    """The key of the stream for these numbers; another number anywhere, or another order, is another stream.

    >>> key(1, 2) == key(1, 2), key(1, 2) == key(2, 1)
    (True, False)
    """
    state = len(parts)
    for part in parts:
        state = mix(state + STEP) ^ mix(part + 2 * STEP)
    return mix(state + STEP)


def mix_all(states: Words) -> Words:
    """`mix` of each number, in place."""
    states ^= states >> np.uint64(30)
    states *= np.uint64(0xBF58476D1CE4E5B9)
    states ^= states >> np.uint64(27)
    states *= np.uint64(0x94D049BB133111EB)
    states ^= states >> np.uint64(31)
    return states


def numbers_at(key: int, places: npt.NDArray[np.int64]) -> Words:
    """The numbers of a stream at these places."""
    states = places.astype(np.uint64)
    states *= np.uint64(STEP)
    states += np.uint64(key)
    return mix_all(states)


def stream(key: int, count: int, start: int = 0) -> Words:
    """Numbers `start` up to, not including, `start + count` of a stream."""
    return numbers_at(key, np.arange(start, start + count))


def shuffled(count: int, key: int) -> npt.NDArray[np.int32]:
    """The numbers below `count` in an order that follows from `key` alone.

    Each number is packed below its random bits, so that the values are all different and any sorting gives the same.
    """
    if count > np.iinfo(np.int32).max:
        raise ValueError(f"{count} items are more than one plan can hold ({np.iinfo(np.int32).max})")
    bits = np.uint64(max(count - 1, 1).bit_length())
    packed = stream(key, count)
    packed >>= bits
    packed <<= bits
    packed |= np.arange(count, dtype=np.uint64)
    packed.sort()
    packed &= (np.uint64(1) << bits) - np.uint64(1)
    return packed.astype(np.int32)
