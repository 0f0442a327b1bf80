"""Forced decoding: how likely given words are, and what each looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from jumok.data import Tokenizer
from jumok.decoding.edits import Edits
from jumok.decoding.hypothesis import Hypothesis
from jumok.decoding.machine import Machine, layers_of, looks_of, together
from jumok.decoding.sorting import batches, padded
from jumok.models import Encoded


@torch.no_grad()
def force(
    machine: Machine,
    encoded: Sequence[Encoded],
    targets: Sequence[Sequence[int]],
    *,
    edits: Edits | None = None,
    generator: torch.Generator | None = None,
) -> list[Hypothesis]:
    """The hypotheses that are these targets, token ids with `END` where they end; by teacher forcing, all at once.

    edits: attention to be used in place of the machine's own; sampled looks are replayed so
    (`Edits.of_choices`). Then it goes step by step.
    """
    if any(not target for target in targets):
        raise ValueError("targets: each needs at least one token, END for an empty sentence")
    device = encoded[0].states.device
    wanted, lengths = padded(targets, device)
    given = torch.cat([torch.full_like(wanted[:, :1], Tokenizer.START), wanted[:, :-1]], dim=1)
    if edits is None:
        logs, weights, choice = _at_once(machine, encoded, given)
    else:
        logs, weights, choice = _by_steps(machine, encoded, given, edits, generator)
    gains = logs.gather(-1, wanted.unsqueeze(-1)).squeeze(-1)
    gains = gains.masked_fill(torch.arange(wanted.shape[1], device=device) >= lengths[:, None], 0)
    looks = layers_of(weights)
    sources = encoded[0].mask.sum(1).tolist()
    found = []
    for row, target in enumerate(targets):
        length = len(target)
        score = float(gains[row].sum())
        found.append(
            Hypothesis(
                list(target),
                score,
                score,
                target[-1] == Tokenizer.END,
                gains[row, :length].tolist(),
                None if looks is None else looks[row, :, :, :length, : sources[row]],
                None if choice is None else choice[row, :length],
            )
        )
    return found


def force_all(
    machine: Machine, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> Iterator[tuple[int, Hypothesis]]:
    """The same for many sources (token ids, without `END`), with their places; the longest pairs come first."""
    for places in batches([max(map(len, pair)) + 1 for pair in zip(sources, targets, strict=True)]):
        words, lengths = padded([[*sources[place], Tokenizer.END] for place in places], machine.device)
        with torch.no_grad():
            encoded = machine.encode(words, lengths)
        yield from zip(places, force(machine, encoded, [targets[place] for place in places]), strict=True)


Forced = tuple[Tensor, Sequence[Tensor], Tensor | None]  # log-probabilities (B, T, V), weights by layer, choices (B, T)


def _at_once(machine: Machine, encoded: Sequence[Encoded], given: Tensor) -> Forced:
    steps = [model.decoder(given, source) for model, source in zip(machine.models, encoded, strict=True)]
    weights, choice = looks_of([each.attended for each in steps])
    return together([each.logits for each in steps]), weights, choice


def _by_steps(
    machine: Machine, encoded: Sequence[Encoded], given: Tensor, edits: Edits, generator: torch.Generator | None
) -> Forced:
    state = machine.start(encoded)
    sentences = torch.arange(len(given), device=given.device)
    steps = []
    for number in range(given.shape[1]):
        looked = machine.step(given[:, number : number + 1], state, edits.at(number, sentences, 1), generator)
        state = looked.state
        steps.append(looked)
    weights = [torch.cat(layer, dim=-2) for layer in zip(*(step.weights for step in steps), strict=True)]
    choices = [step.choice for step in steps if step.choice is not None]
    return torch.cat([step.log_probs for step in steps], dim=1), weights, torch.cat(choices, 1) if choices else None
