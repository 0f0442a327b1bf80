"""The folder for what can be made again: tokenizers, token ids. Each entry is a folder that is whole or not there."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from jumok.core.files import folder_beside

_OLD = 48 * 3600  # seconds after which a folder that was never finished is taken away


def cache_folder() -> Path:
    """`JUMOK_CACHE` where that is set, else `jumok` in the folder that the system keeps for caches."""
    given = os.environ.get("JUMOK_CACHE")
    if given:
        return Path(given).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "jumok"


def entry_name(key: Mapping[str, Any]) -> str:
    """The name of the entry for what `key` describes; another value of anything in it is another name."""
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:32]


def fill_entry(folder: Path, whole: Callable[[], bool], fill: Callable[[Path], None]) -> None:
    """Make `folder` by `fill`, unless it is `whole`. Two processes that do it at once end with one folder.

    What is there and not whole is damaged, and taken away.
    """
    if whole():
        return
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _clear(folder)
        with folder_beside(folder) as beside:
            fill(beside)
    except OSError as error:
        if whole():  # another process was faster
            return
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            advice = "make room, or set JUMOK_CACHE to a folder on another disk"
            raise OSError(f"{folder.parent}: the disk is full; {advice}") from None
        raise


def _clear(folder: Path) -> None:
    """Take away a damaged entry, and what processes that were killed long ago left beside it."""
    if folder.exists():
        grave = Path(tempfile.mkdtemp(prefix=".damaged.", dir=folder.parent))
        with suppress(FileNotFoundError):  # another process does the same
            folder.rename(grave / folder.name)  # gone from its place at once, whatever happens now
        shutil.rmtree(grave, ignore_errors=True)
    for left in folder.parent.glob(".*"):
        with suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > _OLD:
                shutil.rmtree(left, ignore_errors=True)
