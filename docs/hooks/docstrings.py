"""Our docstrings as Markdown: `name: what it is` lines become a list, `>>>` examples become code."""

from __future__ import annotations

import re
from typing import Any

import griffe

SETTING = re.compile(r"^(\w+(?:, \w+)*): ", flags=re.MULTILINE)


class Plain(griffe.Extension):
    """Griffe calls this with every object whose docstring it has read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = to_markdown(obj.docstring.value)


def to_markdown(docstring: str) -> str:
    """The same docstring with lists and code marked as Markdown marks them."""
    return "\n\n".join(marked(paragraph) for paragraph in docstring.split("\n\n"))


def marked(paragraph: str) -> str:
    if paragraph.startswith(">>> "):
        return f"```pycon\n{paragraph}\n```"
    starts = [line for line in paragraph.split("\n") if not line.startswith(" ")]
    if all(SETTING.match(line) for line in starts):
        return SETTING.sub(lambda found: f"- `{found[1].replace(', ', '`, `')}`: ", paragraph)
    return paragraph
