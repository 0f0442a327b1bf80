"""How long a training will take, about: its arithmetic, over what this machine does in a second."""

from __future__ import annotations

import time

import torch

from jumok.data.corpora.looking import CorpusLook, SideLook, letters_a_token
from jumok.models import EncoderDecoder, ModelSettings

EFFICIENCY = 0.5
"""The share of a plain matrix product's speed that training reaches, about."""


def minutes(look: CorpusLook, model: ModelSettings, kind: str, size: int, epochs: float, speed: float) -> float:
    """An estimate of the minutes for so many epochs of a corpus; kind and size are the tokenizer's."""
    source, target = (tokens(side, kind) / look.pairs for side in (look.source, look.target))
    return look.pairs * epochs * operations(model, size, source, target) / (EFFICIENCY * speed) / 60


def operations(model: ModelSettings, words: int, source: float, target: float) -> float:
    """Floating-point operations to learn from one pair of these lengths.

    A weight takes one multiplication and one addition a token, and twice that backward; looking takes two vectors of
    the state's size for each pair of words. Tables of words are only looked up.
    """
    with torch.device("meta"):  # only sizes are asked for
        network = EncoderDecoder(model, words, words)
    table = words * model.embedding_size
    encoder, decoder = (
        sum(weights.numel() for weights in part.parameters()) for part in (network.encoder, network.decoder)
    )
    written = decoder - (table if model.tie == "none" else 0)
    return 6 * ((encoder - table) * source + written * target + 2 * network.encoder.size * source * target)


def tokens(side: SideLook, kind: str) -> float:
    """About how many tokens one side of a corpus has, with one for the end of each sentence."""
    if kind == "word":
        return side.words * 1.15
    letters = 1.0 if kind == "character" else letters_a_token(side.script)
    return side.characters / letters + side.words / max(side.mean_words, 1)


def measured_speed(size: int = 1024, times: int = 10) -> float:
    """Operations a second of a float32 matrix product on this machine, the fastest of a few."""
    left, right = torch.ones(size, size), torch.ones(size, size)
    seconds = []
    for _ in range(times + 1):  # the first one warms up
        began = time.perf_counter()
        torch.mm(left, right)
        seconds.append(time.perf_counter() - began)
    return 2 * size**3 / min(seconds)
