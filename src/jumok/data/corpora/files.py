"""Files that a recipe names: found, or one line that says which one was meant; opened, unpacked, hashed."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from jumok.core.names import nearest


def find(name: str, root: Path, where: str) -> Path:
    """The path of the file `name` under `root`; one that is not there is an error that names the setting `where`."""
    path = root / Path(name).expanduser()
    if path.is_file():
        return path
    folder = path.absolute().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{where}: there is no folder {folder}; set data.root to the folder of your files")
    if path.exists():
        raise OSError(f"{where}: {path.absolute()} is not a file")
    close = nearest(path.name, [entry.name for entry in folder.iterdir() if entry.is_file()])
    hint = f"did you mean {close!r}?" if close else "is data.root the folder of your files?"
    raise FileNotFoundError(f"{where}: there is no file {path.absolute()}; {hint}")


@contextmanager
def opened(path: Path) -> Iterator[io.BufferedReader]:
    """The bytes of a file, unpacked if its name ends in `.gz`; one that is damaged is an `OSError`."""
    with path.open("rb") as file:
        if path.suffix.lower() != ".gz":
            yield file
            return
        try:
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield io.BufferedReader(cast(io.RawIOBase, unpacked), 1 << 16)
        except EOFError:
            raise OSError(f"{path}: the gzip file is cut off; copy or download it again") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise OSError(f"{path}: not a whole gzip file ({error}); copy or download it again") from None


def pieces(path: Path) -> Iterator[bytes]:
    """Yields the bytes of a file as they are, a piece at a time, after their number."""
    yield f"{path.stat().st_size} bytes".encode()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            yield piece
