"""Many sources: sorted by length into batches, given back in their order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import torch
from torch import Tensor

from jumok.core.abreast import Stopped, abreast
from jumok.data import Tokenizer
from jumok.decoding.hypothesis import Hypothesis
from jumok.decoding.machine import Machine
from jumok.decoding.search import Search
from jumok.decoding.settings import SearchSettings

TOKENS_AT_ONCE = 8192
"""Source tokens times hypotheses in a batch: few steps with large products; twice as many were no faster."""

_FEWEST_TOKENS = TOKENS_AT_ONCE // 4
"""A batch is not divided into smaller ones than this to occupy all cores."""


def decode(
    machine: Machine,
    sources: Sequence[Sequence[int]],
    settings: SearchSettings | None = None,
    *,
    prefixes: Sequence[Sequence[int]] | None = None,
    first: int = 0,
    generator: torch.Generator | None = None,
    gone: Callable[[], Collection[int]] | None = None,
) -> Iterator[tuple[int, list[Hypothesis]]]:
    """What was found for each source (token ids, without `END`), with its place; the longest sources come first.

    prefixes: tokens that each target begins with. first: the number of the first source, for drawing.
    gone: asked after every step for the places of sources that nobody waits for any more; they get what they have.
    On a CPU batches are searched side by side, unless looks are drawn.
    """
    settings = settings or SearchSettings()
    at_once = machine.lanes

    def found(places: list[int], stopped: Stopped) -> list[list[Hypothesis]]:
        words, lengths = padded([[*sources[place], Tokenizer.END] for place in places], machine.device)
        with torch.no_grad():
            encoded = machine.encode(words, lengths)
            search = Search(
                machine,
                encoded,
                settings.limits(lengths),
                settings,
                prefixes=None if prefixes is None else [prefixes[place] for place in places],
                numbers=torch.tensor(places, device=machine.device) + first,
                generator=generator,
            )
        for _ in search:
            if stopped():
                break
            if gone is not None:
                away = gone()
                search.drop(row for row, place in enumerate(places) if place in away)
        return search.hypotheses()

    plan = list(batches([len(source) + 1 for source in sources], settings.width, at_once))
    for places, hypotheses in zip(plan, abreast(found, plan, at_once), strict=True):
        yield from zip(places, hypotheses, strict=True)


def padded(rows: Sequence[Sequence[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    """Token ids as a table `(B, longest)` with `PAD` behind the shorter rows, and their lengths `(B,)`."""
    lengths = torch.tensor([len(row) for row in rows], dtype=torch.int64)
    table = torch.full((len(rows), int(lengths.max()) if len(rows) else 0), Tokenizer.PAD)
    for row, tokens in zip(table, rows, strict=True):
        row[: len(tokens)] = torch.tensor(tokens, dtype=torch.int64)
    return table.to(device), lengths.to(device)


def batches(lengths: Sequence[int], width: int = 1, at_once: int = 1) -> Iterator[list[int]]:
    """The places of sources of like length, so many that they fill a batch; the longest first.

    at_once: how many batches there should be at least, where there is enough for them.
    """
    most = min(TOKENS_AT_ONCE, max(_FEWEST_TOKENS, sum(lengths) * width // at_once))
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and (len(batch) + 1) * lengths[batch[0]] * width > most:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
