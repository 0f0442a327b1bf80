"""One page that needs nothing but a browser: the matrix, lines between the sentences, and the weights as JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from jumok.core.files import write_whole
from jumok.viewing.grid import check_side
from jumok.viewing.map import SPECIAL, AttentionMap
from jumok.viewing.overlay import DARK, EVEN
from jumok.viewing.palettes import AT_NIGHT, TOPS, stops_of
from jumok.viewing.telling import Told
from jumok.viewing.text import shown

DIGITS = 4
"""Significant digits of the weights in a page."""


def save_html(
    maps: AttentionMap | Sequence[AttentionMap],
    path: str | Path,
    *,
    rows: str = "target",
    palette: str = "blue",
    lines: bool = False,
) -> None:
    """Write one page with all maps; with several, the reader chooses.

    rows: the side that stands at the left of the matrix at first. palette: as for `AttentionMap.save`.
    lines: begin with the lines between the sentences in place of the matrix.
    """
    several = [maps] if isinstance(maps, AttentionMap) else maps
    write_whole(Path(path), page(several, rows=rows, palette=palette, lines=lines))


def page(maps: Sequence[AttentionMap], *, rows: str = "target", palette: str = "blue", lines: bool = False) -> str:
    """The page as text."""
    if not maps:
        raise ValueError("no map to show; give at least one")
    check_side(rows)
    stops = stops_of(palette)
    over_pictures = [look.picture is not None for look in maps]
    if all(over_pictures):
        return _picture_page(maps)
    if any(over_pictures):
        raise ValueError("maps over pictures and maps over words do not share a page; save them apart")
    data = {
        "maps": [look.to_dict(digits=DIGITS) for look in maps],
        "swap": rows == "source",
        "lines": lines,
        "light": stops,
        "dark": AT_NIGHT.get(palette, stops),
        "top": TOPS.get(palette),
    }
    title = next((look.title for look in maps if look.title), "What was looked at")
    values = {
        "title": escape(shown(title)),
        "style": _part("page.css"),
        "data": _harmless(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)),
        "script": _part("model.js") + _part("drawing.js") + _part("page.js"),
    }
    return _filled_in(_part("page.html"), values)


def _picture_page(maps: Sequence[AttentionMap]) -> str:
    """The page of captions over their pictures; those of one picture stand under each other."""
    pictures = list(dict.fromkeys(look.picture for look in maps))
    data = {
        "pictures": [base64.b64encode(picture or b"").decode() for picture in pictures],
        "maps": [_told(look, pictures.index(look.picture)) for look in maps],
        "dark": DARK,
        "even": EVEN,
    }
    title = next((look.title for look in maps if look.title), "What was looked at")
    values = {
        "title": escape(shown(title)),
        "style": _part("page.css") + _part("picture.css"),
        "data": _harmless(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)),
        "script": _part("lighting.js") + _part("picture.js"),
    }
    return _filled_in(_part("picture.html"), values)


def _told(look: AttentionMap, picture: int) -> dict[str, Any]:
    """A map as the page of pictures takes it: words, where spaces stand, layers and heads by word."""
    merged = look.words()
    told = Told.of(look)
    kept = [row for row, word in enumerate(merged.row_words) if word != SPECIAL]
    plain = replace(merged, weights=merged.weights[:, :, kept], **_only(merged, kept)).to_dict(digits=DIGITS)
    plain.pop("picture", None)
    return {**plain, "rows": list(told.words), "glued": list(told.glued), "seen": picture}


def _only(look: AttentionMap, rows: Sequence[int]) -> dict[str, Any]:
    return {
        "rows": tuple(look.rows[row] for row in rows),
        "row_words": tuple(look.row_words[row] for row in rows),
    }


def _filled_in(template: str, values: dict[str, str]) -> str:
    head, *rest = template.split("{")
    return head + "".join(_filled(piece, values) for piece in rest)


def _filled(piece: str, values: dict[str, str]) -> str:
    name, _, after = piece.partition("}")
    return values[name] + after


def _harmless(text: str) -> str:
    """JSON that no label can turn into markup."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _part(name: str) -> str:
    return (files("jumok.viewing") / "page" / name).read_text("utf-8")
