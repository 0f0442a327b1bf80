"""The page and its parts, from inside the package."""

from __future__ import annotations

import json
from importlib.resources import files

from fastapi import FastAPI
from fastapi.responses import Response

from jumok.viewing.overlay import DARK, EVEN
from jumok.viewing.palettes import AT_NIGHT, stops_of

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
SHARED = ("model.js", "drawing.js", "lighting.js")
"""Parts of the page of maps, which draw the studio's maps, too."""


def _read() -> dict[str, tuple[bytes, str]]:
    """All parts by name, with what they are; what is not here cannot be asked for."""
    own, viewing = files("jumok.studio") / "page", files("jumok.viewing") / "page"
    parts = [part for part in own.iterdir() if part.name.endswith(tuple(KINDS))]
    parts += [viewing / name for name in SHARED]
    found = {part.name: (part.read_bytes(), KINDS["." + part.name.rsplit(".", 1)[1]]) for part in parts}
    colours = {"LIGHT": stops_of("blue"), "NIGHT": AT_NIGHT["blue"], "DARK": DARK, "EVEN": EVEN}
    script = "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in colours.items())
    return found | {"colours.js": (script.encode(), KINDS[".js"])}


def add_pages(app: FastAPI) -> None:
    """The page at `/`, its parts at `/page/NAME`."""
    parts = _read()

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        content, kind = parts["index.html"]
        return Response(content, media_type=f"{kind}; charset=utf-8")

    @app.get("/page/{name}", include_in_schema=False)
    async def part(name: str) -> Response:
        if name not in parts:
            raise LookupError(f"there is no {name}")
        content, kind = parts[name]
        return Response(content, media_type=f"{kind}; charset=utf-8")
