"""Is one system better than another, or was it luck? The paired bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jumok.evaluation.metric import Metric, References
from jumok.evaluation.resampling import RESAMPLES, middle, resampled
from jumok.evaluation.score import Score
from jumok.evaluation.scores import bleu


@dataclass(frozen=True)
class Comparison:
    """Two systems on the same sentences.

    difference: the first score minus the second.
    low, high: its 95 % interval.
    p: how often so large a difference, either way, comes about if the systems are equally good.
    """

    first: Score
    second: Score
    difference: float
    low: float
    high: float
    p: float


def compare(
    first: Sequence[str],
    second: Sequence[str],
    references: References,
    language: str | None = None,
    metric: Metric = bleu,
) -> Comparison:
    """The paired bootstrap test (Koehn 2004) of two systems' outputs.

    Both systems are scored on the same resamples, which gives the differences $d^*$; with $d$ the difference on all
    sentences, $p = (1 + \\#\\{|d^* - \\bar d^*| \\ge |d|\\}) / (1 + R)$ (Riezler & Maxwell 2005).
    """
    one, other = (metric.statistics(outputs, references, language) for outputs in (first, second))
    scores = one.score(), other.score()
    difference = scores[0].value - scores[1].value
    differences = one.values(resampled(one.counts)) - other.values(resampled(other.counts))
    extreme = np.abs(differences - differences.mean()) >= abs(difference)
    return Comparison(*scores, difference, *middle(differences), float((1 + extreme.sum()) / (1 + RESAMPLES)))
