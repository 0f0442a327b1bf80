"""A PNG without any library, for the cells of maps too large to draw one by one."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from jumok.viewing.palettes import Colours


def indexed_png(indices: NDArray[np.uint8], colours: Colours) -> bytes:
    """A PNG with one pixel an entry of `indices` `(height, width)`, coloured by `colours` `(256, 3)`."""
    height, width = indices.shape
    lines = np.concatenate([np.zeros((height, 1), np.uint8), indices], axis=1)  # each line begins with filter 0
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", colours.tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 6)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
