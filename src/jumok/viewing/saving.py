"""Which writer makes which file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jumok.core.files import write_whole
from jumok.viewing.grid import Grid, check_side
from jumok.viewing.map import AttentionMap
from jumok.viewing.palettes import stops_of


def save(look: AttentionMap, path: Path, *, rows: str, palette: str) -> None:
    """Write a map with the writer that the ending names; a mistyped side or palette is told for every ending."""
    writer = writer_for(path, WRITERS if look.picture is None else PICTURE_WRITERS)
    check_side(rows)
    stops_of(palette)
    writer(look, path, rows, palette)


def writer_for(path: Path, writers: dict[str, Callable[..., None]]) -> Callable[..., None]:
    """The writer of a path's ending; one line that lists the endings known where there is none."""
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise ValueError(f"{path}: cannot tell what to write; end the name in {', '.join(writers)}")
    return writer


def _svg(look: AttentionMap, path: Path, rows: str, palette: str) -> None:
    from jumok.viewing.svg import svg

    write_whole(path, svg(Grid.of(look, rows), palette))


def _html(look: AttentionMap, path: Path, rows: str, palette: str) -> None:
    from jumok.viewing.html import save_html

    save_html([look], path, rows=rows, palette=palette)


def _printed(look: AttentionMap, path: Path, rows: str, palette: str) -> None:
    from jumok.viewing.png import save_picture

    save_picture(Grid.of(look, rows), path, palette)


def _json(look: AttentionMap, path: Path, rows: str, palette: str) -> None:
    write_whole(path, look.to_json())


WRITERS: dict[str, Callable[..., None]] = {
    ".svg": _svg,
    ".html": _html,
    ".png": _printed,
    ".pdf": _printed,
    ".json": _json,
}


def _panels(look: AttentionMap, path: Path, rows: str, palette: str) -> None:
    from jumok.viewing.panels import save_panels

    save_panels(look, path)


def _gif(look: AttentionMap, path: Path, rows: str, palette: str) -> None:
    from jumok.viewing.gif import save_gif

    save_gif(look, path)


PICTURE_WRITERS: dict[str, Callable[..., None]] = {
    ".svg": _panels,
    ".html": _html,
    ".png": _panels,
    ".pdf": _panels,
    ".gif": _gif,
    ".json": _json,
}
"""Those of maps over a picture."""
