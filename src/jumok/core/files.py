"""Files and folders that are whole or not there: written beside, synced, renamed."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_whole(path: Path, content: bytes | str) -> None:
    """Put `content` at `path`, whole or not at all, whatever happens meanwhile; text is UTF-8."""
    with written_beside(path) as beside:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)


@contextmanager
def written_beside(path: Path) -> Iterator[Path]:
    """A fresh path beside `path` to write a file to; it takes the place of `path` when the block ends well."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    beside = Path(name)
    try:
        yield beside
        _sync(beside)
        beside.chmod(0o666 & ~_umask())
        beside.replace(path)
        _sync(path.parent)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def folder_beside(path: Path) -> Iterator[Path]:
    """A fresh folder beside `path` to fill; it is renamed to `path`, which must not exist, when the block ends well."""
    beside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        yield beside
        for inner in sorted(beside.rglob("*")):
            if inner.is_file():
                inner.chmod(0o666 & ~_umask())
            _sync(inner)
        _sync(beside)
        beside.chmod(0o777 & ~_umask())
        beside.rename(path)
        _sync(path.parent)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def check_file(path: Path, advice: str) -> None:
    """Refuse a path at which there is no file: nothing, or a folder. `advice` says what to do."""
    if path.is_dir():
        raise IsADirectoryError(f"{path}: is a folder, not a file; {advice}")
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file; {advice}")


def remove_leftovers(folder: Path, name: str = "*") -> None:
    """Delete what processes that were killed left in `folder` while they wrote `name`; nobody may be writing it now."""
    for left in sorted(folder.glob(f".{name}.*")):
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _sync(path: Path) -> None:
    """Ask the system to bring a file's or a folder's content to the disk (folders only where the system can)."""
    if path.is_dir() and os.name == "nt":  # Windows opens no folders
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
