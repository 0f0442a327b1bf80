"""Lines in, lines out: from what was typed, a file or standard input, to a file or standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def lines(text: Sequence[str] | None, source: Path | None, encoding: str) -> Iterator[str]:
    """What was typed behind the command, or the lines of a file, or those of standard input as they come."""
    from jumok.systems.lines import read_lines

    if text:
        return iter(text)
    if source is not None:
        return read_lines(source, encoding)
    if sys.stdin.isatty():
        print("type a line and press Enter; Ctrl-D ends", file=sys.stderr)
    sys.stdin.reconfigure(encoding="utf-8", errors="strict", newline="\n")  # type: ignore[union-attr]
    return _typed()


def _typed() -> Iterator[str]:
    try:
        for line in sys.stdin:
            yield line.rstrip("\n").rstrip("\r")
    except UnicodeDecodeError as error:
        raise ValueError(f"standard input is not UTF-8 ({error.reason}); use --input with --encoding") from None


@contextmanager
def written(output: Path | None) -> Iterator[IO[str]]:
    """Standard output, or a file that is there when all is done."""
    from jumok.core.files import written_beside

    if output is None:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        yield sys.stdout
        return
    check_folder(output, "--output")
    with written_beside(output) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
        yield file


def check_folder(path: Path, option: str) -> None:
    """Refuse a file that could not be written, before anything is done for it."""
    if not path.absolute().parent.is_dir():
        raise ValueError(f"{option} {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise ValueError(f"{option} {path}: is a folder; name a file")


def is_elsewhere(output: Path | None) -> bool:
    """Whether results do not go to the terminal, so that progress may be shown there."""
    return output is not None or not sys.stdout.isatty()
