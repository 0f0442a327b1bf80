"""The memory network: a story is kept sentence by sentence, and a question looks at it several times."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, Protocol

import torch
import torch.nn.functional as F
from pydantic import Field, model_validator
from torch import Tensor, nn

from jumok.attention import KeyValueMemory
from jumok.core.settings import Settings

Text = Literal["sentence", "before", "next", "window"]
Tying = Literal["adjacent", "layerwise", "mapped"]

FIRST_WEIGHTS = 0.1
"""The standard deviation of the weights at the start."""

FEW = 2000
"""Up to so many words, sentences are embedded by a product."""


class MemoryNetworkSettings(Settings):
    """What a memory network is made of."""

    size: int = Field(default=50, ge=1)
    """Of the vector of a sentence."""
    hops: int = Field(default=3, ge=1)
    """How often the question looks at the story."""
    tying: Tying = "adjacent"
    """Which hops share weights: 'adjacent', a hop's values are the next hop's keys, and the question's and the
    answers' embeddings are the first and the last; 'layerwise', all hops share theirs, with one map between hops;
    'mapped', one embedding for all, with a map after each hop (Miller et al. 2016)."""
    positions: bool = True
    """Whether the order of the words in a sentence counts; else it is a bag of words."""
    times: bool = True
    """Whether the order of the sentences counts."""
    memories: int = Field(default=50, ge=1)
    """So many sentences are kept, the last ones."""
    noise: float = Field(default=0.1, ge=0, le=1)
    """While learning, up to this share of empty memories is put between the sentences, so that time is not learned
    by heart; 0: none."""
    nothing: bool = True
    """Whether a hop may look at nothing: a memory that is always there and always empty."""
    keys: Text = "sentence"
    """What a memory is found by: the sentence, the one before it, the next one, or all three (window)."""
    values: Text = "sentence"
    """What is then read: the same choice."""
    linear_start: int = Field(default=0, ge=0)
    """Learn without the softmax of the hops until so many evaluations are done (the authors' own code: 30 epochs); 0:
    never. The paper ends it when the loss no longer falls, which one bad evaluation may do too soon."""

    @model_validator(mode="after")
    def _sensible(self) -> MemoryNetworkSettings:
        if self.noise and not self.times:
            raise ValueError("noise: moves the sentences in time, which times: false leaves out; set noise: 0")
        return self


class StoryRows(Protocol):
    """What the network reads: all sentences of a batch one below the other, and where each belongs."""

    words: Tensor  # (N, L) of the sentences, then of the questions; 0 is no word
    slots: Tensor  # (N - B,) the number of each sentence in the grid (B, S), counted row by row
    lengths: Tensor  # (B,) sentences of each story
    longest: int  # S


class Answered(NamedTuple):
    """What came out: a score for each candidate, and what each hop looked at."""

    logits: Tensor  # (B, answers)
    weights: Tensor  # (B, hops, S); what a row lacks of 1 was looked at nothing


class MemoryNetwork(nn.Module):
    """`u' = u + sum_i p_i c_i`, `p = softmax(u . m_i)`, as often as there are hops; then `softmax(W u)` is the answer
    (Sukhbaatar et al. 2015).

    Memories `m_i` and `c_i` are sums over a sentence's words: `sum_j l_j * E x_ij + T(i)`, with `l_j` for the place of
    the word and `T(i)` for the age of the sentence.

    words: how many there are, with 0 for no word. longest: words of a sentence; those after it are all as late.
    answers: the numbers of the words that are answers.
    """

    linear: Tensor
    heard: Tensor
    answers: Tensor
    places: Tensor
    units: Tensor

    def __init__(self, settings: MemoryNetworkSettings, words: int, longest: int, answers: list[int]) -> None:
        super().__init__()
        self.settings = settings
        size, hops = settings.size, settings.hops
        tables = {"adjacent": hops + 1, "layerwise": 3, "mapped": 1}[settings.tying]
        self.tables = nn.Parameter(torch.randn(words, tables * size) * FIRST_WEIGHTS)  # side by side
        ages = {"adjacent": hops + 1, "layerwise": 2, "mapped": 1}[settings.tying]
        self.ages = nn.Parameter(torch.randn(ages, settings.memories, size) * FIRST_WEIGHTS)
        if not settings.times:
            self.ages.requires_grad_(False).zero_()
        update = "add" if settings.tying == "adjacent" else settings.tying
        self.memory = KeyValueMemory(size, hops, update=update)
        self.output: nn.Parameter | None = None
        if settings.tying != "adjacent":
            self.output = nn.Parameter(torch.randn(len(answers), size) * FIRST_WEIGHTS)
        with torch.no_grad():
            self.tables[0] = 0
            for weights in self.memory.maps.parameters():
                weights.normal_(std=FIRST_WEIGHTS)
        self.register_buffer("answers", torch.tensor(answers), persistent=False)
        self.register_buffer("places", _centred(longest), persistent=False)
        self.register_buffer("units", _centred(size) * settings.positions, persistent=False)
        self.register_buffer("linear", torch.tensor(settings.linear_start > 0))
        self.register_buffer("heard", torch.tensor(0))

    def forward(self, rows: StoryRows, linear: bool | None = None) -> Answered:
        """Answer the questions of a batch.

        linear: whether hops look without a softmax; None: while it learns, as long as the linear start lasts.
        """
        if linear is None:
            linear = self.training and bool(self.linear)
        count = len(rows.lengths)
        sentences = self._sentences(rows.words)  # (tables, N, size)
        keys, values = self._memories(sentences[:, :-count], rows)
        question = sentences[2 if self.settings.tying == "layerwise" else 0, -count:]
        mask = torch.arange(rows.longest, device=rows.lengths.device) < rows.lengths[:, None]  # (B, S)
        mask = F.pad(mask, (0, int(self.settings.nothing)), value=True)
        recalled = self.memory(question, keys, values, mask=mask, linear=linear)
        output = self.output if self.output is not None else self.tables[self.answers, -self.settings.size :]
        return Answered(recalled.query @ output.T, recalled.weights[..., : rows.longest])

    def _sentences(self, words: Tensor) -> Tensor:
        """Each sentence by each table, `(tables, N, size)`.

        The weight of a word is 1 and a product of its place and the unit, so that two sums over the words suffice:
        one as they are, one by place. Where there are few words both are one product with the tables.
        """
        places = self.places[torch.arange(words.shape[1], device=words.device).clamp(max=len(self.places) - 1)]
        sums = (
            _by_product(words, places, self.tables) if len(self.tables) <= FEW else _by_row(words, places, self.tables)
        )
        plain, placed = (part.view(len(words), -1, self.settings.size).transpose(0, 1) for part in sums)
        return torch.addcmul(plain, placed, self.units)

    def _memories(self, sentences: Tensor, rows: StoryRows) -> tuple[list[Tensor], list[Tensor]]:
        """Keys and values of each hop, `(B, S, size)`, with an empty one at the end where nothing may be looked at."""
        ages = self._ages(rows)  # (memory tables, N - B, size)
        sentences = sentences[: len(ages)]
        grids = {}
        for text in dict.fromkeys((self.settings.keys, self.settings.values)):
            if text == "sentence":
                grid = _grid(sentences + ages, rows)
            else:
                grid = _text(_grid(sentences, rows), text) + _grid(ages, rows)
            grids[text] = F.pad(grid, (0, 0, 0, int(self.settings.nothing))).unbind()
        keys, values = grids[self.settings.keys], grids[self.settings.values]
        numbers = [
            {"adjacent": (hop, hop + 1), "layerwise": (0, 1), "mapped": (0, 0)}[self.settings.tying]
            for hop in range(self.settings.hops)
        ]
        return [keys[key] for key, _ in numbers], [values[value] for _, value in numbers]

    def _ages(self, rows: StoryRows) -> Tensor:
        """The vectors for the age of each sentence; the last one of a story is the youngest."""
        places = torch.arange(rows.longest, device=rows.lengths.device)
        numbers = (rows.lengths[:, None] - 1 - places).clamp(min=0)  # (B, S)
        if self.training and self.settings.noise:
            numbers = with_empty(rows.lengths, rows.longest, self.settings.noise).gather(1, numbers)
        oldest = self.ages.shape[1] - 1
        return self.ages.index_select(1, numbers.flatten()[rows.slots].clamp(max=oldest))

    def note_evaluation(self) -> None:
        """Hear that an evaluation is done; the last one of the linear start ends it."""
        self.heard += 1
        self.linear.fill_(bool(self.heard < self.settings.linear_start))


def with_empty(lengths: Tensor, longest: int, share: float) -> Tensor:
    """Ages `(B, S)` of the sentences, youngest first, when up to `share` of a story are empty memories between them."""
    most = math.ceil(longest * share)
    limits = (lengths * share).ceil()
    empty = (torch.rand(lengths.shape, device=lengths.device) * (limits + 1)).long()
    ages = torch.arange(longest + most, device=lengths.device)
    there = ages < (lengths + empty)[:, None]
    order = torch.rand(there.shape, device=lengths.device).masked_fill(~there, 2.0).argsort(1).argsort(1)
    taken = there & (order >= empty[:, None])  # all but the first so many in a random order
    return ages.expand_as(taken).masked_fill(~taken, longest + most).sort(1).values[:, :longest]


def _by_product(words: Tensor, places: Tensor, tables: Tensor) -> Tensor:
    """The sums over each sentence's words of their rows in the tables, as they are and by place, `(2, N, tables)`."""
    weights = torch.stack([torch.ones_like(places), places])[:, None].expand(2, *words.shape)
    bags = weights.new_zeros(2, len(words), len(tables)).scatter_add_(2, words.expand(2, -1, -1), weights)
    bags[..., 0] = 0  # no word
    return bags @ tables


def _by_row(words: Tensor, places: Tensor, tables: Tensor) -> Tensor:
    """The same, row by row: slower where there are few words, and the only way where there are many."""
    rows = F.embedding(words, tables, padding_idx=0)  # (N, L, tables)
    return torch.stack([rows.sum(1), (rows * places[:, None]).sum(1)])


def _centred(count: int) -> Tensor:
    """Numbers from about -1 to 1."""
    return (torch.arange(count) - (count - 1) / 2) * 2 / count


def _grid(vectors: Tensor, rows: StoryRows) -> Tensor:
    """The vectors of all sentences `(tables, N, size)` at their places in the stories, `(tables, B, S, size)`."""
    tables, _, size = vectors.shape
    grid = vectors.new_zeros(tables, len(rows.lengths) * rows.longest, size)
    return grid.index_copy(1, rows.slots, vectors).view(tables, len(rows.lengths), rows.longest, size)


def _text(grid: Tensor, text: str) -> Tensor:
    """The neighbours of the sentences `(..., S, size)`; there is nothing beyond the ends of a story."""
    before, following = F.pad(grid, (0, 0, 1, -1)), F.pad(grid, (0, 0, -1, 1))
    return {"before": before, "next": following}.get(text, before + grid + following)
