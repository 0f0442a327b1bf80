"""Which writer makes which file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from jumok.core.files import write_whole
from jumok.core.names import unknown
from jumok.viewing.grid import Grid, check_side
from jumok.viewing.map import AttentionMap
from jumok.viewing.palettes import stops_of
from jumok.viewing.scene import Scene

FORMS = ("matrix", "lines", "heads", "story", "panels")
"""What a map can be drawn as."""


class How(NamedTuple):
    """What the caller chose: the side at the left, the colours, and what is drawn."""

    rows: str
    palette: str
    form: str


def save(look: AttentionMap, path: Path, *, rows: str, palette: str, form: str | None) -> None:
    """Write a map with the writer that the ending names; a mistyped choice is told for every ending."""
    check_side(rows)
    stops_of(palette)
    if form is not None and form not in FORMS:
        raise ValueError(unknown("form", form, FORMS))
    if form == "panels" and look.picture is None:
        raise ValueError("form panels: this map is not over a picture; leave the form out, or give matrix or lines")
    form = form or ("matrix" if look.picture is None else "panels")
    writer_for(path, PANEL_WRITERS if form == "panels" else WRITERS)(look, path, How(rows, palette, form))


def writer_for(path: Path, writers: dict[str, Callable[..., None]]) -> Callable[..., None]:
    """The writer of a path's ending; one line that lists the endings known where there is none."""
    writer = writers.get(path.suffix.lower())
    if writer is None:
        raise ValueError(f"{path}: cannot tell what to write; end the name in {', '.join(writers)}")
    return writer


def scene_of(look: AttentionMap, how: How) -> Scene:
    """The still picture of a map."""
    if how.form == "lines":
        from jumok.viewing.lines import lines_scene

        return lines_scene(look)
    if how.form == "heads":
        from jumok.viewing.heads import heads_scene

        return heads_scene(look, how.palette)
    if how.form == "story":
        from jumok.viewing.story import story_scene

        return story_scene(look)
    from jumok.viewing.matrix import matrix_scene

    return matrix_scene(Grid.of(look, how.rows), how.palette)


def write_scene(scene: Scene, path: Path) -> None:
    """Write a scene as the ending says: .svg, .png or .pdf."""
    writer_for(path, SCENE_WRITERS)(scene, path)


def _scene_svg(scene: Scene, path: Path) -> None:
    from jumok.viewing.svg import to_svg

    write_whole(path, to_svg(scene))


def _scene_printed(scene: Scene, path: Path) -> None:
    from jumok.viewing.png import to_figure, write_figure

    write_figure(to_figure(scene), path)


SCENE_WRITERS: dict[str, Callable[..., None]] = {".svg": _scene_svg, ".png": _scene_printed, ".pdf": _scene_printed}


def _still(look: AttentionMap, path: Path, how: How) -> None:
    write_scene(scene_of(look, how), path)


def _html(look: AttentionMap, path: Path, how: How) -> None:
    from jumok.viewing.html import save_html

    save_html([look], path, rows=how.rows, palette=how.palette, lines=how.form == "lines")


def _following(look: AttentionMap, path: Path, how: How) -> None:
    from jumok.viewing.gif import save_lines_gif

    save_lines_gif(look, path)


def _json(look: AttentionMap, path: Path, how: How) -> None:
    write_whole(path, look.to_json())


WRITERS: dict[str, Callable[..., None]] = {
    ".svg": _still,
    ".html": _html,
    ".png": _still,
    ".pdf": _still,
    ".gif": _following,
    ".json": _json,
}


def _panels(look: AttentionMap, path: Path, how: How) -> None:
    from jumok.viewing.panels import save_panels

    save_panels(look, path)


def _gif(look: AttentionMap, path: Path, how: How) -> None:
    from jumok.viewing.gif import save_gif

    save_gif(look, path)


PANEL_WRITERS = WRITERS | {".svg": _panels, ".png": _panels, ".pdf": _panels, ".gif": _gif}
"""Those of maps over a picture."""
