"""Other views of a picture while a model learns; which one follows from (seed, epoch, picture) alone."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field, model_validator

from jumok.core.settings import Settings
from jumok.data import mixing

if TYPE_CHECKING:
    from PIL.Image import Image


class Augmentation(Settings):
    """How training pictures are changed from epoch to epoch; feature maps are then cached only of so many `views`."""

    crop: float = Field(default=0.0, ge=0, lt=1)
    """The largest share of width and height that is cut off, at random places."""

    flip: bool = False
    """Whether every other picture is mirrored. Captions that say left and right are then wrong, as is writing."""

    views: int | None = Field(default=None, ge=2, le=100)
    """How many views each picture has, the first as it is; they are computed once and cached, and epochs take turns.
    Unless it is given every epoch has views of its own, and nothing is cached."""

    @model_validator(mode="after")
    def _fits(self) -> Augmentation:
        if self.views is not None and not self.changes:
            raise ValueError("views: they would all be alike; set crop or flip, too")
        return self

    @property
    def changes(self) -> bool:
        """Whether it does anything."""
        return self.crop > 0 or self.flip

    def apply(self, image: Image, seed: int, epoch: int, number: int) -> Image:
        """The view of picture `number` in this epoch."""
        shares = [int(word) / 2**64 for word in mixing.stream(mixing.key(seed, epoch, number, 3), 4)]
        if self.crop:
            kept = 1 - self.crop * shares[0]
            width, height = max(1, round(image.width * kept)), max(1, round(image.height * kept))
            left, top = int((image.width - width + 1) * shares[1]), int((image.height - height + 1) * shares[2])
            image = image.crop((left, top, left + width, top + height))
        if self.flip and shares[3] < 0.5:
            from PIL.Image import Transpose

            image = image.transpose(Transpose.FLIP_LEFT_RIGHT)
        return image


@dataclass(frozen=True)
class View:
    """One of the views that are cached of each picture, by its number; it follows from the picture's content."""

    augmentation: Augmentation
    seed: int
    number: int

    def of(self, image: Image, content: bytes) -> Image:
        """The view of a picture with this content."""
        return self.augmentation.apply(image, self.seed, self.number, int.from_bytes(content[:7], "little"))

    def key(self, content: bytes) -> bytes:
        """What stands for the view of a picture with this content, as its content does for the picture."""
        told = f"{self.augmentation.crop} {self.augmentation.flip} {self.seed} {self.number}"
        return hashlib.blake2b(content + told.encode(), digest_size=len(content)).digest()
