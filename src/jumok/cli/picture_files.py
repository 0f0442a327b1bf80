"""Pictures named on the command line: files, folders, patterns; what cannot be read is told at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from PIL.Image import Image


def found(images: Sequence[str]) -> list[Path]:
    """The files that are meant: pictures by name, those in a folder (and the folders in it), those of a pattern."""
    from jumok.data.pictures.reading import ENDINGS

    paths: list[Path] = []
    for image in images:
        path = Path(image)
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.suffix.lower() in ENDINGS and one.is_file())
            if not inside:
                raise ValueError(f"{path}: has no picture in it ({', '.join(sorted(ENDINGS))})")
            paths += inside
        elif not path.exists() and any(letter in image for letter in "*?["):
            matched = sorted(_matching(path))
            if not matched:
                raise ValueError(f"{image}: there is no such file")
            paths += matched
        else:
            paths.append(path)
    return list(dict.fromkeys(paths))


def _matching(pattern: Path) -> Iterator[Path]:
    """The files that a pattern names, from the first folder without a sign of one."""
    parts = pattern.parts
    fixed = next(number for number, part in enumerate(parts) if any(letter in part for letter in "*?["))
    start = Path(*parts[:fixed]) if fixed else Path()
    return (one for one in start.glob(str(Path(*parts[fixed:]))) if one.is_file())


def readable(paths: Sequence[Path], broken: list[str]) -> dict[Path, Image]:
    """The pictures that can be read; what is wrong with the others is added to `broken`."""
    from jumok.data.pictures import PictureError, read_picture

    seen = {}
    for path in paths:
        try:
            seen[path] = read_picture(path)
        except PictureError as error:
            broken.append(str(error))
    return seen


def tell_broken(broken: Sequence[str], pictures: int) -> None:
    """Say which of so many pictures could not be read, and end with exit code 1 where there are any."""
    if not broken:
        return
    for line in broken:
        print(f"jumok: {line}", file=sys.stderr)
    print(f"jumok: {len(broken):,} of {pictures:,} pictures could not be read", file=sys.stderr)
    raise typer.Exit(1)
