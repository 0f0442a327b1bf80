"""What a search drives: one model, or several that decide together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from jumok.attention import Attended
from jumok.attention.selectors import draws
from jumok.core.abreast import lanes
from jumok.models import Encoded, EncoderDecoder, Given


class Looked(NamedTuple):
    """One step of a machine."""

    log_probs: Tensor  # (B, N, V)
    state: MachineState
    weights: tuple[Tensor, ...]  # one a layer, (B, N, S) or (B, heads, N, S)
    choice: Tensor | None  # (B, N), where looks were sampled


@dataclass(frozen=True)
class MachineState:
    """The state of each model's decoder."""

    states: tuple[Any, ...]

    def select(self, parents: Tensor) -> MachineState:
        """Hypothesis n of each sentence becomes a copy of `parents[:, n]`."""
        return MachineState(tuple(state.select(parents) for state in self.states))

    def keep(self, sentences: Tensor) -> MachineState:
        """Only these sentences."""
        return MachineState(tuple(state.keep(sentences) for state in self.states))


class Machine:
    """Models of one vocabulary; several decide by the mean of their probabilities (an ensemble).

    The layers of their looks follow each other, the first model's first; where several look, one more layer comes
    last, the mean of their last layers, which is where they look together.
    """

    def __init__(self, *models: EncoderDecoder) -> None:
        if not models:
            raise ValueError("a machine needs at least one model")
        sizes = {model.decoder.output.weight.shape[0] for model in models}
        if len(sizes) > 1:
            words = " and ".join(str(size) for size in sorted(sizes))
            raise ValueError(f"models that decide together must share their target words, these have {words}")
        self.models = models

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return next(self.models[0].parameters()).device

    @property
    def lanes(self) -> int:
        """How many batches may be searched side by side: one, unless it is on a CPU and draws no looks."""
        one = self.device.type != "cpu" or any(draws(model) for model in self.models)
        return 1 if one else lanes()

    def encode(self, words: Tensor, lengths: Tensor) -> list[Encoded]:
        """What each model makes of source words `(B, S)`, of which the first `lengths` `(B,)` count."""
        return [model.encoder(words, lengths) for model in self.models]

    def start(self, encoded: Sequence[Encoded]) -> MachineState:
        """The state before the first word, one hypothesis a sentence."""
        pairs = zip(self.models, encoded, strict=True)
        return MachineState(tuple(model.decoder.start(source) for model, source in pairs))

    def step(
        self, words: Tensor, state: MachineState, given: Given | None, generator: torch.Generator | None
    ) -> Looked:
        """One step after words `(B, N)`."""
        steps = [
            model.decoder.step(words, inner, given, generator)
            for model, inner in zip(self.models, state.states, strict=True)
        ]
        return Looked(
            together([step.logits for step in steps]),
            MachineState(tuple(step.state for step in steps)),
            *looks_of([step.attended for step in steps]),
        )


def together(logits: Sequence[Tensor]) -> Tensor:
    """The logarithm of the mean of the models' probabilities."""
    logs = [_log_softmax(each) for each in logits]
    return logs[0] if len(logs) == 1 else torch.stack(logs).logsumexp(0) - math.log(len(logs))


def _log_softmax(logits: Tensor) -> Tensor:
    """In place of the logits, where nothing learns: room for so many numbers takes longer to get than to fill."""
    if torch.is_grad_enabled() or logits.is_inference():
        return logits.log_softmax(-1)
    return torch.log_softmax(logits, -1, out=logits)


def looks_of(attended: Sequence[Sequence[Attended]]) -> tuple[tuple[Tensor, ...], Tensor | None]:
    """The weights of all layers of all models, then of what they see together; and the one model's choice of a place.

    attended: of each model, one entry a layer. Several models that look draw places of their own, so none is told.
    """
    seeing = [layers for layers in attended if layers]
    weights = [look.weights for layers in seeing for look in layers]
    if len(seeing) == 1:
        return tuple(weights), seeing[0][-1].choice
    lasts = [_headed(layers[-1].weights) for layers in seeing]
    if lasts:
        mean = torch.stack([last.mean(1, keepdim=True) for last in lasts]).mean(0)
        weights.append(mean.expand(-1, lasts[0].shape[1], -1, -1))  # alike in all heads
    return tuple(weights), None


def layers_of(weights: Sequence[Tensor]) -> Tensor | None:
    """Weights of all layers `(B, layers, heads, N, S)`; heads are averaged where layers differ in their number."""
    if not weights:
        return None
    headed = [_headed(layer) for layer in weights]
    if len({layer.shape[1] for layer in headed}) > 1:
        headed = [layer.mean(1, keepdim=True) for layer in headed]
    return torch.stack(headed, dim=1)


def _headed(weights: Tensor) -> Tensor:
    """Weights with their heads `(B, heads, N, S)`, one where there are none."""
    return weights if weights.dim() == 4 else weights.unsqueeze(1)
