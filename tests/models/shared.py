"""Small models and batches for the tests of this room."""

from __future__ import annotations

from typing import Any

import torch

from jumok.data import Batch
from jumok.models import EncoderDecoder, ModelSettings, Sums

SOURCE_WORDS, TARGET_WORDS = 23, 29


def small(preset: str | None = None, **settings: Any) -> EncoderDecoder:
    """A model of this preset, with sizes of a few numbers."""
    kind = "transformer" if preset == "transformer" else "recurrent"
    sizes: dict[str, dict[str, Any]] = {
        "recurrent": {"encoder": {"hidden_size": 6}, "decoder": {"hidden_size": 12}},
        "transformer": {
            "encoder": {"kind": kind, "layers": 2, "heads": 2, "inner_size": 16},
            "decoder": {"kind": kind, "layers": 2, "heads": 2, "inner_size": 16},
        },
    }
    values = {"preset": preset, "embedding_size": 8, **settings}
    for part, size in sizes[kind].items():
        values[part] = {**size, **values.get(part, {})}
    torch.manual_seed(3)
    return EncoderDecoder(ModelSettings(**values), SOURCE_WORDS, TARGET_WORDS).double()


def batch(rows: int = 4, source: int = 6, target: int = 5, more: int = 0) -> Batch:
    """Random pairs, the longest of these lengths; `more` places of padding behind them."""
    generator = torch.Generator().manual_seed(rows + 10 * source + 100 * target)

    def side(words: int, longest: int, first: int) -> tuple[torch.Tensor, torch.Tensor]:
        lengths = torch.randint(1, longest + 1, (rows,), generator=generator)
        lengths[0] = longest
        ids = torch.randint(4, words, (rows, longest + more + first), generator=generator)
        ids[:, 0] = 2 if first else ids[:, 0]
        padding = torch.arange(longest + more + first) >= lengths[:, None] + first
        return ids.masked_fill(padding, 0), lengths

    source_ids, source_lengths = side(SOURCE_WORDS, source, 0)
    target_ids, target_lengths = side(TARGET_WORDS, target, 1)
    return Batch(torch.arange(rows), source_ids, source_lengths, target_ids, target_lengths)


def padded(given: Batch, more: int) -> Batch:
    """The same pairs with more padding."""

    def wider(ids: torch.Tensor) -> torch.Tensor:
        return torch.cat([ids, ids.new_zeros(len(ids), more)], dim=1)

    return Batch(given.numbers, wider(given.source), given.source_lengths, wider(given.target), given.target_lengths)


def gradients(model: EncoderDecoder, sums: Sums) -> dict[str, torch.Tensor]:
    """The gradient of each parameter, zeros where there is none."""
    model.zero_grad()
    sums.sum.backward()
    return {
        name: torch.zeros_like(parameter) if parameter.grad is None else parameter.grad.clone()
        for name, parameter in model.named_parameters()
    }
