"""Does the output follow from what was looked at? Two tests: erase the words that were looked at; move the weights.

Both ask only a function, so they serve every system: a translator, a captioner, a reader.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jumok.evaluation.resampling import Numbers, interval_of_mean

SHARES = (0.1, 0.2, 0.3, 0.5)

ScoreSources = Callable[[list[list[str]]], Sequence[float]]
"""Log-probabilities of one and the same target, given each of several sources."""

ScoreWeights = Callable[[Numbers], Sequence[float]]
"""Log-probabilities of one and the same target, under each of several sets of weights, `(n, rows, columns)`."""

OutputsUnderWeights = Callable[[Numbers], NDArray[Any]]
"""Output distributions `(n, rows, outcomes)` under each of several sets of weights, `(n, rows, columns)`."""


@dataclass(frozen=True)
class Erasure:
    """How the log-probability of one sentence's target falls when source words are erased, for each share of them."""

    shares: tuple[float, ...]
    erased: tuple[int, ...]
    """How many words that is."""
    attended: tuple[float, ...]
    """The fall without the most attended words."""
    random: tuple[float, ...]
    """The mean fall without as many random words."""


@dataclass(frozen=True)
class ErasureRow:
    """The falls over many sentences when a share of the words is erased.

    difference: the mean of attended minus random; above 0 where attention finds the words that matter.
    low, high: its 95 % bootstrap interval.
    wins: the share of sentences in which the attended words matter more than random ones; a tie is half a win.
    """

    share: float
    sentences: int
    attended: float
    random: float
    difference: float
    low: float
    high: float
    wins: float

    @property
    def faithful(self) -> bool:
        """Whether the attended words surely matter more."""
        return self.low > 0


def erasure(
    score: ScoreSources,
    words: Sequence[str],
    attention: Sequence[float],
    shares: Sequence[float] = SHARES,
    draws: int = 20,
    seed: int = 0,
) -> Erasure:
    """Erase the most attended words of a sentence, and as many random ones.

    With $x$ the source, $y$ the target and $k$ the number of words that a share is (at least one is erased, at least
    one is left), the fall is

    $$\\Delta(E) = \\log p(y \\mid x) - \\log p(y \\mid x \\setminus E),$$

    for $E$ the $k$ words of most attention, and in the mean over `draws` random sets of $k$ words.

    score: log-probabilities of the target given each of a list of sources, which are lists of words.
    words: the source, of two words at least.
    attention: how much each word was looked at, for instance the sum of its column.
    """
    weights = np.asarray(attention, dtype=np.float64)
    if len(words) < 2 or weights.shape != (len(words),):
        raise ValueError(
            f"{len(words)} source words and attention of shape {weights.shape}: give at least two words, and a weight"
            " for each"
        )
    if not shares or not all(0 < share < 1 for share in shares):
        raise ValueError(f"shares must be between 0 and 1, such as {SHARES}, not {tuple(shares)}")
    if draws < 1:
        raise ValueError(f"draws must be at least 1, not {draws}")
    dice = np.random.default_rng(seed)
    counts = [min(len(words) - 1, max(1, math.ceil(share * len(words) - 1e-9))) for share in shares]
    order = np.argsort(-weights, kind="stable")
    variants = [list(words)]
    for count in counts:
        sets = [order[:count], *(dice.permutation(len(words))[:count] for _ in range(draws))]
        variants += [[word for place, word in enumerate(words) if place not in gone] for gone in map(set, sets)]
    scores = _scores(score(variants), len(variants))
    falls = (scores[0] - scores[1:]).reshape(len(counts), 1 + draws)
    return Erasure(tuple(shares), tuple(counts), tuple(falls[:, 0].tolist()), tuple(falls[:, 1:].mean(1).tolist()))


def over_sentences(erasures: Sequence[Erasure]) -> list[ErasureRow]:
    """The mean falls over many sentences, a row for each share."""
    if not erasures:
        raise ValueError("no erasures: there is nothing to put together")
    shares = erasures[0].shares
    if any(one.shares != shares for one in erasures):
        raise ValueError("the erasures are of different shares; make all with the same")
    attended = np.array([one.attended for one in erasures])  # (sentences, shares)
    random = np.array([one.random for one in erasures])
    rows = []
    for number, share in enumerate(shares):
        difference = attended[:, number] - random[:, number]
        low, high = interval_of_mean(difference)
        rows.append(
            ErasureRow(
                share=share,
                sentences=len(erasures),
                attended=float(attended[:, number].mean()),
                random=float(random[:, number].mean()),
                difference=float(difference.mean()),
                low=low,
                high=high,
                wins=float(((np.sign(difference) + 1) / 2).mean()),
            )
        )
    return rows


@dataclass(frozen=True, eq=False)
class Permutation:
    """The log-probability of a target under its own weights, and under weights that were moved about."""

    score: float
    moved: Numbers

    @property
    def fall(self) -> float:
        """The median fall of the log-probability when the weights are moved."""
        return float(self.score - np.median(self.moved))

    @property
    def p(self) -> float:
        """How often moved weights do as well as the model's own: $(1 + \\#\\{moved \\ge own\\}) / (1 + n)$."""
        return float((1 + (self.moved >= self.score).sum()) / (1 + len(self.moved)))

    def __add__(self, other: Permutation) -> Permutation:
        """The test of two sentences as one: their log-probabilities add up, permutation by permutation."""
        return Permutation(self.score + other.score, self.moved + other.moved)


def permutation(score: ScoreWeights, weights: Numbers, permutations: int = 100, seed: int = 0) -> Permutation:
    """Move the weights of every step about, and see whether the target becomes less likely.

    With $\\alpha$ the weights and $\\pi_t$ a random order of the columns for each row $t$, a permutation is
    $\\alpha'_{t,s} = \\alpha_{t,\\pi_t(s)}$. If it did not matter where the model looks, $\\log p(y \\mid \\alpha)$
    would be one more draw of $\\log p(y \\mid \\alpha')$; its rank among them is the p-value.

    score: log-probabilities of the target under each of many sets of weights, `(n, rows, columns)`.
    weights: the model's own, `(rows, columns)`, without padding.
    """
    variants = _moved(weights, permutations, seed)
    scores = _scores(score(variants), len(variants))
    return Permutation(float(scores[0]), scores[1:])


def output_change(outputs: OutputsUnderWeights, weights: Numbers, permutations: int = 100, seed: int = 0) -> Numbers:
    """How far the model's output moves when its weights are moved about (Jain & Wallace 2019): `(rows,)`.

    For each row it is the median over the permutations of the total variation distance

    $$\\mathrm{TVD}(p, p') = \\tfrac{1}{2} \\sum_v |p(v) - p'(v)|,$$

    0 where the output does not depend on where the model looks.

    outputs: the distributions under each of many sets of weights, `(n, rows, columns)` to `(n, rows, outcomes)`.
    """
    variants = _moved(weights, permutations, seed)
    distributions = np.asarray(outputs(variants), dtype=np.float64)
    if distributions.ndim != 3 or distributions.shape[:2] != variants.shape[:2]:
        raise ValueError(
            f"outputs gave an array of shape {distributions.shape}, not"
            f" ({variants.shape[0]}, {variants.shape[1]}, outcomes)"
        )
    distances = np.abs(distributions[1:] - distributions[0]).sum(2) / 2  # (permutations, rows)
    return np.asarray(np.median(distances, axis=0), dtype=np.float64)


def _moved(weights: Numbers, permutations: int, seed: int) -> Numbers:
    """The weights themselves, then each permutation: `(1 + permutations, rows, columns)`."""
    own = np.asarray(weights, dtype=np.float64)
    if own.ndim != 2 or 0 in own.shape:
        raise ValueError(f"weights of shape {own.shape}: give (rows, columns)")
    if permutations < 1:
        raise ValueError(f"permutations must be at least 1, not {permutations}")
    dice = np.random.default_rng(seed)
    many = np.broadcast_to(own, (permutations, *own.shape))
    return np.concatenate([own[None], dice.permuted(many, axis=2)])


def _scores(given: Sequence[float], wanted: int) -> Numbers:
    """What a caller's function gave, one number for each variant."""
    scores = np.asarray(given, dtype=np.float64)
    if scores.shape != (wanted,):
        raise ValueError(f"score gave an array of shape {scores.shape} for {wanted} variants; give one number for each")
    return scores
