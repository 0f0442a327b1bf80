"""The folder of a run: fresh when it begins, and used by one process at a time."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def new_run_folder(folder: Path) -> Path:
    """Make the folder of a new run; one that is there and not empty is a `FileExistsError` that says what to do."""
    if folder.is_dir() and any(folder.iterdir()):
        raise FileExistsError(
            f"{folder} exists and is not empty: give another with --out, or go on with --resume --out {folder}"
        )
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"{folder} is a file: give a folder")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file `path`; a second process gets a `BlockingIOError`. The system lets go when a process dies."""
    with path.open("a+", encoding="ascii") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                holder = file.read().strip() or "unknown"
                raise BlockingIOError(f"{path.parent}: another process (pid {holder}) is training here") from None
            except OSError as error:
                if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):  # a file system without locks
                    raise
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
