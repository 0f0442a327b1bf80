"""What the first bytes of a file say about its encoding: byte-order marks, and zero bytes where no text has any."""

from __future__ import annotations

import codecs
from pathlib import Path

MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-32-le": codecs.BOM_UTF32_LE,  # before utf-16, with whose mark it starts
    "utf-32-be": codecs.BOM_UTF32_BE,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}
_FEWEST_BYTES = 64


def settled_codec(path: Path, start: bytes, codec: str) -> str:
    """The codec of a file that starts so, `-le` or `-be` included; an error where the file is clearly in another."""
    marked = next((name for name, mark in MARKS.items() if start.startswith(mark)), None)
    if codec in ("utf-16", "utf-32") and marked and marked.startswith(codec):
        return marked
    if marked not in (None, codec):
        right = "utf-8" if marked == "utf-8" else str(marked)[: len("utf-16")]
        raise ValueError(f"{path}: starts with the byte-order mark of {right}; set data.encoding={right}")
    if codec in ("utf-16", "utf-32"):
        raise ValueError(f"{path}: has no byte-order mark; set data.encoding={codec}-le or {codec}-be, or utf-8")
    if start.startswith(b"\x1f\x8b"):
        raise ValueError(f"{path}: is packed by gzip; give it a name that ends in .gz")
    zeros = [position % 2 for position, byte in enumerate(start) if byte == 0]
    wide = len("\n".encode(codec)) > 1
    if wide and not zeros and len(start) > _FEWEST_BYTES:
        raise ValueError(f"{path}: does not look like {codec} (no byte is zero); is data.encoding right?")
    if not wide and len(zeros) > max(len(start), _FEWEST_BYTES) // 20:
        odd = sum(zeros) / len(zeros)
        if 0.1 < odd < 0.9:
            raise ValueError(f"{path}: is not a text file (it holds zero bytes)")
        looks = "utf-16-le" if odd > 0.5 else "utf-16-be"
        raise ValueError(f"{path}: looks like {looks} (every other byte is zero); set data.encoding={looks}")
    return codec
