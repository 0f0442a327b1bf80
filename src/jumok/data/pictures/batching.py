"""Batches of captions with their pictures; every picture is taken once a batch, however many captions it has there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Protocol, overload

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from jumok.data import mixing
from jumok.data.pictures.captions import CaptionTokens
from jumok.data.pictures.planning import UnitPlan, apart, shuffled_plan, sorted_plan, together
from jumok.data.planning import BatchSettings
from jumok.data.tokenization import Tokenizer


class PictureSource(Protocol):
    """What pictures are taken from: `FeatureMaps` or `LivePictures`."""

    def take(self, numbers: npt.NDArray[np.int64], epoch: int | None = None) -> Tensor:
        """What an encoder takes of these pictures, as they are in this epoch."""


@dataclass(frozen=True)
class PictureBatch:
    """Captions, the longest first, and the pictures that they are of.

    numbers `(B,)`: of the captions. pictures `(P,)`: the numbers of the pictures, each once. inputs `(P, ...)`: what
    the encoder takes, feature maps or prepared pictures. places `(B,)`: which of them each caption is of.
    target `(B, T + 1)`: `START w1 .. wn END`, then `PAD`; target_lengths `(B,)`: `n + 1`, the tokens to be predicted.
    So `encoder(batch.inputs).keep(batch.places)` has a row for each caption.
    """

    numbers: Tensor
    pictures: Tensor
    inputs: Tensor
    places: Tensor
    target: Tensor
    target_lengths: Tensor

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def tokens(self) -> int:
        """How many tokens are to be predicted."""
        return int(self.target_lengths.sum())

    def to(self, device: torch.device | str) -> PictureBatch:
        """The batch on another device."""
        return PictureBatch(*(getattr(self, field.name).to(device) for field in fields(self)))

    def twice(self) -> PictureBatch:
        """Every caption two times: all of them, then all of them again; the pictures still once."""
        again = {
            name: torch.cat([getattr(self, name)] * 2) for name in ("numbers", "places", "target", "target_lengths")
        }
        return replace(self, **again)


class _Planned(Sequence[PictureBatch]):
    """The batches of a plan, each built when it is asked for; process `rank` of `world` gets `rank::world` of each."""

    def __init__(
        self,
        captions: CaptionTokens,
        source: PictureSource,
        plan: UnitPlan,
        moment: tuple[int, int] | None,
        rank: int,
        world: int,
    ) -> None:
        if not 0 <= rank < world:
            raise ValueError(f"rank {rank} is not one of {world} processes")
        self.captions, self.source, self.plan = captions, source, plan
        self._moment, self._rank, self._world = moment, rank, world

    def __len__(self) -> int:
        return len(self.plan)

    @overload
    def __getitem__(self, index: int) -> PictureBatch: ...
    @overload
    def __getitem__(self, index: slice) -> list[PictureBatch]: ...
    def __getitem__(self, index: int | slice) -> PictureBatch | list[PictureBatch]:
        if isinstance(index, slice):
            return [self[turn] for turn in range(*index.indices(len(self)))]
        rows = self.plan.captions(range(len(self))[index], self._rank, self._world)
        return self._batch(rows)

    def _batch(self, rows: npt.NDArray[np.int64]) -> PictureBatch:
        keys = None
        if self._moment is not None:
            keys = mixing.numbers_at(mixing.key(*self._moment, 2), rows)
        padded = self.captions.side.padded(rows, keys)
        order = np.argsort(-padded.lengths, kind="stable")
        pictures, places = np.unique(self.captions.pictures[rows[order]], return_inverse=True)
        epoch = None if self._moment is None else self._moment[1]
        start = np.full((len(rows), 1), Tokenizer.START, np.int64)
        return PictureBatch(
            torch.from_numpy(rows[order]),
            torch.from_numpy(pictures),
            self.source.take(pictures, epoch),
            torch.from_numpy(places),
            torch.from_numpy(np.concatenate([start, padded.ids], axis=1)[order]),
            torch.from_numpy(padded.lengths[order]),
        )


class PictureBatches(_Planned):
    """The batches of one epoch; they follow from (seed, epoch) alone.

    Captions of like length go together, so that little is padded. With `by_picture` all captions of a picture are in
    one batch: what is done to a picture (decoding, the part of the encoder that learns) is then done once an epoch.
    """

    def __init__(
        self,
        captions: CaptionTokens,
        source: PictureSource,
        settings: BatchSettings,
        seed: int,
        epoch: int,
        *,
        by_picture: bool = False,
        rank: int = 0,
        world: int = 1,
    ) -> None:
        units = together(captions) if by_picture else apart(captions)
        super().__init__(captions, source, shuffled_plan(units, settings, seed, epoch), (seed, epoch), rank, world)


def every_picture(
    captions: CaptionTokens, source: PictureSource, settings: BatchSettings, rank: int = 0, world: int = 1
) -> _Planned:
    """Batches for evaluation: every caption once, all of a picture together, short ones first."""
    return _Planned(captions, source, sorted_plan(together(captions), settings), None, rank, world)
