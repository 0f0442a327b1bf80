"""The whole machine: an encoder, attention, a decoder, and how it learns from pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from jumok.attention.attention import joined
from jumok.data import Batch
from jumok.models.decoder import Steps
from jumok.models.encoded import Encoded
from jumok.models.recurrent_decoder import RecurrentDecoder, RecurrentDecoderSettings
from jumok.models.settings import ModelSettings
from jumok.models.text_encoder import RecurrentEncoder, RecurrentEncoderSettings
from jumok.models.transformer import TransformerDecoder, TransformerEncoder


@dataclass(frozen=True)
class Sums:
    """Sums over the words of a batch: what is minimised, how many words there were, and its parts."""

    sum: Tensor
    count: int
    parts: Mapping[str, Tensor]


@dataclass(frozen=True)
class Scores:
    """How well a batch is known: sums over its words, without smoothing or dropout."""

    loss: float
    hits: int
    count: int


class EncoderDecoder(nn.Module):
    """`encode -> attend -> decode` on text (Sutskever et al. 2014; Bahdanau et al. 2015).

    settings: see `ModelSettings`. source_words, target_words: sizes of the vocabularies.
    """

    baseline: Tensor
    updates: Tensor

    def __init__(self, settings: ModelSettings, source_words: int, target_words: int) -> None:
        super().__init__()
        self.settings = settings
        source = _embedding(source_words, settings.embedding_size)
        if settings.tie == "all" and source_words != target_words:
            raise ValueError(
                f"model.tie: 'all' shares one table, but there are {source_words} source and {target_words} target"
                " words; set tokenizer.joint=true, or tie: target"
            )
        target = source if settings.tie == "all" else _embedding(target_words, settings.embedding_size)
        self.encoder: RecurrentEncoder | TransformerEncoder
        if isinstance(settings.encoder, RecurrentEncoderSettings):
            self.encoder = RecurrentEncoder(settings.encoder, source, settings.dropout)
        else:
            self.encoder = TransformerEncoder(settings.encoder, source, settings.dropout)
        tie = settings.tie != "none"
        self.decoder: RecurrentDecoder | TransformerDecoder
        if isinstance(settings.decoder, RecurrentDecoderSettings):
            sizes = self.encoder.size, self.encoder.summary_size
            mix = settings.reinforce.mix if settings.samples else 0.0
            self.decoder = RecurrentDecoder(
                settings.decoder, target, *sizes, tie=tie, dropout=settings.dropout, mix=mix
            )
        else:
            size = self.encoder.size
            self.decoder = TransformerDecoder(settings.decoder, target, size, tie=tie, dropout=settings.dropout)
        self.register_buffer("baseline", -torch.tensor(float(target_words)).log())
        self.register_buffer("updates", torch.zeros((), dtype=torch.int64))

    def encode(self, batch: Batch) -> Encoded:
        """The source side of a batch, encoded."""
        encoded: Encoded = self.encoder(batch.source, batch.source_lengths)
        return encoded

    def forward(self, batch: Batch) -> Steps:
        """Teacher forcing: every step after the given words."""
        rate = self.sampling_rate()
        if rate > 0:
            return self._sampled(batch, rate)
        steps: Steps = self.decoder(batch.target[:, :-1], self.encode(batch))
        return steps

    def loss(self, batch: Batch) -> Sums:
        """What is minimised, summed over the words of the batch.

        Cross entropy with smoothed labels. Where the attention samples (`select: hard`, in training), REINFORCE is
        added: with r_t the logarithm of the probability of word t (minus its cross entropy) and a baseline b, the
        moving mean of r over all words,

            - weight * sum_t [sum_(u >= t) (r_u - b)] log p(s_t) - entropy * sum_t H(p_t)

        over the sentences that sampled; `mix` of them take the expected look instead and are left out of it.
        """
        if len(batch) == 0:
            nothing = torch.stack([parameter.sum() for parameter in self.parameters()]).sum() * 0
            return Sums(nothing, 0, {name: nothing.detach() for name in self._parts()})
        steps = self(batch)
        real = _real(batch)
        losses = self.decoder.output.losses(
            steps.features[real], batch.target[:, 1:][real], self.settings.label_smoothing
        )
        total = losses.sum()
        parts: dict[str, Tensor] = {}
        if self.settings.samples and self.training:
            reward = -losses.detach()
            added, entropy = self._reinforced(steps, reward, real)
            parts = {"reward": reward.sum(), "entropy": entropy.detach()}
            total = total + added
        return Sums(total, batch.tokens, parts)

    @torch.no_grad()
    def score(self, batch: Batch) -> Scores:
        """Cross entropy of the given words, and how many of them were the likeliest."""
        steps: Steps = self.decoder(batch.target[:, :-1], self.encode(batch))
        real = _real(batch)
        features, words = steps.features[real], batch.target[:, 1:][real]
        output = self.decoder.output
        return Scores(
            float(output.losses(features, words).double().sum()), int(output.hits(features, words).sum()), batch.tokens
        )

    @torch.no_grad()
    def updated(self, parts: Mapping[str, float], count: float) -> None:
        """Tell the model that an update is done, with the parts summed over the words of all processes."""
        self.updates += 1
        if self.settings.samples:
            decay = self.settings.reinforce.decay
            self.baseline.mul_(decay).add_((1 - decay) * parts["reward"] / count)

    def sampling_rate(self) -> float:
        """The share of words that scheduled sampling takes from the model itself at this point of the training."""
        settings = self.settings.scheduled_sampling
        if settings is None or not self.training:
            return 0.0
        grown = int(self.updates) / settings.updates if settings.updates else 1.0
        return settings.rate * min(1.0, grown)

    def _parts(self) -> tuple[str, ...]:
        return ("reward", "entropy") if self.settings.samples and self.training else ()

    def _sampled(self, batch: Batch, rate: float) -> Steps:
        """Scheduled sampling (Bengio et al. 2015): by stepping, now and then after a word that the model drew."""
        state: Any = self.decoder.start(self.encode(batch))
        words = batch.target[:, :1]
        features, looks = [], []
        for number in range(batch.target.shape[1] - 1):
            step = self.decoder.step(words, state)
            state = step.state
            features.append(step.features)
            looks.append(step.attended)
            own = torch.distributions.Categorical(logits=step.logits.detach()).sample()
            given = batch.target[:, number + 1 : number + 2]
            words = torch.where(torch.rand(given.shape, device=given.device) < rate, own, given)
        attended = tuple(joined(list(layer)) for layer in zip(*looks, strict=True))
        return Steps(torch.cat(features, dim=1), attended, self.decoder.output)

    def _reinforced(self, steps: Steps, reward: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
        settings = self.settings.reinforce
        look = steps.attended[-1]
        assert look.log_prob is not None
        gain = reward.new_zeros(real.shape)
        gain[real] = reward - self.baseline
        ahead = gain.flip(1).cumsum(1).flip(1)  # (B, T), what is yet to come
        counted = real if steps.sampled is None else real & steps.sampled[:, None]
        probabilities = look.probabilities
        entropy = -(probabilities * probabilities.clamp_min(1e-30).log()).sum(-1)  # (B, T)
        entropy = (entropy * counted).sum()
        return -settings.weight * (ahead * look.log_prob * counted).sum() - settings.entropy * entropy, entropy


def _real(batch: Batch) -> Tensor:
    """`(B, T)`, True at the words that are predicted, False at padding."""
    places = torch.arange(batch.target.shape[1] - 1, device=batch.target.device)
    return places < batch.target_lengths[:, None]


def _embedding(words: int, size: int) -> nn.Embedding:
    table = nn.Embedding(words, size)
    nn.init.normal_(table.weight, std=size**-0.5)
    return table
