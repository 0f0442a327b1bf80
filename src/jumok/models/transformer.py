"""The Transformer (Vaswani et al. 2017), norms first, on the same multi-head attention as everything else."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import torch
from pydantic import Field
from torch import Tensor, nn

from jumok.attention import Attended, Memory, MultiHead, State
from jumok.core.maps import Linear, Maps
from jumok.core.settings import Settings
from jumok.models.decoder import Given, Step, Steps
from jumok.models.dropping import dropped, kept_at_random, random_mask
from jumok.models.encoded import Encoded
from jumok.models.output import Output


class TransformerSettings(Settings):
    """A Transformer encoder or decoder; its size is that of the embeddings."""

    kind: Literal["transformer"] = "transformer"
    layers: int = Field(default=3, ge=1)
    """How many layers, one on the other."""
    heads: int = Field(default=4, ge=1)
    """How many looks each attention takes at once; the size of the embeddings must be a multiple of it."""
    inner_size: int = Field(default=1024, ge=1)
    """Size of the hidden layer of the feed-forward part."""


class TransformerEncoder(nn.Module):
    """Layers of self-attention and feed-forward, norms first; the summary is the mean of the states."""

    def __init__(self, settings: TransformerSettings, embedding: nn.Embedding, dropout: float = 0.0) -> None:
        super().__init__()
        self.embedding = embedding
        self.dropout = dropout
        self.size = self.summary_size = embedding.embedding_dim
        self.layers = nn.ModuleList(_EncoderLayer(settings, self.size) for _ in range(settings.layers))
        self.norm = nn.LayerNorm(self.size)

    def forward(self, words: Tensor, lengths: Tensor) -> Encoded:
        """Encode words `(B, S)`, of which the first `lengths` `(B,)` of each row count."""
        mask = torch.arange(words.shape[1], device=words.device) < lengths[:, None]  # (B, S)
        share = self.dropout if self.training else 0.0
        states = _dropped_anew(placed(self.embedding(words)), share)
        for layer in self.layers:
            states = layer(states, mask, share)
        states = self.norm(states)
        total = states.masked_fill(~mask.unsqueeze(-1), 0).sum(1)
        return Encoded(states, mask, total / lengths.clamp_min(1)[:, None])


class _EncoderLayer(nn.Module):
    def __init__(self, settings: TransformerSettings, size: int) -> None:
        super().__init__()
        self.attend = MultiHead(size, settings.heads)
        self.feed = _FeedForward(size, settings.inner_size)
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(2))

    def forward(self, states: Tensor, mask: Tensor, share: float) -> Tensor:
        normed = self.norms[0](states)
        states = states + _dropped_anew(self.attend(normed, mask=mask).context, share)
        return states + _dropped_anew(self.feed(self.norms[1](states)), share)


@dataclass(frozen=True)
class TransformerState:
    """What the decoder knows between steps: N hypotheses of each of B sentences."""

    past: tuple[Memory, ...]  # of each layer, (B N, heads, t, size / heads); empty before the first step
    looking: tuple[State, ...]  # of each layer's look at the source
    sources: tuple[Memory, ...]  # of each layer, by sentence
    step: int
    shape: tuple[int, int]  # sentences, hypotheses
    rows: Tensor  # (B,), the number that each sentence had at the start: dropout goes by it
    drawn: tuple[int, int] | None  # how dropout is drawn: its seed, and how many sentences there were at the start
    maps: Maps  # the linear maps of this walk

    def select(self, parents: Tensor) -> TransformerState:
        """Hypothesis n of each sentence becomes a copy of `parents[:, n]`; parents is `(B, N')`."""
        sentences, hypotheses = self.shape
        rows = (parents + hypotheses * torch.arange(sentences, device=parents.device)[:, None]).flatten()
        return replace(
            self,
            past=tuple(memory.keep(rows) for memory in self.past),
            looking=tuple(state.select(parents) for state in self.looking),
            shape=(sentences, parents.shape[1]),
        )

    def keep(self, sentences: Tensor) -> TransformerState:
        """Only these sentences, by number `(B',)` or by a boolean for each `(B,)`."""
        numbers = sentences.nonzero().flatten() if sentences.dtype == torch.bool else sentences
        hypotheses = self.shape[1]
        rows = (numbers[:, None] * hypotheses + torch.arange(hypotheses, device=numbers.device)).flatten()
        return replace(
            self,
            past=tuple(memory.keep(rows) for memory in self.past),
            looking=tuple(state.keep(numbers) for state in self.looking),
            sources=tuple(memory.keep(numbers) for memory in self.sources),
            shape=(len(numbers), hypotheses),
            rows=self.rows[numbers],
        )


class TransformerDecoder(nn.Module):
    """Layers of causal self-attention, attention to the source, and feed-forward, norms first.

    embedding, encoded_size, key_size, tie, dropout: as for the recurrent decoder. Dropout is drawn place by place from
    a seed that the state holds, so that stepping drops what teacher forcing drops.
    """

    def __init__(
        self,
        settings: TransformerSettings,
        embedding: nn.Embedding,
        encoded_size: int,
        *,
        key_size: int | None = None,
        tie: bool = False,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.dropout = dropout
        size, sizes = embedding.embedding_dim, (key_size or encoded_size, encoded_size)
        self.layers = nn.ModuleList(_DecoderLayer(settings, size, *sizes) for _ in range(settings.layers))
        self.norm = nn.LayerNorm(size)
        self.output = Output(size, embedding.num_embeddings)
        if tie:
            self.output.weight = embedding.weight  # type: ignore[assignment]

    def start(self, encoded: Encoded) -> TransformerState:
        """The state before the first word, one hypothesis a sentence."""
        sources = tuple(layer.attend.prepare(encoded.keys, encoded.states, encoded.mask) for layer in self._layers())
        looking = tuple(layer.attend.start(memory) for layer, memory in zip(self._layers(), sources, strict=True))
        sentences = encoded.states.shape[0]
        drawn = (int(torch.randint(1 << 62, ())), sentences) if self.training and self.dropout else None
        numbers = torch.arange(sentences, device=encoded.states.device)
        return TransformerState((), looking, sources, 0, (sentences, 1), numbers, drawn, Maps())

    def step(
        self,
        words: Tensor,
        state: TransformerState,
        given: Given | None = None,
        generator: torch.Generator | None = None,
    ) -> Step:
        """One step after words `(B, N)`, N hypotheses of each sentence.

        given: attention weights to be used in place of the decoder's own. generator: where looks are drawn from.
        """
        places = {} if given is None else given.places(len(self.layers), self._layers()[0].attend.heads)
        states = placed(self.embedding(words.reshape(-1, 1)), state.step)  # (B N, 1, D)
        masks = self._masks(state, 1)
        states = dropped(states, _by_hypothesis(masks[0], words.shape[1]))
        past, looks = [], []
        with state.maps:
            for number, layer in enumerate(self._layers()):
                inner = [_by_hypothesis(mask, words.shape[1]) for mask in masks[1 + 3 * number : 4 + 3 * number]]
                before = state.past[number] if state.past else None
                states, memory = layer.reflected(states, before, inner[0])
                asking = layer.norms[1](states).view(*words.shape, -1)
                look = layer.attend.step(asking, state.sources[number], state.looking[number], generator=generator)
                if given is not None and number in places:
                    weights = given.over(look.weights, places[number])
                    look = layer.attend.with_weights(weights, state.sources[number], state.looking[number])
                states = layer.fed(states + dropped(look.context.reshape(states.shape), inner[1]), inner[2])
                past.append(memory)
                looks.append(look)
            features = self.norm(states).view(*words.shape, -1)
            logits = self.output(features)
        after = replace(
            state,
            past=tuple(past),
            looking=tuple(look.state for look in looks if look.state is not None),
            step=state.step + 1,
            shape=(words.shape[0], words.shape[1]),
        )
        return Step(logits, after, tuple(looks), features)

    def forward(self, words: Tensor, encoded: Encoded) -> Steps:
        """All steps after words `(B, T)`, the first of which starts the sentence (teacher forcing)."""
        state = self.start(encoded)
        masks = self._masks(state, words.shape[1])
        states = dropped(placed(self.embedding(words)), masks[0])  # (B, T, D)
        looks = []
        for number, layer in enumerate(self._layers()):
            states, look = layer(states, state.sources[number], masks[1 + 3 * number : 4 + 3 * number])
            looks.append(look)
        return Steps(self.norm(states), tuple(looks), self.output)

    def _layers(self) -> list[_DecoderLayer]:
        return [layer for layer in self.layers if isinstance(layer, _DecoderLayer)]

    def _masks(self, state: TransformerState, steps: int) -> list[Tensor | None]:
        """Dropout of the words and of each layer's three parts, `(B, T, D)` each, for the steps that come next."""
        sites, size = 1 + 3 * len(self.layers), self.embedding.embedding_dim
        if state.drawn is None:
            return [None] * sites
        seed, sentences = state.drawn
        device = self.embedding.weight.device
        places = []
        for step in range(state.step, state.step + steps):
            generator = torch.Generator(device).manual_seed((seed + step) % (1 << 63))
            places.append(kept_at_random(self.dropout, (sites, sentences, size), device, generator))
        kept = torch.stack(places, dim=2)[:, state.rows].to(self.embedding.weight.dtype)  # (sites, B, T, D)
        return list(kept.div_(1 - self.dropout).unbind(0))


class _DecoderLayer(nn.Module):
    def __init__(self, settings: TransformerSettings, size: int, key_size: int, value_size: int) -> None:
        super().__init__()
        self.reflect = MultiHead(size, settings.heads)
        self.attend = MultiHead(size, settings.heads, key_size=key_size, value_size=value_size)
        self.feed = _FeedForward(size, settings.inner_size)
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(3))

    def forward(self, states: Tensor, source: Memory, masks: list[Tensor | None]) -> tuple[Tensor, Attended]:
        states = states + dropped(self.reflect(self.norms[0](states), causal=True).context, masks[0])
        look = self.attend(self.norms[1](states), source)
        return self.fed(states + dropped(look.context, masks[1]), masks[2]), look

    def reflected(self, states: Tensor, past: Memory | None, mask: Tensor | None) -> tuple[Tensor, Memory]:
        """One step of self-attention on states `(B N, 1, D)`, and the past that the next one looks at."""
        normed = self.norms[0](states)
        memory = self.reflect.prepare(normed)
        if past is not None:
            memory = past.append(memory)
        return states + dropped(self.reflect(normed, memory).context, mask), memory

    def fed(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """The feed-forward part."""
        return states + dropped(self.feed(self.norms[2](states)), mask)


class _FeedForward(nn.Module):
    def __init__(self, size: int, inner_size: int) -> None:
        super().__init__()
        self.enter = Linear(size, inner_size)
        self.leave = Linear(inner_size, size)

    def forward(self, states: Tensor) -> Tensor:
        leaving: Tensor = self.leave(self.enter(states).relu())
        return leaving


def placed(embedded: Tensor, start: int = 0) -> Tensor:
    """Embeddings `(B, T, D)` times sqrt(D), plus sines and cosines of their places (Vaswani et al. 2017, 3.5)."""
    steps, size = embedded.shape[1:]
    places = torch.arange(start, start + steps, device=embedded.device, dtype=torch.float32)[:, None]
    rates = torch.exp(torch.arange(0, size, 2, device=embedded.device) * (-math.log(10000.0) / size))
    waves = torch.stack([(places * rates).sin(), (places * rates).cos()], dim=-1).flatten(-2)[:, :size]
    return torch.add(waves.to(embedded.dtype), embedded, alpha=math.sqrt(size))


def _dropped_anew(states: Tensor, share: float) -> Tensor:
    """Dropout that is drawn for every number by itself."""
    return dropped(states, random_mask(share, states, *states.shape))


def _by_hypothesis(mask: Tensor | None, hypotheses: int) -> Tensor | None:
    return None if mask is None else mask.repeat_interleave(hypotheses, 0)
