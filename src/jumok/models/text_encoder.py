"""The recurrent text encoder: a state for every word."""

from __future__ import annotations

from typing import Literal

import torch
from pydantic import Field
from torch import Tensor, nn

from jumok.core.settings import Settings
from jumok.models.dropping import dropped, random_mask
from jumok.models.encoded import Encoded
from jumok.models.recurrent import CellKind, Recurrent


class RecurrentEncoderSettings(Settings):
    """A recurrent encoder."""

    kind: Literal["recurrent"] = "recurrent"
    cell: CellKind = "lstm"
    """lstm or gru."""
    hidden_size: int = Field(default=256, ge=1)
    """Size of the state, for each direction."""
    layers: int = Field(default=1, ge=1)
    """How many layers, one on the other."""
    bidirectional: bool = True
    """Whether a second row of cells reads from the end; a word's state then has both directions."""


class RecurrentEncoder(nn.Module):
    """LSTM or GRU layers, read in one direction or in both (Schuster & Paliwal 1997; Bahdanau et al. 2015, 3.2).

    Padding changes nothing: the second direction starts at each sentence's own last word. The summary is the state
    after the last word of the top layer (with two directions: and the state before the first).
    """

    def __init__(self, settings: RecurrentEncoderSettings, embedding: nn.Embedding, dropout: float = 0.0) -> None:
        super().__init__()
        self.embedding = embedding
        self.dropout = dropout
        self.directions = 2 if settings.bidirectional else 1
        self.size = self.summary_size = self.directions * settings.hidden_size
        sizes = [embedding.embedding_dim, *[self.size] * (settings.layers - 1)]
        self.layers = nn.ModuleList(
            Recurrent(settings.cell, size, settings.hidden_size) for size in sizes for _ in range(self.directions)
        )

    def forward(self, words: Tensor, lengths: Tensor) -> Encoded:
        """Encode words `(B, S)`, of which the first `lengths` `(B,)` of each row count."""
        places = torch.arange(words.shape[1], device=words.device)
        mask = places < lengths[:, None]  # (B, S)
        turned = torch.where(mask, lengths[:, None] - 1 - places, places)  # each row's words from the last to the first
        states = self._dropped(self.embedding(words))
        last = (lengths - 1).clamp_min(0)[:, None, None]
        ends: list[Tensor] = []
        layers = iter(self.layers)
        for forward in layers:
            sides = [forward(states)]  # (B, S, H)
            if self.directions == 2:
                sides.append(next(layers)(_reordered(states, turned)))
            ends = [read.take_along_dim(last, 1).squeeze(1) for read in sides]
            if self.directions == 2:
                sides[1] = _reordered(sides[1], turned)
            states = self._dropped(torch.cat(sides, dim=-1))
        return Encoded(states, mask, torch.cat(ends, dim=-1))

    def _dropped(self, states: Tensor) -> Tensor:
        share = self.dropout if self.training else 0.0
        return dropped(states, random_mask(share, states, states.shape[0], 1, states.shape[-1]))


def _reordered(states: Tensor, places: Tensor) -> Tensor:
    return states.gather(1, places.unsqueeze(-1).expand(-1, -1, states.shape[-1]))
