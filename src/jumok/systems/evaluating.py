"""All figures of a translator on some pairs: scores, by length, alignment, how it looks, whether its looks matter."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from jumok.data import TextPair, Tokenizer
from jumok.decoding import Edits, Machine, force, padded
from jumok.evaluation import (
    AttentionAlignment,
    Gold,
    Metric,
    Report,
    Score,
    attention_alignment,
    bleu,
    by_length,
    chrf,
    diagnose,
    golds_of,
    perplexity,
    ter,
    word_counts,
)
from jumok.evaluation.faithfulness import ErasureRow, erasure, over_sentences, permutation
from jumok.systems.prediction import Prediction
from jumok.systems.translator import Translator
from jumok.viewing import AttentionMap

LOOKED_AT = 500
"""So many sentences are enough to tell how a model looks."""


def evaluate(
    translator: Translator,
    pairs: Sequence[TextPair],
    *,
    metrics: Sequence[Metric] = (bleu, chrf, ter),
    language: str | None = None,
    edges: Sequence[int] | None = None,
    golds: Sequence[Gold] | None = None,
    labels: Sequence[Sequence[str]] | None = None,
    **search: Any,
) -> tuple[Report, list[Prediction]]:
    """Translate the pairs' sources and score what comes out; returns the figures and the translations.

    metrics: the first is also told by the number of words of the reference, in stretches that end at `edges`.
    golds: the gold alignment of each pair; attention is measured on the references themselves, by forced decoding.
    labels: of each target word, for the alignment error by label.
    """
    if not pairs:
        raise ValueError("there are no pairs to evaluate on")
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    found = translator(sources, **search)
    outputs = [prediction.text for prediction in found]
    forced = translator.score(sources, references)
    tokens = sum(len(prediction.tokens) for prediction in forced)
    scores = [metric(outputs, references, language, interval=True) for metric in metrics]
    scores.append(Score("perplexity", perplexity(sum(prediction.score for prediction in forced), tokens)))
    maps = [look for prediction in found[:LOOKED_AT] if (look := prediction.attention) is not None and _tells(look)]
    lengths = word_counts(references)
    return Report(
        len(pairs),
        tuple(scores),
        tuple(by_length(outputs, references, lengths, edges, metrics[0], language)),
        None if golds is None else _alignment(forced, golds, labels),
        diagnose(maps) if maps else None,
    ), found


def _tells(look: AttentionMap) -> bool:
    """Whether there are words enough to tell how it looks: three that came out, two that were looked at."""
    return max(look.row_words, default=-1) > 1 and max(look.column_words, default=-1) > 0


def _alignment(
    forced: Sequence[Prediction], golds: Sequence[Gold], labels: Sequence[Sequence[str]] | None
) -> AttentionAlignment | None:
    maps = [prediction.attention for prediction in forced]
    there = [each for each in maps if each is not None]
    if len(there) < len(maps):
        return None  # a model without attention
    sure, possible = golds_of(golds)
    return attention_alignment(there, sure, possible, by=labels)


def faithfulness(translator: Translator, pairs: Sequence[TextPair], seed: int = 0) -> list[ErasureRow]:
    """How far the probability of a reference falls when the words that it looked at most are erased from the source,
    beside as many words at random (see `jumok.evaluation.erasure`)."""
    told = translator.score([pair.source for pair in pairs], [pair.target for pair in pairs])
    erasures = []
    for number, (pair, prediction) in enumerate(zip(pairs, told, strict=True)):
        if prediction.attention is None:
            raise ValueError("this model has no attention, so there is nothing to be faithful")
        words = prediction.source.split(" ")
        if len(words) < 2:
            continue
        weights = prediction.attention.words().without_special(renormalize=False).matrix.sum(0)

        def score(variants: Sequence[Sequence[str]], target: str = pair.target) -> list[float]:
            sources = [" ".join(variant) for variant in variants]
            return [again.score for again in translator.score(sources, [target] * len(sources))]

        erasures.append(erasure(score, words, weights.tolist(), seed=seed + number))
    return over_sentences(erasures)


def permuted(translator: Translator, pairs: Sequence[TextPair], permutations: int = 100, seed: int = 0) -> list[float]:
    """For each pair the p-value that its reference is as likely when every word's weights are moved about, those of
    each head of the last layer for themselves (see `jumok.evaluation.permutation`): small where it matters where
    attention looks. Models that decide together are all given the mean of their looks, and moved with that."""
    machine, chances = translator.machine, []
    for number, pair in enumerate(pairs):
        told = translator.score([pair.source], [pair.target])[0]
        if told.attention is None:
            raise ValueError("this model has no attention, so there is nothing to move about")
        target = [*translator.tokenizers.target.encode(told.text), Tokenizer.END]
        words = [[*translator.tokenizers.source.encode(told.source), Tokenizer.END]]

        alone = len(machine.models) == 1
        own = np.asarray(told.attention.weights[-1] if alone else told.attention.matrix[None], np.float64)
        score = partial(_scores_under, machine, words, target, own.shape)
        chances.append(permutation(score, own.reshape(-1, own.shape[-1]), permutations, seed + number).p)
    return chances


def _scores_under(
    machine: Machine, words: list[list[int]], target: list[int], shape: tuple[int, ...], variants: Any
) -> list[float]:
    """How likely a target is under each variant of the last layer's weights, `(n, heads T, S)` of a shape of heads."""
    weights = torch.as_tensor(variants, dtype=torch.float32, device=machine.device).unflatten(1, shape[:2])
    rows = torch.ones(len(weights), shape[1], dtype=torch.bool, device=machine.device)
    edits = Edits(weights if shape[0] > 1 else weights[:, 0], rows)
    with torch.no_grad():
        encoded = machine.encode(*padded(words * len(weights), machine.device))
    return [found.score for found in force(machine, encoded, [target] * len(weights), edits=edits)]


def sampled(pairs: Sequence[TextPair], count: int, seed: int = 0) -> list[TextPair]:
    """So many of the pairs, always the same ones."""
    return list(pairs) if len(pairs) <= count else random.Random(seed).sample(list(pairs), count)
