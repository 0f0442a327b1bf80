"""Which words come next: the best of all hypotheses of a sentence, or one drawn for each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from jumok.data import Tokenizer, mixing
from jumok.decoding.settings import DrawSettings, SearchSettings


class Candidates(NamedTuple):
    """Continuations of each sentence's hypotheses, the best first; `(B, C)` each."""

    scores: Tensor  # of the whole, -inf where there is none
    gains: Tensor  # of the token alone
    parents: Tensor
    tokens: Tensor


def allowed(log_probs: Tensor, history: Tensor, settings: SearchSettings) -> Tensor:
    """The log-probabilities `(B, N, V)` with -inf at what must not follow the tokens so far `(B, N, t)`; in place."""
    log_probs[..., [Tokenizer.PAD, Tokenizer.START]] = -torch.inf
    if history.shape[-1] < settings.min_length:
        log_probs[..., Tokenizer.END] = -torch.inf
    size = settings.block_ngrams
    if 0 < size <= history.shape[-1]:
        grams = history.unfold(-1, size, 1)  # (B, N, grams, size)
        begun = (grams[..., :-1] == history[..., None, history.shape[-1] - size + 1 :]).all(-1)
        blocked = torch.where(begun, grams[..., -1], Tokenizer.PAD)  # padding is blocked anyway
        log_probs.scatter_(-1, blocked, -torch.inf)
    return log_probs


def only(log_probs: Tensor, tokens: Tensor) -> Tensor:
    """The log-probabilities `(B, N, V)` of these tokens `(B,)` alone; of all where the token is -1."""
    others = torch.arange(log_probs.shape[-1], device=tokens.device) != tokens[:, None]
    return log_probs.masked_fill((others & (tokens >= 0)[:, None]).unsqueeze(1), -torch.inf)


def best(scores: Tensor, log_probs: Tensor, count: int) -> Candidates:
    """The best continuations over all hypotheses of each sentence: scores `(B, N)`, log-probabilities `(B, N, V)`."""
    words = log_probs.shape[-1]
    if words < _MANY_WORDS:
        totals = (scores.unsqueeze(-1) + log_probs).flatten(1)  # (B, N V)
        chosen, places = totals.topk(min(count, totals.shape[1]), dim=-1)
    else:
        chosen, places = _best_of_many(scores, log_probs, count)
    gains = log_probs.flatten(1).gather(1, places)
    return Candidates(chosen, gains, places // words, places % words)


def _best_of_many(scores: Tensor, log_probs: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Their totals and places in `N V`, `(B, C)`: words lie in groups, and only those with the best ones are searched.

    A group holds one of the `count` best only if fewer than `count` groups have a better word, so nothing is missed.
    """
    sentences, hypotheses, words = log_probs.shape
    groups = words // _GROUP
    grouped = log_probs[..., : groups * _GROUP].unflatten(-1, (groups, _GROUP))
    tops = (scores.unsqueeze(-1) + grouped.amax(-1)).flatten(1)  # (B, N groups)
    found = tops.topk(min(count, tops.shape[1]), dim=-1).indices  # (B, C)
    starts = found // groups * words + found % groups * _GROUP
    within = torch.arange(_GROUP, device=found.device)
    places = (starts.unsqueeze(-1) + within).flatten(1)  # (B, C group)
    rest = torch.arange(groups * _GROUP, words, device=found.device)  # what fills no group
    behind = (torch.arange(hypotheses, device=found.device).unsqueeze(1) * words + rest).flatten()
    places = torch.cat([places, behind.expand(sentences, -1)], dim=1)
    totals = log_probs.flatten(1).gather(1, places) + scores.gather(1, places // words)
    chosen, order = totals.topk(min(count, totals.shape[1]), dim=-1)
    return chosen, places.gather(1, order)


_GROUP = 64
_MANY_WORDS = 16 * _GROUP


def drawn(
    scores: Tensor, log_probs: Tensor, settings: DrawSettings, count: int, numbers: Tensor, step: int
) -> Candidates:
    """One continuation for each of `count` hypotheses, drawn; at the first step they all continue the one there is.

    numbers: of the sentences, `(B,)`.
    """
    parents = torch.arange(count, device=scores.device).clamp_max(scores.shape[1] - 1).expand(len(scores), -1)
    scores, log_probs = scores.gather(1, parents), log_probs.expand(-1, count, -1)
    logits, tokens = (log_probs / settings.temperature).sort(dim=-1, descending=True, stable=True)
    if settings.top_k is not None:
        logits = logits[..., : settings.top_k]
    chances = logits.softmax(-1)
    chances = chances.masked_fill(chances.cumsum(-1) - chances >= settings.top_p, 0)
    cumulative = chances.cumsum(-1)
    total = cumulative[..., -1:]
    random = _uniform(numbers, count, step, settings.seed).to(total).unsqueeze(-1)
    target = torch.minimum(random * total, total.nextafter(torch.zeros_like(total)))
    places = (cumulative <= target).sum(-1, keepdim=True).clamp_max(logits.shape[-1] - 1)
    chosen = tokens.gather(-1, places)  # (B, N, 1)
    gains = log_probs.gather(-1, chosen).squeeze(-1)
    return Candidates(scores + gains, gains, parents, chosen.squeeze(-1))


def _uniform(numbers: Tensor, hypotheses: int, step: int, seed: int) -> Tensor:
    """A number in [0, 1) for each hypothesis `(B, N)`, which follows from the sentence's number and the step alone."""
    rows = []
    for hypothesis in range(hypotheses):
        bits = mixing.numbers_at(mixing.key(seed, hypothesis, step), numbers.cpu().numpy())
        rows.append((bits >> np.uint64(11)).astype(np.float64) / (1 << 53))
    return torch.from_numpy(np.stack(rows, axis=1)).to(numbers.device)
