"""BLEU, chrF and TER as sacreBLEU defines them (Post 2018), with its signature, and perplexity.

sacreBLEU counts; the figures follow from its counts by its own formulas, for a thousand resamples at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from jumok.evaluation.languages import tokenizer_for
from jumok.evaluation.metric import Metric, Statistics
from jumok.evaluation.resampling import Numbers

_ORDERS = 4


class Bleu(Metric):
    """BLEU (Papineni et al. 2002): the geometric mean of n-gram precisions, times a penalty for being short.

    The tokenizer follows the language: 13a, zh, ko-mecab or ja-mecab. Where the package for Korean or Japanese is not
    installed (`pip install "sacrebleu[ko]"`) text is cut into characters, and the signature says `tok:char`.
    """

    def _statistics(self, outputs: list[str], references: list[list[str]], language: str | None) -> Statistics:
        from sacrebleu.metrics.bleu import BLEU

        return bleu_statistics("BLEU", BLEU(tokenize=tokenizer_for(language), force=True), outputs, references)


class Chrf(Metric):
    """chrF (Popović 2015): the F2 score of character n-grams up to 6; the same for every language."""

    def _statistics(self, outputs: list[str], references: list[list[str]], language: str | None) -> Statistics:
        from sacrebleu.metrics.chrf import CHRF

        counts, signature = counted(CHRF(), outputs, references)
        return Statistics("chrF2", counts, _chrf_of, signature)


class Ter(Metric):
    """TER (Snover et al. 2006): edits, shifts of phrases among them, per word of the reference; lower is better.

    Chinese characters are words of their own, in Japanese text too.
    """

    def _statistics(self, outputs: list[str], references: list[list[str]], language: str | None) -> Statistics:
        from sacrebleu.metrics.ter import TER

        characters = language in ("zh", "ja")
        counts, signature = counted(TER(normalized=characters, asian_support=characters), outputs, references)
        return Statistics("TER", counts, _ter_of, signature)


bleu = Bleu()
chrf = Chrf()
ter = Ter()


def perplexity(total_log_probability: float, tokens: int) -> float:
    """$\\exp(-\\log p / n)$ of `tokens` tokens whose natural log-probabilities sum to `total_log_probability`.

    It is infinite where it is too large for a number.

    >>> round(perplexity(-20 * math.log(8), 20), 6), perplexity(-1e6, 2)
    (8.0, inf)
    """
    if tokens < 1:
        raise ValueError(f"the perplexity of {tokens} tokens is not defined; give at least one")
    mean = total_log_probability / tokens
    if math.isnan(mean) or mean > 1e-6:
        raise ValueError(
            f"total_log_probability is {total_log_probability}, but a log-probability is not above 0"
            " (a loss has the other sign)"
        )
    return math.exp(-mean) if mean > -709 else math.inf


def bleu_statistics(name: str, metric: Any, outputs: list[str], references: list[list[str]]) -> Statistics:
    """The statistics of one of sacreBLEU's BLEU metrics, with exponential smoothing and without effective order."""
    counts, signature = counted(metric, outputs, references)
    return Statistics(name, counts, _bleu_of, signature)


def counted(metric: Any, outputs: list[str], references: Sequence[Sequence[str]]) -> tuple[Numbers, str]:
    """What a metric of sacreBLEU counts in every sentence, `(sentences, counts)`, and its signature."""
    streams = list(zip_longest(*references))  # the first reference of every sentence, the second, ...; None if none
    counts = metric._extract_corpus_statistics(outputs, streams)  # sacreBLEU's own tests of significance use it
    return np.array(counts, dtype=np.float64), str(metric.get_signature())


def _bleu_of(sums: Numbers) -> Numbers:
    """`(n, [output length, reference length, matches of 4 orders, n-grams of 4 orders])` to `(n,)`."""
    output, reference = sums[:, 0], sums[:, 1]
    matches, ngrams = sums[:, 2 : 2 + _ORDERS], sums[:, 2 + _ORDERS :]
    missed = (matches == 0) & (ngrams > 0)
    smoothed = np.where(missed, 0.5 ** np.cumsum(missed, axis=1), matches)  # the k-th order without match counts 2^-k
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.log(smoothed / ngrams).mean(1)
        brevity = np.minimum(0.0, 1 - reference / output)
        values = 100 * np.exp(precisions + brevity)
    return np.where((matches.sum(1) > 0) & (ngrams > 0).all(1), values, 0.0)


def _chrf_of(sums: Numbers) -> Numbers:
    """`(n, [n-grams of the output, of the reference, matches] of 6 orders)` to `(n,)`."""
    outputs, references, matches = np.moveaxis(sums.reshape(len(sums), -1, 3), 2, 0)  # each (n, orders)
    there = (outputs > 0) & (references > 0)
    orders = np.maximum(1, there.sum(1))
    precision = np.divide(matches, outputs, out=np.zeros_like(matches), where=there).sum(1) / orders
    recall = np.divide(matches, references, out=np.zeros_like(matches), where=there).sum(1) / orders
    below = 4 * precision + recall
    return np.asarray(500 * precision * recall / np.where(below > 0, below, 1.0), dtype=np.float64)


def _ter_of(sums: Numbers) -> Numbers:
    """`(n, [edits, words of the reference])` to `(n,)`."""
    edits, words = sums[:, 0], sums[:, 1]
    return 100 * np.divide(edits, words, out=np.where(edits > 0, 1.0, 0.0), where=words > 0)
