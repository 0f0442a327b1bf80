"""One way to say it."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Hypothesis:
    """Words that were found, how likely they are, and what was looked at for each."""

    tokens: list[int]
    """Without `START`; `END` is the last where it is `finished`."""
    score: float
    """The sum of the token scores."""
    rank_score: float
    """What hypotheses are sorted by."""
    finished: bool
    """Whether it ended by itself, and not because it had become too long."""
    token_scores: list[float]
    """The logarithm of each token's probability."""
    attention: Tensor | None
    """`(layers, heads, tokens, source)`, the weights that each token came from; None without attention."""
    choices: Tensor | None = None
    """`(tokens,)`, the place that each token looked at, where looks were sampled."""
