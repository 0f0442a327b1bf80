"""The settings of a model, and the presets: known models as sets of settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import torch
from pydantic import Field, model_validator

from jumok.attention import Dot, Kernel, build
from jumok.core.names import unknown
from jumok.core.settings import Settings
from jumok.models.recurrent_decoder import RecurrentDecoderSettings
from jumok.models.text_encoder import RecurrentEncoderSettings
from jumok.models.transformer import TransformerSettings


class ReinforceSettings(Settings):
    """How hard attention learns (Xu et al. 2015, section 4.1; `EncoderDecoder.loss` has the formula)."""

    weight: float = Field(default=0.02, ge=0)
    """Weight of the REINFORCE term. At 1 its noise drowns what the words teach: a word's reward is a small part of all
    that is yet to come."""
    entropy: float = Field(default=0.002, ge=0)
    """Weight of the entropy bonus, which keeps the looks from settling too early."""
    decay: float = Field(default=0.9, ge=0, lt=1)
    """Of the moving mean that is the baseline."""
    mix: float = Field(default=0.5, ge=0, le=1)
    """Share of the sentences that take the expected look in place of a sampled one."""


class ScheduledSamplingSettings(Settings):
    """Now and then the model reads its own word in training (Bengio et al. 2015)."""

    rate: float = Field(default=0.25, gt=0, le=1)
    """Share of the words at the end."""
    updates: int = Field(default=10000, ge=0)
    """So many updates until then; the share grows in a straight line."""


class DoublyStochasticSettings(Settings):
    """That all places together get their share of the looks (Xu et al. 2015, 4.2.1; `EncoderDecoder.loss`)."""

    weight: float = Field(default=1.0, gt=0)
    """Weight of the term."""
    target: Literal["one", "even"] = "one"
    """What the looks at a place should sum to over a sentence: 1 (the paper's), or words / places, the even share."""
    reduction: Literal["sum", "mean"] = "sum"
    """Whether the squares are summed over the places (the paper's) or averaged; with L places the sum weighs L times as
    much."""


class ModelSettings(Settings):
    """An encoder-decoder. `preset` gives the values of a known model, and fields beside it change them."""

    preset: str | None = None
    """plain-first, plain-every, bahdanau, luong-dot, luong-general, luong-concat, luong-local-m, luong-local-p, soft,
    hard or transformer."""
    embedding_size: int = Field(default=256, ge=1)
    """Size of the vectors that stand for words."""
    encoder: Annotated[RecurrentEncoderSettings | TransformerSettings, Field(discriminator="kind")] = (
        RecurrentEncoderSettings()
    )
    """What reads the source."""
    decoder: Annotated[RecurrentDecoderSettings | TransformerSettings, Field(discriminator="kind")] = (
        RecurrentDecoderSettings()
    )
    """What writes the target."""
    tie: Literal["none", "target", "all"] = "none"
    """Whether the output layer shares the table of the target words (target), and the source words too (all)."""
    dropout: float = Field(default=0.0, ge=0, lt=1)
    """Share left out of words, layers and features while learning."""
    label_smoothing: float = Field(default=0.0, ge=0, lt=1)
    """Share of the probability that is spread over all words."""
    consistency: float = Field(default=0.0, ge=0)
    """Against learning a small corpus by heart: every pair goes through twice, and this is the weight of what the two
    passes, under other dropout, differ in. It takes twice the time (R-Drop, Liang et al. 2021; alpha is twice this)."""
    reinforce: ReinforceSettings = ReinforceSettings()
    """How hard attention learns; only where the attention has `select: hard`."""
    doubly_stochastic: DoublyStochasticSettings | None = None
    """Whether all places are to get their share of the looks; only for models with attention."""
    scheduled_sampling: ScheduledSamplingSettings | None = None
    """Whether the model now and then reads its own word in training; not for the Transformer."""

    @property
    def encoded_size(self) -> int | None:
        """Size of a state of the encoder, where it is known without it."""
        if isinstance(self.encoder, TransformerSettings):
            return self.embedding_size
        return self.encoder.hidden_size * (2 if self.encoder.bidirectional else 1)

    @property
    def samples(self) -> bool:
        """Whether its attention draws its looks, and learns by REINFORCE."""
        attention = self.decoder.attention if isinstance(self.decoder, RecurrentDecoderSettings) else None
        select = (attention or {}).get("select", "soft")
        return bool((select["name"] if isinstance(select, Mapping) else select) == "hard")

    @model_validator(mode="before")
    @classmethod
    def _preset_first(cls, values: Any) -> Any:
        if not isinstance(values, Mapping):
            return values
        name = values.get("preset")
        if name is not None and name not in PRESETS:
            raise ValueError(unknown("preset", name, PRESETS))
        return _over(cls._preset(name), values)

    @classmethod
    def takes_over(cls, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        """Yields the fields of a recipe that another preset makes void: those that it has values of its own for.

        So sizes stay, and the attention, the cell and the like are those of the preset; of a part of another kind
        nothing stays.
        """
        old, new = before.get("preset"), now.get("preset")
        if old not in PRESETS or new not in PRESETS or old == new:
            return
        was = _over(cls._preset(old), before)
        for part, values in cls._preset(new).items():
            if isinstance(values, Mapping):
                other_kind = was[part].get("kind") != values["kind"]
                yield from [(part,)] if other_kind else [(part, field) for field in values]

    @classmethod
    def _preset(cls, name: str | None) -> Mapping[str, Any]:
        """The values of a preset."""
        return PRESETS[name] if name else _RECURRENT

    @model_validator(mode="after")
    def _fits(self) -> ModelSettings:
        parts = (("encoder", self.encoder), ("decoder", self.decoder))
        for name, part in parts:
            if isinstance(part, TransformerSettings) and self.embedding_size % part.heads:
                raise ValueError(f"{name}.heads: {part.heads} does not divide embedding_size {self.embedding_size}")
        if isinstance(self.decoder, RecurrentDecoderSettings) and self.decoder.attention is not None:
            check_attention(self.decoder, self.encoded_size)
        plain = isinstance(self.decoder, RecurrentDecoderSettings) and self.decoder.attention is None
        if self.doubly_stochastic is not None and plain:
            raise ValueError("doubly_stochastic: is about looks, and a decoder without attention has none")
        if self.consistency and not self.dropout:
            raise ValueError("consistency: compares two passes under other dropout, and dropout is 0; set it, too")
        if self.scheduled_sampling is not None and isinstance(self.decoder, TransformerSettings):
            raise ValueError("scheduled_sampling: goes by stepping, and a Transformer decoder learns all steps at once")
        return self


def check_attention(decoder: RecurrentDecoderSettings, encoded_size: int | None) -> None:
    """Build the attention without memory for its weights, so that what does not fit is known before data is read."""
    key_size = decoder.hidden_size if encoded_size is None else encoded_size
    try:
        with torch.device("meta"):
            attend = build(**(decoder.attention or {}), query_size=decoder.hidden_size, key_size=key_size)
    except (TypeError, ValueError) as error:
        raise ValueError(f"decoder.attention: {error}") from None
    score = (decoder.attention or {})["score"]
    alike = isinstance(attend.score, Dot | Kernel) and attend.score.query_size is None
    if alike and decoder.hidden_size != key_size:
        raise ValueError(
            f"decoder.attention: score {score!r} compares the decoder's state with the encoder's"
            f" number by number, but their sizes are {decoder.hidden_size} (decoder.hidden_size) and {key_size}"
            " (both directions of encoder.hidden_size, or regions.size); make them equal, or take score: general"
        )


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """The values above, and those below where there are none; a part of another kind takes nothing from below."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        if isinstance(value, Mapping) and isinstance(under, Mapping) and value.get("kind") in (None, under.get("kind")):
            merged[key] = _over(under, value)
        else:
            merged[key] = value
    return merged


def _luong(**attention: Any) -> dict[str, Any]:
    decoder = {"kind": "recurrent", "cell": "lstm", "query": "after", "context": "output", "input_feeding": True}
    return {"encoder": _READS, "decoder": {**decoder, "output": "attentional", "attention": attention}}


_RECURRENT = {"encoder": {"kind": "recurrent"}, "decoder": {"kind": "recurrent"}}
_READS = {"kind": "recurrent", "cell": "lstm"}
_PLAIN = {"kind": "recurrent", "cell": "lstm", "attention": None, "output": "state"}
_BAHDANAU = {"kind": "recurrent", "cell": "gru", "query": "before", "context": "both", "output": "maxout"}
_BOTH_WAYS = {"kind": "recurrent", "cell": "gru", "bidirectional": True}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "plain-first": {"encoder": _READS, "decoder": {**_PLAIN, "summary": "first"}},
    "plain-every": {"encoder": _READS, "decoder": {**_PLAIN, "summary": "every", "context": "both"}},
    "bahdanau": {"encoder": _BOTH_WAYS, "decoder": {**_BAHDANAU, "attention": {"score": "additive"}}},
    "luong-dot": _luong(score="dot"),
    "luong-general": _luong(score="general"),
    "luong-concat": _luong(score="concat"),
    "luong-local-m": _luong(score="general", window="local_m"),
    "luong-local-p": _luong(score="general", window="local_p"),
    "soft": {"encoder": _BOTH_WAYS, "decoder": {**_BAHDANAU, "attention": {"score": "additive"}}},
    "hard": {"encoder": _BOTH_WAYS, "decoder": {**_BAHDANAU, "attention": {"score": "additive", "select": "hard"}}},
    "transformer": {"encoder": {"kind": "transformer"}, "decoder": {"kind": "transformer"}, "tie": "target"},
}
"""The known models by name, each as the settings in which it differs from the defaults."""
