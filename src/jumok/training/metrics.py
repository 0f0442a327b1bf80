"""`metrics.jsonl`: a line for every so many updates, a line for every evaluation."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Metrics:
    """A file of JSON lines that grows, and can be cut back to where a checkpoint knew it."""

    def __init__(self, path: Path, length: int) -> None:
        """Opens it, cut back to `length` bytes and to whole lines."""
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        kept = os.read(self._handle, length) if length else b""
        self.length = kept.rfind(b"\n") + 1
        os.ftruncate(self._handle, self.length)
        os.lseek(self._handle, self.length, os.SEEK_SET)

    def add(self, values: Mapping[str, Any]) -> None:
        line = (json.dumps(_plain(values), ensure_ascii=False, allow_nan=False) + "\n").encode()
        while line:  # a disk that is filling up takes a part, then none
            written = os.write(self._handle, line)
            self.length += written
            line = line[written:]

    def sync(self) -> None:
        os.fsync(self._handle)

    def close(self) -> None:
        os.close(self._handle)


def _plain(value: Any) -> Any:
    """Numbers that JSON has no word for become null."""
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
