"""One page that needs nothing but a browser: the matrix, lines between the sentences, and the weights as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from jumok.core.files import write_whole
from jumok.viewing.grid import check_side
from jumok.viewing.map import AttentionMap
from jumok.viewing.palettes import AT_NIGHT, stops_of
from jumok.viewing.text import shown

DIGITS = 4
"""Significant digits of the weights in a page."""


def save_html(
    maps: AttentionMap | Sequence[AttentionMap], path: str | Path, *, rows: str = "target", palette: str = "blue"
) -> None:
    """Write one page with all maps; with several, the reader chooses.

    rows: the side that stands at the left of the matrix at first. palette: as for `AttentionMap.save`.
    """
    write_whole(Path(path), page([maps] if isinstance(maps, AttentionMap) else maps, rows=rows, palette=palette))


def page(maps: Sequence[AttentionMap], *, rows: str = "target", palette: str = "blue") -> str:
    """The page as text."""
    if not maps:
        raise ValueError("no map to show; give at least one")
    check_side(rows)
    stops = stops_of(palette)
    data = {
        "maps": [look.to_dict(digits=DIGITS) for look in maps],
        "swap": rows == "source",
        "light": stops,
        "dark": AT_NIGHT.get(palette, stops),
    }
    title = next((look.title for look in maps if look.title), "What was looked at")
    values = {
        "title": escape(shown(title)),
        "style": _part("page.css"),
        "data": _harmless(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)),
        "script": _part("model.js") + _part("drawing.js") + _part("page.js"),
    }
    head, *rest = _part("page.html").split("{")
    return head + "".join(_filled(piece, values) for piece in rest)


def _filled(piece: str, values: dict[str, str]) -> str:
    name, _, after = piece.partition("}")
    return values[name] + after


def _harmless(text: str) -> str:
    """JSON that no label can turn into markup."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _part(name: str) -> str:
    return (files("jumok.viewing") / "page" / name).read_text("utf-8")
