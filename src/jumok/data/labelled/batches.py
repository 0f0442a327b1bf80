"""Labelled texts as token ids in memory, and the batches of an epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, overload

import numpy as np
import numpy.typing as npt
import torch

from jumok.data.labelled.sequences import Sequences
from jumok.data.labelled.texts import LabelledText
from jumok.data.planning import BatchSettings, Plan, shuffled_plan, sorted_plan
from jumok.data.tokenization import Tokenizer


class EncodedTexts(NamedTuple):
    """Texts as token ids, one behind the other: text `i` has `ids[starts[i] : starts[i + 1]]`."""

    ids: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64] | npt.NDArray[np.float32]
    numbers: npt.NDArray[np.int64]
    too_long: int

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The tokens of each text."""
        return np.diff(self.starts)

    def batch(self, rows: npt.NDArray[np.int64]) -> Sequences:
        """These texts as a batch."""
        lengths = self.lengths[rows]
        inputs = np.full((len(rows), int(lengths.max(initial=0))), Tokenizer.PAD, np.int64)
        for place, row in enumerate(rows):
            inputs[place, : lengths[place]] = self.ids[self.starts[row] : self.starts[row + 1]]
        return Sequences(
            torch.from_numpy(self.numbers[rows]),
            torch.from_numpy(inputs),
            torch.from_numpy(lengths),
            torch.from_numpy(self.targets[rows]),
        )


def encode_texts(
    texts: Iterable[LabelledText],
    tokenizer: Tokenizer,
    labels: Sequence[str] | None,
    max_length: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> EncodedTexts:
    """Cut texts into tokens; without `labels` their targets are numbers. Those over `max_length` are left out."""
    known = None if labels is None else {label: number for number, label in enumerate(labels)}
    pieces, targets, numbers, too_long = [], [], [], 0
    for count, row in enumerate(texts):
        ids = tokenizer.encode(row.text)
        if max_length is not None and len(ids) > max_length:
            too_long += 1
            continue
        pieces.append(np.array(ids, np.int32))
        targets.append(row.value if known is None else known[row.label])
        numbers.append(row.number)
        if progress is not None and count % 1000 == 0:
            progress(count)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum([len(ids) for ids in pieces], dtype=np.int64)])
    flat = np.concatenate(pieces) if pieces else np.zeros(0, np.int32)
    told = np.array(targets, np.float32) if known is None else np.array(targets, np.int64)
    return EncodedTexts(flat, starts, told, np.array(numbers, np.int64), too_long)


class Labelled(Protocol):
    """What batches are made of: texts, or pictures."""

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """How much each counts for in a batch."""
        ...

    def batch(self, rows: npt.NDArray[np.int64]) -> Sequences:
        """These as a batch."""
        ...


class LabelledBatches(Sequence[Sequences]):
    """The batches of a plan, each built when it is asked for; process `rank` of `world` gets its rows of each."""

    def __init__(self, labelled: Labelled, plan: Plan, rank: int = 0, world: int = 1) -> None:
        self.labelled, self.plan, self.rank, self.world = labelled, plan, rank, world

    @classmethod
    def of_epoch(
        cls, labelled: Labelled, settings: BatchSettings, seed: int, epoch: int, rank: int = 0, world: int = 1
    ) -> LabelledBatches:
        """The batches of one epoch; they follow from (seed, epoch) alone."""
        lengths = _short(labelled.lengths)
        return cls(labelled, shuffled_plan(lengths, lengths, settings, seed, epoch), rank, world)

    @classmethod
    def all_of(cls, labelled: Labelled, settings: BatchSettings) -> LabelledBatches:
        """Batches for evaluation: every one once, short ones first."""
        lengths = _short(labelled.lengths)
        return cls(labelled, sorted_plan(lengths, lengths, settings))

    def __len__(self) -> int:
        return len(self.plan)

    @overload
    def __getitem__(self, index: int) -> Sequences: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sequences]: ...
    def __getitem__(self, index: int | slice) -> Sequences | list[Sequences]:
        if isinstance(index, slice):
            return [self[turn] for turn in range(*index.indices(len(self)))]
        rows = self.plan.rows(range(len(self))[index])
        return self.labelled.batch(rows[self.rank :: self.world])


def _short(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.uint16]:
    """Lengths as a plan takes them."""
    return np.minimum(lengths, np.iinfo(np.uint16).max).astype(np.uint16)
