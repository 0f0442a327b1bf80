"""Figures of a classifier: accuracy, and F1 for each label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumok.evaluation.resampling import interval_of_mean
from jumok.evaluation.score import Score


def label_scores(told: Sequence[str], right: Sequence[str]) -> list[Score]:
    """Accuracy with its interval, the mean F1 of the labels, and the F1 of each, all in percent.

    $F_1 = 2 P R / (P + R)$, with $P$ the share of texts told a label that have it, and $R$ the share of those that have
    it that are told so; 0 where neither is.

    >>> [str(score) for score in label_scores(["a", "a", "b"], ["a", "b", "b"])][1:]
    ['F1 66.67', 'F1 of a 66.67', 'F1 of b 66.67']
    """
    if len(told) != len(right) or not told:
        raise ValueError(f"{len(told)} labels told and {len(right)} right ones: give one each, and one at least")
    hits = np.array([one == other for one, other in zip(told, right, strict=True)], dtype=np.float64)
    low, high = interval_of_mean(hits)
    found = {label: _f1(told, right, label) for label in sorted({*told, *right})}
    texts = f"n:{len(right)}"
    return [
        Score("accuracy", 100 * float(hits.mean()), texts, 100 * low, 100 * high),
        Score("F1", float(np.mean(list(found.values()))), f"{texts}|mean over labels"),
        *(Score(f"F1 of {label}", value, f"n:{list(right).count(label)}") for label, value in found.items()),
    ]


def _f1(told: Sequence[str], right: Sequence[str], label: str) -> float:
    both = sum(one == other == label for one, other in zip(told, right, strict=True))
    return 200 * both / (list(told).count(label) + list(right).count(label))
