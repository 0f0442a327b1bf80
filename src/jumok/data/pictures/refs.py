"""Where the pixels of a picture come from: a file, or the number of a practice picture."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jumok.data.pictures.reading import read_picture
from jumok.data.scenes import VERSION, Scene, Scenes

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True)
class PictureFile:
    """A picture in a file; `name` is its path from the folder `root`."""

    root: Path
    name: str

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self.root / self.name

    def load(self) -> Image:
        """The picture in RGB, upright."""
        return read_picture(self.path)

    def content(self) -> bytes:
        """16 bytes that change when the file's bytes do."""
        with self.path.open("rb") as file:
            return hashlib.blake2b(file.read(), digest_size=16).digest()


@dataclass(frozen=True)
class PictureScene:
    """A practice picture, which follows from these numbers (see `Scenes.scene`)."""

    seed: int
    number: int
    objects: tuple[int, int]
    held_out: bool
    size: int

    @property
    def name(self) -> str:
        """The practice data and the number."""
        return f"scenes:{self.number}"

    def scene(self) -> Scene:
        """What is in the picture, with the regions of the words of its caption."""
        return Scenes(self.seed, self.size).scene(self.number, objects=self.objects, held_out=self.held_out)

    def load(self) -> Image:
        """The picture, drawn."""
        return self.scene().picture()

    def content(self) -> bytes:
        """16 bytes that change when the picture does."""
        return hashlib.blake2b(f"scenes {VERSION} {self!r}".encode(), digest_size=16).digest()


PictureRef = PictureFile | PictureScene
"""Either; `.load()` gives the picture, `.name` names it for people."""
