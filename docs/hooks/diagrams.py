"""Diagrams of presets, drawn when the site is built: a line `<!-- diagram: bahdanau -->` becomes the picture."""

from __future__ import annotations

import re

from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

from jumok.models.drawing import diagram
from jumok.models.settings import PRESETS, ModelSettings
from jumok.viewing.svg import to_svg

MARK = re.compile(r"^<!-- diagram: ([\w-]+) -->$", flags=re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """MkDocs calls this with the text of every page."""
    language = "ko" if page.file.src_path.endswith(".ko.md") else "en"

    def drawn(found: re.Match[str]) -> str:
        if found[1] not in PRESETS:
            raise PluginError(f"{page.file.src_path}: there is no preset {found[1]!r} to draw")
        picture = to_svg(diagram(ModelSettings(preset=found[1]), language=language))
        return f"<figure>{' '.join(picture.split())}</figure>"

    return MARK.sub(drawn, markdown)
