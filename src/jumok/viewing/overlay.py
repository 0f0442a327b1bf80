"""A picture as a look saw it: bright where the look rested, dark and grey elsewhere."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from jumok.viewing.map import AttentionMap, Weights

if TYPE_CHECKING:
    from PIL.Image import Image

DARK = 0.3
"""How bright a picture is where nobody looks."""
EVEN = 4.0
"""Full brightness is the largest weight, but at least so many times the even share: a look at everything stays dim."""
LARGEST = 512
"""The longer side of a picture that a map carries, in pixels."""


def opened(content: bytes) -> Image:
    """The picture of these bytes, in RGB."""
    from PIL import Image, UnidentifiedImageError

    try:
        return Image.open(io.BytesIO(content)).convert("RGB")
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise ValueError(f"the map's picture cannot be read: {error}") from None


def packed(picture: Image) -> bytes:
    """A picture as bytes that a map can carry; one that is larger than needed is made smaller."""
    from PIL import Image

    smaller = picture.convert("RGB")
    smaller.thumbnail((LARGEST, LARGEST), Image.Resampling.LANCZOS)
    content = io.BytesIO()
    if max(smaller.size) <= 256:  # drawings and icons stay sharp
        smaller.save(content, "PNG")
    else:
        smaller.save(content, "JPEG", quality=90)
    return content.getvalue()


def regions(look: AttentionMap) -> Weights:
    """The weights as they lie on the picture, `(rows, height, width)`: last layer, mean of its heads."""
    if look.grid is None:
        raise ValueError("this map is not one over a picture: it has no grid")
    laid: Weights = look.matrix.reshape(len(look.rows), *look.grid)
    return laid


def brightness(weights: Weights, size: tuple[int, int]) -> NDArray[np.float32]:
    """From 0 to 1 for every pixel of a picture of this size `(width, height)`, smooth between regions `(h, w)`."""
    from PIL import Image

    top = max(float(weights.max()), EVEN / weights.size)
    shares = Image.fromarray((weights / top).astype(np.float32))
    return np.clip(np.asarray(shares.resize(size, Image.Resampling.BICUBIC), np.float32), 0, 1)


def lit(picture: Image, weights: Weights) -> Image:
    """The picture, lit by the weights `(h, w)` of its regions."""
    from PIL import Image

    colours = np.asarray(picture.convert("RGB"), np.float32)
    grey = np.asarray(picture.convert("L"), np.float32)[..., None] * DARK
    share = brightness(weights, picture.size)[..., None]
    return Image.fromarray((colours * share + grey * (1 - share)).round().astype(np.uint8))
