"""How many pictures are decoded at once; Pillow works outside of Python's lock."""

from __future__ import annotations

import os

_MOST = 8


def decoding_threads() -> int:
    """As many as there are cores for this process, and not more than help."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _MOST)
