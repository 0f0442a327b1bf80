"""The files of a cache of feature maps: pairs of `.maps` and `.keys`, each written by one run and never changed."""

from __future__ import annotations

import errno
import math
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

KEY_SIZE = 16

Maps = npt.NDArray[Any]
Place = tuple[int, int]
"""The number of a segment, and a row in it."""

_ADVICE = "make room, or set JUMOK_CACHE to a folder on another disk"


class Segment(NamedTuple):
    """Maps that one run wrote, as far as they are whole."""

    path: Path
    keys: list[bytes]
    shape: tuple[int, int]
    dtype: str

    def maps(self) -> Maps:
        """All maps, `(n, *shape)`, mapped into memory."""
        return np.memmap(self.path, dtype=self.dtype, mode="r", shape=(len(self.keys), *self.shape))


def open_segments(folder: Path, shape: tuple[int, int], dtype: str) -> list[Segment]:
    """The segments of a folder that have a map at all."""
    size = _bytes_of_map(shape, dtype)
    found = []
    for path in sorted(folder.glob("*.keys")):
        maps = path.with_suffix(".maps")
        if not maps.is_file():
            continue
        content = path.read_bytes()
        whole = min(len(content) // KEY_SIZE, maps.stat().st_size // size)
        keys = [content[start : start + KEY_SIZE] for start in range(0, whole * KEY_SIZE, KEY_SIZE)]
        if keys:
            found.append(Segment(maps, keys, shape, dtype))
    return found


def places_of(segments: Sequence[Segment]) -> dict[bytes, Place]:
    """Where the map of each content is."""
    return {key: (number, row) for number, segment in enumerate(segments) for row, key in enumerate(segment.keys)}


def check_space(folder: Path, count: int, shape: tuple[int, int], dtype: str) -> None:
    """Raise an `OSError` where so many maps do not fit on the disk, before hours are spent on them."""
    needed, free = count * (_bytes_of_map(shape, dtype) + KEY_SIZE), shutil.disk_usage(folder).free
    if needed > free:
        told = f"{needed / 1e9:.1f} GB are needed for feature maps, and {free / 1e9:.1f} GB are free"
        raise OSError(f"{folder.parent}: {told}; {_ADVICE}")


class SegmentWriter:
    """Appends maps to a new segment; what was appended is on the disk."""

    def __init__(self, folder: Path, shape: tuple[int, int], dtype: str) -> None:
        self.folder, self.shape, self.dtype = folder, shape, dtype
        handle, name = tempfile.mkstemp(suffix=".maps", dir=folder)
        self._path = Path(name)
        self._maps = os.fdopen(handle, "wb", buffering=0)
        self._keys = self._path.with_suffix(".keys").open("wb", buffering=0)

    def append(self, keys: Sequence[bytes], maps: Maps) -> None:
        """Write the maps, then their keys."""
        if maps.shape != (len(keys), *self.shape) or maps.dtype != np.dtype(self.dtype):
            wanted = (len(keys), *self.shape)
            raise ValueError(f"maps should be {wanted} of {self.dtype}, not {maps.shape} of {maps.dtype}")
        try:
            _write(self._maps.fileno(), maps.tobytes())
            os.fsync(self._maps.fileno())
            _write(self._keys.fileno(), b"".join(keys))
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise OSError(f"{self.folder.parent}: the disk is full; {_ADVICE}") from None
            raise

    def __enter__(self) -> SegmentWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        empty = os.fstat(self._keys.fileno()).st_size == 0
        self._maps.close()
        self._keys.close()
        if empty:
            self._path.unlink()
            self._path.with_suffix(".keys").unlink()


def _write(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]


def _bytes_of_map(shape: tuple[int, int], dtype: str) -> int:
    return math.prod(shape) * np.dtype(dtype).itemsize
