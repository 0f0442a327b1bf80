"""The recurrent decoder: Bahdanau's, Luong's, Show-Attend-and-Tell's and those without attention are its settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import torch
from pydantic import Field, field_validator, model_validator
from torch import Tensor, nn

from jumok.attention import Attended, Memory, State, build
from jumok.attention.attention import joined
from jumok.attention.selectors import draws
from jumok.core.maps import Linear, Maps
from jumok.core.settings import Settings
from jumok.models.decoder import Given, Step, Steps
from jumok.models.dropping import dropped, random_mask
from jumok.models.encoded import Encoded
from jumok.models.output import Output
from jumok.models.recurrent import Alike, CellKind, Hidden, Recurrent, Walk


class RecurrentDecoderSettings(Settings):
    """A recurrent decoder, with attention or without."""

    kind: Literal["recurrent"] = "recurrent"
    cell: CellKind = "lstm"
    """lstm or gru."""
    hidden_size: int = Field(default=512, ge=1)
    """Size of the state."""
    layers: int = Field(default=1, ge=1)
    """How many layers, one on the other."""
    attention: dict[str, Any] | None = None
    """What `jumok.attention.build` takes: score, normalize, temperature, window, select, dropout, and the score's own
    settings; null for a decoder without attention."""
    query: Literal["before", "after"] = "after"
    """Which state asks: the one before the step (Bahdanau) or the one after it (Luong)."""
    context: Literal["cell", "output", "both"] = "output"
    """Where the context (without attention: the summary) enters."""
    input_feeding: bool = False
    """Whether the attentional vector of a step enters the cell at the next (Luong et al. 2015, 3.3)."""
    gate: Literal["scalar", "vector"] | None = None
    """What scales the context, if anything does: a number between 0 and 1 that follows from the asking state (Xu et al.
    2015, 4.2.1), or one for each of its entries."""
    output: Literal["state", "attentional", "deep", "maxout"] = "attentional"
    """What the output layer sees: the state (and the context, where it enters the output); tanh(W [context; state]);
    or a layer on state, context and previous word (deep: tanh; maxout: the larger of two)."""
    tells: Literal["before", "after"] = "after"
    """Which state the output layer sees: the one after the step, or the one before it (Bahdanau et al. 2015, A.2.2), so
    that only the look can know what comes next."""
    feed_word: bool = True
    """Whether the previous word enters the cell."""
    summary: Literal["first", "every"] = "first"
    """Without attention: the summary enters as the first state only, or as the context of every step too."""

    @field_validator("gate", mode="before")
    @classmethod
    def _was_a_switch(cls, gate: Any) -> Any:
        """Folders of models that are older than the vector gate say true or false."""
        return {True: "scalar", False: None}[gate] if isinstance(gate, bool) else gate

    @field_validator("attention")
    @classmethod
    def _has_score(cls, attention: dict[str, Any] | None) -> dict[str, Any] | None:
        if attention is not None and "score" not in attention:
            raise ValueError("give it a score, such as {score: additive}")
        return attention

    @model_validator(mode="after")
    def _fits(self) -> RecurrentDecoderSettings:
        if self.input_feeding and self.output != "attentional":
            raise ValueError("input_feeding: it feeds the attentional vector, so it needs output: attentional")
        if self.tells == "before" and self.output not in ("deep", "maxout"):
            raise ValueError("tells: the state before the step has not seen the previous word; take output: maxout")
        if self.attention is not None and self.summary == "every":
            raise ValueError("summary: 'every' is for decoders without attention, whose context it then is")
        if self.gate is not None and self.attention is None:
            raise ValueError("gate: there is no context to scale without attention")
        return self


@dataclass(frozen=True)
class RecurrentState:
    """What the decoder knows between steps: N hypotheses of each of B sentences."""

    hidden: tuple[Hidden, ...]  # (B, N, H), one a layer
    fed: Tensor | None  # (B, N, F), what the step before hands to the cell: its context, its attentional vector
    looking: State | None  # the attention's own
    memory: Memory | None  # by sentence
    summary: Tensor  # (B, 1, D)
    masks: tuple[Tensor | None, ...]  # dropout of the words, of each layer, of the features; by sentence
    expected: Tensor | None  # (B, 1, 1), True where a sentence takes the expected look in place of a sampled one
    maps: Maps  # the linear maps of this walk
    parents: Tensor | None = None  # (B, N), of which hypothesis each is a copy, since the last step

    def select(self, parents: Tensor) -> RecurrentState:
        """Hypothesis n of each sentence becomes a copy of `parents[:, n]`; parents is `(B, N')`."""
        sentences, hypotheses, _ = self.hidden[0].output.shape
        places = (parents + hypotheses * torch.arange(sentences, device=parents.device).unsqueeze(1)).flatten()

        def pick(rows: Tensor) -> Tensor:
            return rows.flatten(0, 1).index_select(0, places).view(*parents.shape, -1)

        return replace(
            self,
            hidden=tuple(layer.map(pick) for layer in self.hidden),
            fed=None if self.fed is None else pick(self.fed),
            looking=None if self.looking is None else self.looking.select(parents),
            parents=parents if self.parents is None else self.parents.gather(1, parents),
        )

    def keep(self, sentences: Tensor) -> RecurrentState:
        """Only these sentences, by number `(B',)` or by a boolean for each `(B,)`."""

        def pick(rows: Tensor | None) -> Tensor | None:
            return None if rows is None else rows[sentences]

        return RecurrentState(
            tuple(layer.map(lambda rows: rows[sentences]) for layer in self.hidden),
            pick(self.fed),
            None if self.looking is None else self.looking.keep(sentences),
            None if self.memory is None else self.memory.keep(sentences),
            self.summary[sentences],
            tuple(pick(mask) for mask in self.masks),
            pick(self.expected),
            self.maps,
            pick(self.parents),
        )


class RecurrentDecoder(nn.Module):
    """`h_t = cell(h_(t-1), [word; context; ...])`, and words from features of state, context and previous word.

    settings: see `RecurrentDecoderSettings`.
    embedding: the table of target words. encoded_size, summary_size: of what the encoder gives. key_size: how many of
    the last numbers of a state it is found by; all of them unless given.
    tie: whether the output layer's weights are the embedding's.
    dropout: share left out of words, layers' outputs and features, with one mask for a whole sequence.
    mix: share of the sentences that take the expected look in place of a sampled one (hard attention, in training).
    """

    def __init__(
        self,
        settings: RecurrentDecoderSettings,
        embedding: nn.Embedding,
        encoded_size: int,
        summary_size: int,
        *,
        key_size: int | None = None,
        tie: bool = False,
        dropout: float = 0.0,
        mix: float = 0.0,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.embedding = embedding
        self.dropout = dropout
        self.mix = mix
        hidden_size, word_size = settings.hidden_size, embedding.embedding_dim
        self.attend = None
        if settings.attention is not None:
            self.attend = build(**settings.attention, query_size=hidden_size, key_size=key_size or encoded_size)
        context_size = encoded_size if self.attend else summary_size if settings.summary == "every" else 0
        self.in_cell, self.in_output = settings.context != "output", settings.context != "cell"
        in_cell, in_output = (context_size if enters else 0 for enters in (self.in_cell, self.in_output))
        seen = hidden_size + in_output + (word_size if settings.output in ("deep", "maxout") else 0)
        feature_size = word_size if tie else seen if settings.output == "state" else hidden_size
        self.fed_size = feature_size if settings.input_feeding else 0
        if self.attend and settings.query == "after":
            self.fed_size += in_cell
        looked = self.fed_size + (in_cell if self.attend and settings.query == "before" else 0)
        known = (word_size if settings.feed_word else 0) + (0 if self.attend else in_cell)
        self.nothing_known = known == 0
        self.knows_summary = self.attend is None and in_cell > 0
        self.loops = looked > 0
        self.remembers_looks = self.loops or (self.attend is not None and self.attend.steps_depend)
        self.cells = nn.ModuleList([Recurrent(settings.cell, max(1, known), hidden_size, looked)])
        self.cells.extend(Recurrent(settings.cell, hidden_size, hidden_size) for _ in range(settings.layers - 1))
        parts = settings.layers * (2 if settings.cell == "lstm" else 1)
        self.first = nn.Linear(summary_size, parts * hidden_size)
        self.gate = None
        if settings.gate is not None:
            self.gate = Linear(hidden_size, 1 if settings.gate == "scalar" else encoded_size)
        self.combine = None
        if settings.output != "state" or seen != feature_size:
            self.combine = Linear(seen, 2 * feature_size if settings.output == "maxout" else feature_size)
        self.output = Output(feature_size, embedding.num_embeddings)
        if tie:
            self.output.weight = embedding.weight  # type: ignore[assignment]

    def start(self, encoded: Encoded) -> RecurrentState:
        """The state before the first word, one hypothesis a sentence."""
        settings, like, rows = self.settings, encoded.summary, encoded.summary.shape[0]
        parts = self.first(like).tanh().unsqueeze(1).split(settings.hidden_size, dim=-1)  # (B, 1, H) each
        paired = settings.cell == "lstm"
        hidden = tuple(map(Hidden, parts[::2], parts[1::2]) if paired else map(Hidden, parts))
        memory = looking = None
        if self.attend is not None:
            memory = self.attend.prepare(encoded.keys, encoded.states, encoded.mask)
            looking = self.attend.start(memory)
        share = self.dropout if self.training else 0.0
        sizes = [self.embedding.embedding_dim, *[settings.hidden_size] * settings.layers, self.output.weight.shape[1]]
        masks = tuple(random_mask(share, like, rows, 1, size) for size in sizes)
        expected = torch.rand(rows, 1, 1, device=like.device) < self.mix if self.training and self.mix else None
        fed = like.new_zeros(rows, 1, self.fed_size) if self.fed_size else None
        return RecurrentState(hidden, fed, looking, memory, like.unsqueeze(1), masks, expected, Maps())

    def step(
        self,
        words: Tensor,
        state: RecurrentState,
        given: Given | None = None,
        generator: torch.Generator | None = None,
    ) -> Step:
        """One step after words `(B, N)`, N hypotheses of each sentence.

        given: attention weights to be used in place of the decoder's own. generator: where looks are drawn from.
        """
        if given is not None:
            given.places(1 if self.attend else 0, 1)
        embedded = dropped(self.embedding(words), state.masks[0])  # (B, N, E)
        known = self._known(embedded, state).flatten(0, 1).unsqueeze(1)  # (B N, 1, I)
        with state.maps:
            walked, after = self._walk(known, state, given, generator, *self._alike(words, state, given))
            features = self._features(walked.folded(words.shape), embedded, state)
            return Step(self.output(features), after, walked.attended, features)

    def forward(self, words: Tensor, encoded: Encoded) -> Steps:
        """All steps after words `(B, T)`, the first of which starts the sentence (teacher forcing)."""
        state = self.start(encoded)
        embedded = dropped(self.embedding(words), state.masks[0])  # (B, T, E)
        known = self._known(embedded, state)
        if self.loops:
            with state.maps:
                walked, _ = self._walk(known, state)
        else:
            walked = self._run(known, state)
        sampled = None if state.expected is None else ~state.expected.flatten()
        return Steps(self._features(walked, embedded, state), walked.attended, self.output, sampled)

    def _alike(self, words: Tensor, state: RecurrentState, given: Given | None) -> tuple[Alike | None, Alike | None]:
        """Which hypotheses have the same word, and which the same past; where it pays to know.

        In a beam many do: what enters the cell for a word, and what the state before it adds, are then made once.
        """
        few = words.device.type != "cpu" or words.numel() < _MANY_HYPOTHESES
        if few or torch.is_grad_enabled() or self.training:
            return None, None
        by_word = by_past = None
        if state.masks[0] is None and self.settings.feed_word and not self.knows_summary:
            by_word = Alike.of(words.flatten())
        apart = False  # whether hypotheses with the same past may look at different things before the cell is asked
        if self.attend is not None and self.settings.query == "before" and self.in_cell:
            apart = given is not None or draws(self.attend)
        if state.parents is not None and not apart:
            sentences = torch.arange(words.shape[0]).unsqueeze(1) * (int(state.parents.max()) + 1)
            by_past = Alike.of((state.parents + sentences).flatten())
        return by_word, by_past

    def _layers(self) -> list[Recurrent]:
        return [cell for cell in self.cells if isinstance(cell, Recurrent)]

    def _known(self, embedded: Tensor, state: RecurrentState) -> Tensor:
        """What enters the first cell whatever was looked at, `(B, T, I)`."""
        if self.nothing_known:
            return embedded.new_zeros(*embedded.shape[:2], 1)
        parts = [embedded] if self.settings.feed_word else []
        if self.knows_summary:
            parts.append(state.summary.expand(-1, embedded.shape[1], -1))
        return parts[0] if len(parts) == 1 else torch.cat(parts, dim=-1)

    def _run(self, known: Tensor, state: RecurrentState) -> _Walked:
        """The cells over all steps, then all looks: where no step needs the look of the one before it."""
        tops, outputs = known, known
        for cell, hidden, mask in zip(self._layers(), state.hidden, state.masks[1:-1], strict=True):
            outputs = cell(tops, hidden.map(lambda part: part.squeeze(1)))
            tops = dropped(outputs, mask)
        first = state.hidden[-1].output
        if self.settings.tells == "before":
            tops = torch.cat([dropped(first, state.masks[-2]), tops[:, :-1]], dim=1)
        if self.attend is None or state.memory is None:
            return _Walked(tops, None, None, ())
        asking = outputs
        if self.settings.query == "before":
            asking = torch.cat([first, outputs[:, :-1]], dim=1)
        look = _expecting(self.attend(asking, state.memory), state)
        return _Walked(tops, self._gated(look.context, asking), None, (look,))

    def _walk(
        self,
        known: Tensor,
        state: RecurrentState,
        given: Given | None = None,
        generator: torch.Generator | None = None,
        by_word: Alike | None = None,
        by_past: Alike | None = None,
    ) -> tuple[_Walked, RecurrentState]:
        """Step after step; known `(B N, T, I)`, where N is 1 or T is 1.

        by_word, by_past: where T is 1, which rows have the same word, and which the same state.
        """
        sentences, hypotheses, _ = state.hidden[0].output.shape
        before = self.settings.query == "before"
        first, *upper = self._layers()
        walks = [Walk(first, known, known.shape[1], by_word), *(Walk(cell, None, known.shape[1]) for cell in upper)]
        combine = self.combine if self.settings.input_feeding else None
        hidden = [layer.map(lambda part: part.flatten(0, 1)) for layer in state.hidden]
        masks = [None if mask is None else mask.repeat_interleave(hypotheses, 0).squeeze(1) for mask in state.masks]
        fed = None if state.fed is None else state.fed.flatten(0, 1)
        looking, context = state.looking, None
        looks: list[Attended] = []
        tops: list[Tensor] = []
        contexts: list[Tensor] = []
        vectors: list[Tensor] = []

        def look() -> Tensor:
            nonlocal looking
            asking = hidden[-1].output.view(sentences, hypotheses, -1)
            looks.append(self._look(asking, state, looking, given, generator))
            looking = looks[-1].state
            contexts.append(self._gated(looks[-1].context, asking).flatten(0, 1))
            return contexts[-1]

        for _ in range(known.shape[1]):
            if self.attend and before:
                context = look()
            lower = _joined(context if before and self.in_cell else None, fed)
            told = dropped(hidden[-1].output, masks[-2]) if self.settings.tells == "before" else None
            for number, walk in enumerate(walks):
                hidden[number] = walk(lower, hidden[number], None if number else by_past)
                lower = dropped(hidden[number].output, masks[1 + number])
            assert lower is not None
            tops.append(lower if told is None else told)
            if self.attend and not before:
                context = look()
            if combine is not None:
                seen = lower if context is None or not self.in_output else torch.cat([lower, context], dim=-1)
                vectors.append(combine(seen).tanh())
            fed = _joined(context if self.in_cell and not before else None, *vectors[-1:])

        def by_sentence(rows: Tensor) -> Tensor:
            return rows.view(sentences, hypotheses, -1)

        after = replace(
            state,
            hidden=tuple(layer.map(by_sentence) for layer in hidden),
            fed=None if fed is None else by_sentence(fed),
            looking=looking,
            parents=None,
        )
        attended = (joined(looks),) if len(looks) > 1 else tuple(looks)
        if vectors:  # all that the output layer sees
            return _Walked(None, None, torch.stack(vectors, dim=1), attended), after
        return _Walked(
            torch.stack(tops, dim=1), torch.stack(contexts, dim=1) if contexts else None, None, attended
        ), after

    def _look(
        self,
        asking: Tensor,
        state: RecurrentState,
        looking: State | None,
        given: Given | None,
        generator: torch.Generator | None,
    ) -> Attended:
        assert self.attend is not None
        assert state.memory is not None
        assert looking is not None
        look = _expecting(self.attend.step(asking, state.memory, looking, generator=generator), state)
        if given is None:
            return look
        weights = given.over(look.weights)
        return Attended(weights @ state.memory.values, weights, look.probabilities, state=looking.after(weights))

    def _gated(self, context: Tensor, asking: Tensor) -> Tensor:
        if self.gate is None:
            return context
        share: Tensor = self.gate(asking).sigmoid()
        return share * context

    def _features(self, walked: _Walked, embedded: Tensor, state: RecurrentState) -> Tensor:
        """What the output layer sees, `(B, T, F)`, all steps together."""
        features = walked.vectors
        if features is None:
            assert walked.tops is not None
            parts = [walked.tops]
            if self.in_output:
                if walked.contexts is not None:
                    parts.append(walked.contexts)
                elif self.settings.summary == "every":
                    parts.append(state.summary.expand(-1, embedded.shape[1], -1))
            if self.settings.output in ("deep", "maxout"):
                parts.append(embedded)
            features = parts[0] if len(parts) == 1 else torch.cat(parts, dim=-1)
            if self.combine is not None:
                features = self.combine(features)
            if self.settings.output == "maxout":
                features = features.unflatten(-1, (2, -1)).amax(-2)
            elif self.settings.output != "state":
                features = features.tanh()
        return dropped(features, state.masks[-1])


_MANY_HYPOTHESES = 32
"""With fewer rows a product is too small for it to pay to look for equal ones."""


class _Walked(NamedTuple):
    """What the steps left behind, `(B, T, size)` each."""

    tops: Tensor | None  # the top layer's outputs, under dropout
    contexts: Tensor | None
    vectors: Tensor | None  # the attentional vectors, where they were fed back; they stand for the other two
    attended: tuple[Attended, ...]

    def folded(self, shape: Sequence[int]) -> _Walked:
        """One step of `B N` rows as one of shape `(B, N)`."""
        tops, contexts, vectors = (None if rows is None else rows.view(*shape, -1) for rows in self[:3])
        return _Walked(tops, contexts, vectors, self.attended)


def _joined(*parts: Tensor | None) -> Tensor | None:
    present = [part for part in parts if part is not None]
    return torch.cat(present, dim=-1) if len(present) > 1 else present[0] if present else None


def _expecting(look: Attended, state: RecurrentState) -> Attended:
    """The look, with the expected one where a sentence was told to take that."""
    if state.expected is None or state.memory is None:
        return look
    weights = torch.where(state.expected, look.probabilities, look.weights)
    log_prob = None if look.log_prob is None else look.log_prob.masked_fill(state.expected.squeeze(-1), 0)
    return Attended(weights @ state.memory.values, weights, look.probabilities, look.choice, log_prob, look.state)
