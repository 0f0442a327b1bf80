"""The blocks of a page, and the lines of a shell in them."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(r"^( *)```(\w*)(.*)\n((?:.*\n)*?)\1```$", flags=re.MULTILINE)
TITLE = re.compile(r'title="(.+)"')


class Block(NamedTuple):
    """What stands between two fences: its language, the name of the file that it shows, its lines, and its place."""

    kind: str
    title: str
    text: str
    place: str

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


class Typed(NamedTuple):
    """A line of a shell, and what it is shown to print."""

    line: str
    shown: list[str]


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, from top to bottom."""
    text, found = page.read_text("utf-8"), []
    for match in BLOCK.finditer(text):
        title = TITLE.search(match[3])
        place = f"{page.name}:{text.count(chr(10), 0, match.start()) + 1}"
        found.append(Block(match[2], title[1] if title else "", textwrap.dedent(match[4]), place))
    return found


def typed(block: Block) -> list[Typed]:
    """The lines of a shell; those of `console` begin with a prompt, and what they print follows."""
    found: list[Typed] = []
    for line in block.text.replace("\\\n", " ").splitlines():
        if block.kind == "console" and not line.startswith("$ "):
            found[-1].shown.append(line)
        elif command := re.sub(r"(^|\s+)#.*$", "", line.removeprefix("$ ")).strip():  # a comment is none
            found.append(Typed(command, []))
    return found
