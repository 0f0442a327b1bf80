"""Every kind of pixel as RGB: grey, palette, transparency, 16 bits, inks, colour profiles."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

_WIDE = ("I;16", "I;16L", "I;16B", "I;16N", "I", "F")


def to_rgb(image: Image) -> Image:
    """The picture in RGB with eight bits a colour; it is unpacked by this.

    16 bits are scaled, not cut off. What is transparent lies on white. A colour profile in the file is followed.
    """
    image.load()
    if image.mode in _WIDE:
        return _narrowed(image).convert("RGB")
    if image.has_transparency_data:
        from PIL import Image as images

        above = image.convert("RGBA")
        white = images.new("RGBA", above.size, (255, 255, 255, 255))
        return images.alpha_composite(white, above).convert("RGB")
    transform = _transform(image.info.get("icc_profile") or b"", image.mode)
    if transform is not None:
        from PIL import ImageCms

        return ImageCms.applyTransform(image, transform) or image
    return image.convert("RGB")


def _narrowed(image: Image) -> Image:
    """Grey of 16 or 32 bits, or of real numbers from 0 to 1 or to 255, as eight bits."""
    import numpy as np
    from PIL import Image as images

    grey: Any = np.nan_to_num(np.asarray(image).astype(np.float64))
    largest = (1 if grey.max(initial=0.0) <= 1 else 255) if image.mode == "F" else 65535
    grey *= 255 / largest
    return images.fromarray(np.clip(np.rint(grey), 0, 255).astype(np.uint8))


@lru_cache(maxsize=32)
def _transform(profile: bytes, mode: str) -> Any:
    """What leads from a profile to sRGB; None where there is no profile, it is sRGB already, or cannot be used."""
    if not profile or mode not in ("RGB", "CMYK", "L"):
        return None
    try:
        from PIL import ImageCms

        given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "sRGB" in (given.profile.profile_description or ""):
            return None
        plain = ImageCms.createProfile("sRGB")
        return ImageCms.buildTransform(given, plain, mode, "RGB", flags=ImageCms.Flags.NOCACHE)  # used by threads
    except Exception:  # a damaged profile, or a Pillow built without profiles: the colours are nearly right without
        return None
