"""The whole machine: an encoder, attention, a decoder, and how it learns from pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from jumok.attention.attention import joined
from jumok.data import Batch
from jumok.data.pictures import PictureBatch
from jumok.models.decoder import Steps
from jumok.models.encoded import Encoded
from jumok.models.pictures import PictureEncoder
from jumok.models.recurrent_decoder import RecurrentDecoder, RecurrentDecoderSettings
from jumok.models.regions import PictureModelSettings, RegionEncoder
from jumok.models.settings import ModelSettings, check_attention
from jumok.models.text_encoder import RecurrentEncoder, RecurrentEncoderSettings
from jumok.models.transformer import TransformerDecoder, TransformerEncoder

AnyBatch = Batch | PictureBatch


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
    """`encode -> attend -> decode`, on text (Sutskever et al. 2014; Bahdanau et al. 2015) or pictures (Xu et al. 2015).

    settings: see `ModelSettings`, for pictures `PictureModelSettings`. source_words, target_words: sizes of the
    vocabularies; a picture has no words. pictures: the image encoder to start from, if any.
    """

    baseline: Tensor
    updates: Tensor

    def __init__(
        self, settings: ModelSettings, source_words: int, target_words: int, pictures: PictureEncoder | None = None
    ) -> None:
        super().__init__()
        self.settings = settings
        self.encoder: RecurrentEncoder | TransformerEncoder | RegionEncoder
        if isinstance(settings, PictureModelSettings):
            self.encoder = _picture_encoder(settings, pictures)
            target = _embedding(target_words, settings.embedding_size)
        else:
            source = _embedding(source_words, settings.embedding_size)
            if settings.tie == "all" and source_words != target_words:
                raise ValueError(
                    f"model.tie: 'all' shares one table, but there are {source_words} source and {target_words} target"
                    " words; set tokenizer.joint=true, or tie: target"
                )
            target = source if settings.tie == "all" else _embedding(target_words, settings.embedding_size)
            if isinstance(settings.encoder, RecurrentEncoderSettings):
                self.encoder = RecurrentEncoder(settings.encoder, source, settings.dropout)
            else:
                self.encoder = TransformerEncoder(settings.encoder, source, settings.dropout)
        key_size = self.encoder.key_size if isinstance(self.encoder, RegionEncoder) else None
        shared: dict[str, Any] = {"key_size": key_size, "tie": settings.tie != "none", "dropout": settings.dropout}
        self.decoder: RecurrentDecoder | TransformerDecoder
        if isinstance(settings.decoder, RecurrentDecoderSettings):
            sizes = self.encoder.size, self.encoder.summary_size
            mix = settings.reinforce.mix if settings.samples else 0.0
            self.decoder = RecurrentDecoder(settings.decoder, target, *sizes, **shared, mix=mix)
        else:
            self.decoder = TransformerDecoder(settings.decoder, target, self.encoder.size, **shared)
        self.register_buffer("baseline", -torch.tensor(float(target_words)).log())
        self.register_buffer("updates", torch.zeros((), dtype=torch.int64))

    def encode(self, batch: AnyBatch) -> Encoded:
        """The source side of a batch, encoded; a picture only once, however many captions it has there."""
        if isinstance(batch, PictureBatch):
            encoded: Encoded = self.encoder(batch.inputs, batch.places)
        else:
            encoded = self.encoder(batch.source, batch.source_lengths)
        return encoded

    def forward(self, batch: AnyBatch) -> Steps:
        """Teacher forcing: every step after the given words."""
        return self._steps(batch, self.encode(batch))

    def loss(self, batch: AnyBatch) -> Sums:
        """What is minimised, summed over the words of the batch.

        Cross entropy with smoothed labels. Where the attention samples (`select: hard`, in training), REINFORCE is
        added: with r_t the logarithm of the probability of word t (minus its cross entropy) and a baseline b, the
        moving mean of r over all words,

            - weight * sum_t [sum_(u >= t) (r_u - b)] log p(s_t) - entropy * sum_t H(p_t)

        over the sentences that sampled; `mix` of them take the expected look instead and are left out of it. Where no
        later step depends on a look (`context: output`, no input feeding), only its own word counts: u = t.

        With `doubly_stochastic`, the probability p_ts of looking at place s at word t should add up to a target: for
        each sentence of T words and S places

            + weight * sum_s (target - sum_t p_ts)^2,    target 1 ("one") or T / S ("even")

        or with `reduction: mean` the mean over s in place of the sum. It is added once a sentence, while the cross
        entropy is a sum over its words, as in Xu et al. 2015 (eq. 14); heads are averaged, and the last layer counts.

        With `consistency`, all of this is the mean of two passes under other dropout, and for every word, p and q being
        what the passes expect,

            + weight * (KL(p, q) + KL(q, p)) / 2
        """
        if len(batch) == 0:
            nothing = torch.stack([parameter.sum() for parameter in self.parameters()]).sum() * 0
            return Sums(nothing, 0, {name: nothing.detach() for name in self._parts()})
        output, smoothing, tokens = self.decoder.output, self.settings.label_smoothing, batch.tokens
        twice = bool(self.settings.consistency) and self.training
        words = batch.target[:, 1:][_real(batch)]
        batch = batch.twice() if twice else batch
        encoded = self.encode(batch)
        steps = self._steps(batch, encoded)
        real = _real(batch)
        # index_select, since its gradient takes a tenth of the time that features[real] needs for it.
        features = steps.features.flatten(0, 1).index_select(0, real.flatten().nonzero().squeeze(1))
        if twice:
            total, losses = output.agreeing(features, words, smoothing, self.settings.consistency)
        else:
            losses = output.losses(features, words, smoothing)
            total = losses.sum()
        share = 0.5 if twice else 1.0  # of each pass in what follows
        parts: dict[str, Tensor] = {}
        if self.settings.samples and self.training:
            reward = -losses.detach()
            added, entropy = self._reinforced(steps, reward, real)
            parts = {"reward": share * reward.sum(), "entropy": share * entropy.detach()}
            total = total + share * added
        if self.settings.doubly_stochastic is not None and self.training:
            uneven = share * self._uneven(steps, encoded, real)
            parts["uneven"] = uneven.detach()
            total = total + self.settings.doubly_stochastic.weight * uneven
        return Sums(total, tokens, parts)

    def word_losses(self, batch: AnyBatch) -> tuple[Tensor, Tensor]:
        """The cross entropy of each word of the batch, and the row that it is in; `(words,)` both."""
        real = _real(batch)
        features = self(batch).features[real]
        return self.decoder.output.losses(features, batch.target[:, 1:][real]), real.nonzero()[:, 0]

    @torch.no_grad()
    def score(self, batch: AnyBatch) -> Scores:
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
        if not self.training:
            return ()
        uneven = ("uneven",) if self.settings.doubly_stochastic is not None else ()
        return (("reward", "entropy") if self.settings.samples else ()) + uneven

    def _steps(self, batch: AnyBatch, encoded: Encoded) -> Steps:
        rate = self.sampling_rate()
        if rate > 0:
            return self._sampled(batch, encoded, rate)
        steps: Steps = self.decoder(batch.target[:, :-1], encoded)
        return steps

    def _sampled(self, batch: AnyBatch, encoded: Encoded, rate: float) -> Steps:
        """Scheduled sampling (Bengio et al. 2015): by stepping, now and then after a word that the model drew."""
        state: Any = self.decoder.start(encoded)
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
        if self.decoder.remembers_looks:
            gain = gain.flip(1).cumsum(1).flip(1)  # (B, T), with all that is yet to come
        counted = real if steps.sampled is None else real & steps.sampled[:, None]
        probabilities = look.probabilities
        entropy = -(probabilities * probabilities.clamp_min(1e-30).log()).sum(-1)  # (B, T)
        entropy = (entropy * counted).sum()
        return -settings.weight * (gain * look.log_prob * counted).sum() - settings.entropy * entropy, entropy

    def _uneven(self, steps: Steps, encoded: Encoded, real: Tensor) -> Tensor:
        """How far the looks at each place are from their share, squared; summed over the sentences."""
        settings = self.settings.doubly_stochastic
        assert settings is not None
        looks = steps.attended[-1].probabilities
        looks = looks if looks.dim() == 3 else looks.mean(1)
        looked = (looks * real.unsqueeze(-1)).sum(1)  # (B, S)
        places = encoded.mask.sum(1, keepdim=True)  # (B, 1)
        target = real.sum(1, keepdim=True) / places if settings.target == "even" else 1.0
        squares = ((target - looked).square() * encoded.mask).sum(1, keepdim=True)
        return (squares / places if settings.reduction == "mean" else squares).sum()


def _real(batch: AnyBatch) -> Tensor:
    """`(B, T)`, True at the words that are predicted, False at padding."""
    places = torch.arange(batch.target.shape[1] - 1, device=batch.target.device)
    return places < batch.target_lengths[:, None]


def _picture_encoder(settings: PictureModelSettings, pictures: PictureEncoder | None) -> RegionEncoder:
    encoder = RegionEncoder(settings, pictures)
    if isinstance(settings.decoder, RecurrentDecoderSettings) and settings.decoder.attention is not None:
        check_attention(settings.decoder, encoder.size)
    return encoder


def _embedding(words: int, size: int) -> nn.Embedding:
    table = nn.Embedding(words, size)
    nn.init.normal_(table.weight, std=size**-0.5)
    return table
