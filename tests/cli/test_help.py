"""What every command has in common: its help, its short options, what Tab offers, and one line for what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from rich.cells import cell_len
from typer.testing import CliRunner

from jumok import cli
from jumok.cli.completing import preset_names, recipe_names


def commands(command: Any, *words: str) -> Iterator[tuple[str, Any]]:
    """Yields every command by the words that call it."""
    if inner := getattr(command, "commands", None):
        for name in sorted(inner):
            yield from commands(inner[name], *words, name)
    else:
        yield " ".join(words), command


COMMANDS = dict(commands(typer.main.get_command(cli.app)))


@pytest.mark.parametrize("words", COMMANDS)
def test_arguments_have_plain_names(words: str) -> None:
    """What may be left out or repeated is told by signs that typer adds itself."""
    for one in COMMANDS[words].params:
        if one.param_type_name == "argument":
            assert one.metavar.replace("|", "").isalpha()
            assert one.metavar.isupper()


def test_a_short_option_means_the_same_in_every_command() -> None:
    meant = defaultdict(set)
    for command in COMMANDS.values():
        for one in command.params:
            for short in (name for name in one.opts if not name.startswith("--")):
                if one.param_type_name == "option":
                    meant[short].add(max(one.opts, key=len))
    assert meant["-q"] == {"--quiet"}
    assert all(len(names) == 1 for names in meant.values()), meant


def test_help_of_set_names_what_the_command_can_change() -> None:
    helps = {words: one.help for words, command in COMMANDS.items() for one in command.params if "--set" in one.opts}
    assert "training.updates=" in helps["train"]
    assert "data.test." in helps["evaluate"]
    assert not [field for field in ("training.", "model.") if field in helps["evaluate"]]  # the model is trained


def test_help_fits_into_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = CliRunner().invoke(cli.app, ["studio", "--help"], catch_exceptions=False).stdout
    assert "[MODEL]..." in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize("words", COMMANDS)
def test_examples_stay_on_their_lines(words: str) -> None:
    """A terminal of 80 columns leaves 78 between its margins."""
    lines = (COMMANDS[words].help or "").splitlines()
    assert not [line for line in lines if line.startswith("jumok ") and cell_len(line) > 78]


def test_tab_offers_recipes_and_presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "korea.yaml").touch()
    (tmp_path / "korea.txt").touch()
    found = recipe_names("korea")
    assert {"korean", "korean-transformer", "korea.yaml"} <= set(found)
    assert all(name.startswith("korea") for name in found)
    assert "korea.txt" not in found
    assert preset_names("luong-d") == ["luong-dot"]


@pytest.mark.parametrize(
    "line", ["jumok train multi30k-h", "jumok recipes show multi30k-h", "jumok data check multi30k-h"]
)
def test_the_shell_gets_what_tab_offers(line: str) -> None:
    asked = {"_JUMOK_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    command = Path(sys.executable).parent / "jumok"
    done = subprocess.run([command], env=os.environ | asked, capture_output=True, text=True, encoding="utf-8")
    assert done.stdout.split() == ["multi30k-hard"]


def test_an_error_of_the_system_names_the_file_and_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        (tmp_path / "nothing").read_text()

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    assert capsys.readouterr().err == f"jumok: {tmp_path / 'nothing'}: no such file or directory\n"


@pytest.mark.parametrize(
    ("typed", "told", "page"),
    [
        (["demo", "--language", "fr"], "--language: 'fr' is not one of 'en', 'ko'", "demo --help"),
        (["translate", "x", "y", "--beam", "0"], "--beam: ", "translate --help"),
        (["translat"], "no such command 'translat'", "--help"),
        (["caption"], "missing argument 'MODEL'", "caption --help"),
        (["train", "--nope"], "no such option: --nope", "train --help"),
    ],
)
def test_what_is_typed_wrong_is_told_in_one_line(
    typed: list[str], told: str, page: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["jumok", *typed])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith(f"jumok: {told}")
    assert error.endswith(f" {page}'\n")
    assert error.count("\n") == 1
