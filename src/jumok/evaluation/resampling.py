"""The bootstrap (Efron 1979; Koehn 2004): how far would a figure move if the sentences were others of the same kind?

A figure that follows from sums over sentences needs no text for that, only the sums over sentences drawn anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

RESAMPLES = 1000
SEED = 12345
"""sacreBLEU's own; with it the resamples are the ones that sacreBLEU draws."""

_AT_ONCE = 1 << 22


def resampled(counts: Numbers, resamples: int = RESAMPLES, seed: int = SEED) -> Numbers:
    """Sums over sentences that are drawn anew, with replacement: `(sentences, counts)` to `(resamples, counts)`."""
    sentences = len(counts)
    dice = np.random.default_rng(seed)
    sums = np.empty((resamples, counts.shape[1]))
    block = max(1, _AT_ONCE // sentences)
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        drawn = dice.integers(sentences, size=(rows, sentences))  # (rows, sentences)
        drawn += np.arange(rows)[:, None] * sentences
        times = np.bincount(drawn.ravel(), minlength=rows * sentences).reshape(rows, sentences)
        sums[start : start + rows] = times @ counts
    return sums


def middle(values: Numbers) -> tuple[float, float]:
    """Between which two values 95 % of them lie."""
    low, high = np.quantile(values, (0.025, 0.975))
    return float(low), float(high)


def interval_of_mean(values: Numbers) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean of one number a sentence."""
    return middle(resampled(values[:, None])[:, 0] / len(values))
