"""Several maps in one picture, so that models, layers or sentences can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jumok.core.names import unknown
from jumok.viewing.grid import check_side
from jumok.viewing.html import save_html
from jumok.viewing.map import AttentionMap
from jumok.viewing.palettes import stops_of
from jumok.viewing.panels import save_panels
from jumok.viewing.saving import FORMS, How, scene_of, write_scene
from jumok.viewing.scene import together


def save_together(
    maps: Sequence[AttentionMap],
    path: str | Path,
    *,
    names: Sequence[str] | None = None,
    form: str | None = None,
    across: int | None = None,
    rows: str = "target",
    palette: str = "blue",
) -> None:
    """Write several maps on one sheet: .svg, .png or .pdf; or as a page, .html, in which the reader chooses.

    names: what stands above each, in place of its title. across: how many stand in a row; by default two of words that
    came out of one sentence, and one of pictures, whose panels already stand in rows.
    form, rows, palette: as for `AttentionMap.save`.
    """
    path, maps = Path(path), list(maps)
    if not maps:
        raise ValueError("no map to show; give at least one")
    if form is not None and form not in FORMS:
        raise ValueError(unknown("form", form, FORMS))
    check_side(rows)
    stops_of(palette)
    if names is not None:
        maps = [replace(look, title=name) for look, name in zip(maps, names, strict=True)]
    over_pictures = all(look.picture is not None for look in maps)
    if path.suffix.lower() == ".html":
        save_html(maps, path, rows=rows, palette=palette, lines=form == "lines")
    elif over_pictures and form in (None, "panels"):
        save_panels(maps, path)
    else:
        how = How(rows, palette, form or "matrix")
        write_scene(together([scene_of(look, how) for look in maps], across or min(2, len(maps))), path)
