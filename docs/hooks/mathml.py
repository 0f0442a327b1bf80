"""Formulas as MathML, made when the site is built: no script, nothing from another server.

`pymdownx.arithmatex` finds `$...$` and `$$...$$` outside code and marks them; this hook turns what it
marked into MathML.
"""

from __future__ import annotations

import html
import re

from math_core import LatexError, LatexToMathML
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

MARKED = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', flags=re.DOTALL)


def on_page_content(content: str, page: Page, **_: object) -> str:
    """MkDocs calls this with the HTML of every page."""
    try:
        return to_mathml(content)
    except ValueError as error:
        raise PluginError(f"{page.file.src_path}: {error}") from error


def to_mathml(content: str) -> str:
    """Turns every marked formula into MathML; one that cannot be read is a `ValueError`."""
    if stray := re.search(r'\$<span class="arithmatex">\\\((.*?)\\\)', content, flags=re.DOTALL):
        raise ValueError(f"a $$ formula needs a paragraph of its own: {html.unescape(stray[1])}")
    converter = LatexToMathML(fancy_error=False)

    def convert(found: re.Match[str]) -> str:
        latex = html.unescape(found[2]).strip()
        try:
            return converter.convert_with_local_state(latex, displaystyle=found[1] == "div")
        except LatexError as error:
            raise ValueError(f"the formula {latex} cannot be read: {error}") from error

    return MARKED.sub(convert, content)
