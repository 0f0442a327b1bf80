"""Pictures that are given to a model, in whatever form, and what is shown of them behind its looks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jumok.data.pictures import PictureFile, PictureScene, read_picture
from jumok.data.pictures.reading import as_picture
from jumok.viewing.overlay import packed

if TYPE_CHECKING:
    from PIL.Image import Image

    from jumok.models.pictures import PictureEncoder

    Picture = str | Path | bytes | Image | PictureFile | PictureScene


class Seen(NamedTuple):
    """A picture, and what people call it."""

    name: str
    image: Image


def seen_as(picture: Picture) -> Seen:
    """The picture, decoded."""
    if isinstance(picture, str | Path):
        return Seen(str(picture), read_picture(Path(picture)))
    if isinstance(picture, bytes):
        return Seen("picture", read_picture(picture))
    if isinstance(picture, PictureFile | PictureScene):
        return Seen(picture.name, picture.load())
    from PIL.Image import Image

    if not isinstance(picture, Image):
        raise ValueError(f"{type(picture).__name__} is no picture; give a path, the bytes of a file, or a Pillow image")
    name = str(getattr(picture, "filename", "") or "picture")
    return Seen(name, as_picture(picture, name))


def shown(image: Image, encoder: PictureEncoder) -> bytes:
    """The part of a picture that an encoder's regions cover, as a file of bytes."""
    left, top, right, bottom = map(round, encoder.seen(image.size))
    return packed(image.crop((left, top, right, bottom)))
