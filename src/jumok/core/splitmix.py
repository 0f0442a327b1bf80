"""SplitMix64 (Steele et al. 2014): numbers that look random and follow from a number alone, on every machine."""

from __future__ import annotations

STEP = 0x9E3779B97F4A7C15
"""What the state of a stream grows by from one number to the next."""

MASK = (1 << 64) - 1


def mix(state: int) -> int:
    """A number of 64 bits of which each depends on each bit of `state`."""
    state &= MASK
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB & MASK
    return state ^ (state >> 31)
