"""The reader: a sequence summed up by attention, and one thing told of it. No recurrence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, dropout, leaky_relu
from torch.utils.checkpoint import checkpoint

from jumok.attention import AttentionPooling
from jumok.core.settings import Settings
from jumok.models.encoder_decoder import Sums
from jumok.models.pictures import PictureEncoder, PictureEncoderSettings
from jumok.models.settings import ReinforceSettings
from jumok.models.transformer import TransformerEncoder, TransformerSettings

NUMBERS_AT_ONCE = 1 << 20
"""A batch whose states are more numbers is read a few rows at a time, and read again for the gradient: what is held
stays small however long the sequences are, and is in the cache of the CPU, which pays for the second reading."""


class SelfAttentionSettings(Settings):
    """Layers in which the steps look at each other before they are summed up (Vaswani et al. 2017)."""

    layers: int = Field(default=1, ge=1)
    """How many layers, one on the other."""
    heads: int = Field(default=4, ge=1)
    """How many looks each takes at once; `size` must be a multiple of it."""
    inner_size: int = Field(default=256, ge=1)
    """Size of the hidden layer of the feed-forward part."""


class ReaderSettings(Settings):
    """A reader: embed, attend, tell."""

    encoder: PictureEncoderSettings | None = None
    """What sees pictures, whose regions are then the steps; null where texts or numbers are read."""
    size: int = Field(default=100, ge=1)
    """Size of the state of a step: of a word's vector, or of what a step's numbers become."""
    self_attention: SelfAttentionSettings | None = None
    """Whether the steps look at each other first; without it a step is seen by itself, wherever it stands."""
    attention: Literal["mean"] | dict[str, Any] = Field(default_factory=lambda: {"score": "dot"})
    """How the steps are summed up: `mean`, all alike; or an attention with a learned query, any that
    `jumok.attention.build` takes. `query: null` is a score of the step alone."""
    hidden_size: int | None = Field(default=100, ge=1)
    """Size of the layer between the sum and what is told; null: none."""
    dropout: float = Field(default=0.0, ge=0, lt=1)
    """Share left out of states, the sum and the hidden layer while learning."""
    label_smoothing: float = Field(default=0.0, ge=0, lt=1)
    """Share of the probability that is spread over all labels."""
    reinforce: ReinforceSettings = ReinforceSettings()
    """How hard attention learns; only where the attention has `select: hard`."""

    @property
    def samples(self) -> bool:
        """Whether its attention draws its looks, and learns by REINFORCE."""
        select = "soft" if self.attention == "mean" else self.attention.get("select", "soft")
        return bool((select["name"] if isinstance(select, Mapping) else select) == "hard")

    @model_validator(mode="after")
    def _fits(self) -> ReaderSettings:
        if self.self_attention is not None and self.size % self.self_attention.heads:
            raise ValueError(f"self_attention.heads: {self.self_attention.heads} does not divide size {self.size}")
        if self.attention != "mean":
            try:
                with torch.device("meta"):
                    AttentionPooling(self.size, **self.attention)
            except (TypeError, ValueError) as error:
                raise ValueError(f"attention: {error}") from None
        return self


class Unit(NamedTuple):
    """What numbers are told in: `middle + spread * y`; a network that says about -1 to 1 learns prices as well."""

    middle: float = 0.0
    spread: float = 1.0


class Told(NamedTuple):
    """What a reader says of each sequence, and what it looked at."""

    outputs: Tensor  # (B, labels), their scores; or (B,), the numbers
    weights: Tensor  # (B, T), the share of each step in the sum


class _Summed(NamedTuple):
    """Sequences as one vector each; the look is there where it was asked for."""

    context: Tensor  # (B, D)
    weights: Tensor | None = None  # (B, T)
    probabilities: Tensor | None = None  # (B, T), before one step was drawn
    log_prob: Tensor | None = None  # (B,), of the step that was drawn; 0 where none was


class AttentionReader(nn.Module):
    """`h_t = LReLU(W x_t + b)` or a word's vector, `c = sum_t p_t h_t`, `y = V LReLU(U c + d) + e`
    (Raffel & Ellis 2015, section 2.2).

    words: how many words there are, for sequences of words. features: numbers of a step, for sequences of vectors.
    labels: how many labels there are to choose from; None where a number is told.
    pictures: the image encoder, where the settings have one; one with the weights that chance gives unless given.
    unit: what numbers are told in.
    """

    baseline: Tensor

    def __init__(
        self,
        settings: ReaderSettings,
        *,
        words: int | None = None,
        features: int | None = None,
        labels: int | None,
        pictures: PictureEncoder | None = None,
        unit: Unit = Unit(),  # noqa: B008 (it cannot change)
    ) -> None:
        super().__init__()
        self.unit = unit
        self.pictures = None if settings.encoder is None else pictures or PictureEncoder(settings.encoder)
        features = features if self.pictures is None else self.pictures.size
        if (words is None) == (features is None):
            raise ValueError("give either words or features, or settings with an encoder: what a step is")
        self.settings = settings
        embed = nn.Embedding(words, settings.size) if words is not None else _Numbers(features or 0, settings.size)
        self.embed = embed if settings.self_attention is None else None
        self.reflect = None
        if settings.self_attention is not None:
            layers = TransformerSettings(**settings.self_attention.model_dump())
            self.reflect = TransformerEncoder(layers, cast(nn.Embedding, embed), settings.dropout)
        self.pool = None if settings.attention == "mean" else AttentionPooling(settings.size, **settings.attention)
        self.hidden = None if settings.hidden_size is None else _layer(settings.size, settings.hidden_size)
        self.output = _layer(settings.hidden_size or settings.size, labels or 1)
        self.is_number = labels is None
        self.register_buffer("baseline", torch.zeros(()))
        if self.pool is not None and self.pool.query is not None:
            nn.init.zeros_(self.pool.query)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Told:
        """Read words `(B, T)` or vectors `(B, T, F)`, of which the first `lengths` `(B,)` steps of each row count; or
        what the image encoder takes, `(B, ...)`, with the number of its regions."""
        summed = self._summed(inputs, lengths, look=True)
        assert summed.weights is not None
        return Told(self._told(summed.context), summed.weights)

    def loss(self, inputs: Tensor, lengths: Tensor, targets: Tensor) -> Sums:
        """The squared error of numbers in their unit, or the cross entropy of labels `(B,)`, summed over the sequences.

        Where a step is drawn, the draw learns by REINFORCE: a cost above the baseline makes it less likely.
        """
        summed = self._summed(inputs, lengths, look=self.settings.samples)
        losses = self._losses(self._told(summed.context), targets, self.settings.label_smoothing)
        parts = {}
        if summed.probabilities is not None and summed.log_prob is not None:
            reinforce = self.settings.reinforce
            parts = {"cost": losses.detach().sum()}
            advantage = (losses - self.baseline).detach()
            entropy = -torch.xlogy(summed.probabilities, summed.probabilities).sum(1)
            losses = losses + reinforce.weight * advantage * summed.log_prob - reinforce.entropy * entropy
        return Sums(losses.sum(), len(targets), parts)

    def errors(self, told: Told, targets: Tensor) -> Tensor:
        """The same for each sequence, without smoothing or draws: `(B,)`."""
        return self._losses(told.outputs, targets, 0.0)

    @torch.no_grad()
    def updated(self, parts: Mapping[str, float], count: float) -> None:
        """An update is done: the baseline of hard attention moves towards its mean cost."""
        if "cost" not in parts:
            return
        decay = self.settings.reinforce.decay
        self.baseline.mul_(decay).add_((1 - decay) * parts["cost"] / count)

    def _losses(self, outputs: Tensor, targets: Tensor, smoothing: float) -> Tensor:
        if self.is_number:
            return ((outputs - targets) / self.unit.spread) ** 2
        return cross_entropy(outputs, targets, reduction="none", label_smoothing=smoothing)

    def _summed(self, inputs: Tensor, lengths: Tensor, look: bool) -> _Summed:
        if self.pictures is not None:
            inputs = self.pictures(inputs).states
        rows = max(1, NUMBERS_AT_ONCE // max(1, inputs.shape[1] * self.settings.size))
        if rows >= len(inputs):
            return self._read(inputs, lengths, look)
        parts = zip(inputs.split(rows), lengths.split(rows), strict=True)
        if torch.is_grad_enabled():
            return _joined([checkpoint(self._read, *part, look, use_reentrant=False) for part in parts])
        return _joined([self._read(*part, look) for part in parts])

    def _read(self, inputs: Tensor, lengths: Tensor, look: bool) -> _Summed:
        states, mask = self._states(inputs, lengths)
        if self.pool is None:
            weights = mask.to(states.dtype) / lengths.clamp_min(1)[:, None]
            return _Summed((weights.unsqueeze(1) @ states).squeeze(1), weights)
        query = states.new_zeros(0) if self.pool.query is None else self.pool.query
        attended = self.pool.attend(query.expand(len(states), 1, -1), states, mask=mask)
        context = attended.context.squeeze(1)
        if not look:  # weights that nobody reads are not made
            return _Summed(context)
        weights, probabilities = attended.weights.squeeze(1), attended.probabilities.squeeze(1)
        if attended.log_prob is None:
            return _Summed(context, weights)
        log_prob = attended.log_prob.squeeze(1)
        if self.training:
            expected = torch.rand(len(states), device=states.device) < self.settings.reinforce.mix
            mean = (probabilities.unsqueeze(1) @ states).squeeze(1)
            context = torch.where(expected[:, None], mean, context)
            log_prob = log_prob.masked_fill(expected, 0)
        return _Summed(context, weights, probabilities, log_prob)

    def _states(self, inputs: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """The state of each step `(B, T, D)`, and which of them count `(B, T)`."""
        if self.reflect is not None:
            encoded = self.reflect(inputs, lengths)
            return encoded.states, encoded.mask
        assert self.embed is not None
        mask = torch.arange(inputs.shape[1], device=inputs.device) < lengths[:, None]
        return dropout(self.embed(inputs), self.settings.dropout, self.training), mask

    def _told(self, context: Tensor) -> Tensor:
        share = self.settings.dropout
        if self.hidden is not None:
            context = leaky_relu(self.hidden(dropout(context, share, self.training)))
        told: Tensor = self.output(dropout(context, share, self.training))
        return self.unit.middle + self.unit.spread * told.squeeze(-1) if self.is_number else told


class _Numbers(nn.Module):
    """`LReLU(W x + b)`: a vector of numbers as a state."""

    def __init__(self, features: int, size: int) -> None:
        super().__init__()
        self.embedding_dim = size
        self.layer = _layer(features, size)

    def forward(self, numbers: Tensor) -> Tensor:
        return leaky_relu(self.layer(numbers))


def _layer(inputs: int, outputs: int) -> nn.Linear:
    """A layer as the paper starts it (He et al. 2015)."""
    layer = nn.Linear(inputs, outputs)
    nn.init.kaiming_normal_(layer.weight, a=0.01)
    nn.init.zeros_(layer.bias)
    return layer


def _joined(parts: list[_Summed]) -> _Summed:
    def rows(name: str) -> Tensor | None:
        found = [getattr(part, name) for part in parts]
        return None if found[0] is None else torch.cat(found)

    return _Summed(torch.cat([part.context for part in parts]), *map(rows, _Summed._fields[1:]))
