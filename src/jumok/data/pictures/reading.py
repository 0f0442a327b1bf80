"""A picture file as right RGB: upright, eight bits a colour, on white where it is transparent."""

from __future__ import annotations

import io
import threading
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from jumok.data.pictures.colours import to_rgb

if TYPE_CHECKING:
    from PIL.Image import Image

SHORTEST_SIDE, LONGEST_SIDE = 8, 16_384
"""The sides that a picture may have, in pixels."""

MOST_PIXELS = 80_000_000
"""The largest picture; 240 MB when it is unpacked. Pillow warns from 89 million on."""

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
"""What is read. Not the others of Pillow: some of them start other programs."""

ENDINGS = frozenset((".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm"))
"""The files of a folder that are taken for pictures."""

_ORIENTATION = 0x0112
_TURNS = (
    *("FLIP_LEFT_RIGHT", "ROTATE_180", "FLIP_TOP_BOTTOM", "TRANSPOSE"),
    *("ROTATE_270", "TRANSVERSE", "ROTATE_90"),
)  # what makes a picture upright whose tag says 2, 3, ... 8
_OPENING = threading.Lock()


class PictureError(ValueError):
    """A picture that cannot be read: where it is, why, and what to do."""

    def __init__(self, place: str, reason: str, detail: str = "") -> None:
        super().__init__(f"{place}: {reason}{f' ({detail})' if detail else ''}")
        self.place, self.reason, self.detail = place, reason, detail


def read_picture(source: Path | bytes, name: str | None = None) -> Image:
    """The picture in a file, or in its bytes, as RGB; `name` is what an error calls it.

    The size is checked before anything is unpacked. Of several frames it is the first. A file that is not there, not a
    picture, broken, too small or too large is a `PictureError` of one line.

    >>> read_picture(b"", "cat.jpg")
    Traceback (most recent call last):
    jumok.data.pictures.reading.PictureError: cat.jpg: the file is empty
    """
    place = name or (str(source) if isinstance(source, Path) else "picture")
    content = source if isinstance(source, bytes) else _bytes_of(source, place)
    if not content:
        raise PictureError(place, "the file is empty")
    return as_picture(_open(content, place), place)


def as_picture(image: Image, name: str = "picture") -> Image:
    """A Pillow image as `read_picture` gives it; one that it gave stays as it is.

    Tags are read last: Pillow finds some only behind the pixels, and turns a TIFF itself.
    """
    _check_size(image.size, name)
    try:
        right = to_rgb(image)
    except Exception as error:  # Pillow's readers raise whatever went wrong within them
        raise PictureError(name, "the picture is broken", _first_line(error)) from None
    orientation = _orientation(image)
    if orientation in range(2, 9):
        from PIL.Image import Transpose

        right = right.transpose(Transpose[_TURNS[orientation - 2]])
    right.info = {}  # orientation, profile and transparency of the file: they hold no longer
    return right


def _bytes_of(path: Path, place: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise PictureError(place, "there is no such picture") from None
    except OSError as error:
        raise PictureError(place, "the picture cannot be read", error.strerror or str(error)) from None


def _open(content: bytes, place: str) -> Image:
    """Read the header. Warnings are global to the process, so one thread at a time turns them off."""
    from PIL import Image, UnidentifiedImageError

    with _OPENING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Image.open(io.BytesIO(content), formats=FORMATS)
        except UnidentifiedImageError:
            known = "read are JPEG, PNG, WebP, GIF, BMP, TIFF and PPM"
            raise PictureError(place, "not a picture", known) from None
        except Image.DecompressionBombError:
            raise PictureError(place, "the picture is too large", f"more than {MOST_PIXELS:,} pixels") from None
        except Exception as error:  # as above
            raise PictureError(place, "the picture is broken", _first_line(error)) from None


def _orientation(image: Image) -> int:
    with _OPENING, warnings.catch_warnings():  # as above
        warnings.simplefilter("ignore")
        try:
            found = image.getexif().get(_ORIENTATION, 1)
        except Exception:  # damaged tags: the picture itself may be whole
            return 1
    return found if isinstance(found, int) else 1


def _check_size(size: tuple[int, int], place: str) -> None:
    width, height = size
    told = f"{width:,} x {height:,} pixels"
    if min(size) < SHORTEST_SIDE:
        raise PictureError(place, "the picture is too small", f"{told}; each side needs at least {SHORTEST_SIDE}")
    if max(size) > LONGEST_SIDE or width * height > MOST_PIXELS:
        most = f"at most {LONGEST_SIDE:,} a side and {MOST_PIXELS:,} in all"
        raise PictureError(place, "the picture is too large", f"{told}; {most}; make it smaller")


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
