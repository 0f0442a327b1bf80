"""The reference of commands and recipes, made from the code when the site is built.

A line `<!-- commands -->` becomes every command with its options; `<!-- recipe: korean -->` the recipe of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import typer.main
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

from jumok.cli import app

COMMANDS = "<!-- commands -->"
RECIPE = re.compile(r"^<!-- recipe: ([\w-]+) -->$", flags=re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """MkDocs calls this with the text of every page."""

    def whole(found: re.Match[str]) -> str:
        path = files("jumok.recipes") / f"{found[1]}.yaml"
        if not path.is_file():
            raise PluginError(f"{page.file.src_path}: there is no recipe {found[1]!r}")
        return f"```yaml\n{path.read_text('utf-8').rstrip()}\n```"

    if COMMANDS in markdown:
        markdown = markdown.replace(COMMANDS, "\n".join(commands(typer.main.get_command(app), "jumok")))
    return RECIPE.sub(whole, markdown)


def commands(command: Any, name: str) -> Iterator[str]:
    """A section for each command, those within a group after it."""
    if inner := getattr(command, "commands", None):
        for one in sorted(inner):
            yield from commands(inner[one], f"{name} {one}")
        return
    about, _, examples = (command.help or "").partition("\b")
    wanted = [option for option in command.params if option.param_type_name == "argument"]
    yield f"## {name}\n\n{' '.join(about.split())}\n"
    if lines := [line.strip() for line in examples.splitlines() if line.strip()]:
        yield "```text\n" + "\n".join(lines) + "\n```\n"
    yield "| | | |\n|---|---|---|"
    for option in [*wanted, *(one for one in command.params if one not in wanted and not one.hidden)]:
        given = option.name in {one.name for one in wanted}
        names = (option.metavar or option.name.upper()) if given else ", ".join([*option.opts, *option.secondary_opts])
        said = " ".join((option.help or "").split()).replace("|", "\\|")
        yield f"| `{names.replace('|', '/')}` | {said} | {_default(option)} |"
    yield ""


def _default(option: Any) -> str:
    value = option.default
    if value is None or value is False or value in ((), []) or callable(value):
        return "required" if option.required else ""
    return f"`{getattr(value, 'value', value)}`"
