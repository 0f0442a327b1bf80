"""Every `jumok ...` line of the README, the docs and the recipes is one that the command line takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer.main

from jumok.cli import app
from jumok.recipes.changing import parse_change
from jumok.recipes.listing import listed
from jumok.recipes.loading import load

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/jumok/recipes/*.yaml")])
BLOCK = re.compile(r"^ *```(?:sh|console|text)\n(.*?)^ *```", flags=re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(jumok [^`]+)`")
ENDS = ("|", ">", "<", "&&", "&", ";", "2>")


def written(path: Path) -> list[tuple[str, bool]]:
    """The commands of a page, with what continues on the next line; and whether each is whole, not named in passing."""
    text = path.read_text("utf-8")
    if path.suffix == ".yaml":
        blocks = ["\n".join(re.sub(r"^# ?", "", line) for line in text.splitlines() if line.startswith("#"))]
        inline: list[str] = []
    else:
        blocks, inline = BLOCK.findall(text), INLINE.findall(BLOCK.sub("", text))
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    said = [(line, True) for line in lines] + [(line, False) for line in inline]
    return [(line, whole) for line, whole in said if line.startswith("jumok ")]


def words(line: str) -> list[str]:
    """A line as a shell takes it apart, up to the first pipe; [] where it is a pattern and not a command."""
    parts = shlex.split(line, comments=True)[1:]
    cut = next((place for place, part in enumerate(parts) if part in ENDS), len(parts))
    is_pattern = any("..." in part or part.startswith(("[", "{")) or part.endswith("]") for part in parts[:cut])
    return [] if is_pattern else parts[:cut]


def parsed(parts: list[str]) -> dict[str, Any]:
    """What the command would be called with; an unknown command or option is an error."""
    command, name, rest = typer.main.get_command(app), "jumok", parts
    while hasattr(command, "commands"):
        if not rest or rest[0].startswith("-"):
            break
        name, rest = rest[0], rest[1:]
        assert name in command.commands, f"there is no command {name!r}"
        command = command.commands[name]
    if hasattr(command, "commands"):
        return {}
    return dict(command.make_context(name, list(rest)).params)


@pytest.mark.parametrize("path", [one for one in PAGES if written(one)], ids=lambda path: path.name)
def test_commands_are_taken(path: Path) -> None:
    known = {one.name for one in listed()}
    for line, whole in written(path):
        parts = words(line)
        if not parts or "--help" in parts:
            continue
        try:
            told = parsed(parts)
        except Exception as error:
            if whole or "Missing" not in str(error):
                pytest.fail(f"{path.name}: {line}: {error}")
            continue
        if parts[0] == "train" and told.get("recipe") in known:
            load(told["recipe"], [parse_change(one) for one in told["changes"] or ()])
