"""The reference of commands and recipes, made from the code when the site is built.

A line `<!-- commands -->` becomes every command with its options; `<!-- recipe: korean -->` the recipe of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer.main
from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

from jumok.cli import app
from jumok.recipes.listing import text_of

COMMANDS = "<!-- commands -->"
RECIPE = re.compile(r"^<!-- recipe: ([\w-]+) -->$", flags=re.MULTILINE)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """MkDocs calls this with the text of every page."""

    def whole(found: re.Match[str]) -> str:
        try:
            return f"```yaml\n{text_of(found[1]).rstrip()}\n```"
        except (ValueError, OSError) as error:
            raise PluginError(f"{page.file.src_path}: {error}") from error

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
    yield f"## {name}\n\n{' '.join(about.split())}\n"
    if lines := [line.strip() for line in examples.splitlines() if line.strip()]:
        yield "```text\n" + "\n".join(lines) + "\n```\n"
    yield "| | | |\n|---|---|---|"
    for option in sorted(command.params, key=lambda one: one.param_type_name != "argument"):
        is_option = option.param_type_name == "option"
        names = (
            ", ".join([*option.opts, *option.secondary_opts]) if is_option else option.metavar or option.name.upper()
        )
        said = " ".join((option.help or "").split()).replace("|", "\\|")
        yield f"| `{names.replace('|', '/')}` | {said} | {_default(option)} |"
    yield ""


def _default(option: Any) -> str:
    value = option.default
    if value is None or value is False or value in ((), []) or callable(value):
        return "required" if option.required else ""
    return f"`{getattr(value, 'value', value)}`"
