"""Every row of the page on the texts runs: Python as it stands, commands with models that hardly learn."""

from __future__ import annotations

import re
import runpy
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from tests.shortened import SHORT
from typer.testing import CliRunner

import jumok
from jumok.cli import app
from jumok.data.korean import Korean

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
ROW = re.compile(r"^\| .+ \| `([^`]+)` \| (.+) \| \[!?\[?[^\]]+\]\(([^)]+)\).* \|$", flags=re.MULTILINE)


def rows(page: str) -> list[tuple[str, str, str]]:
    """What stands beside each idea: its line of jumok, its place in the studio, its picture."""
    return ROW.findall((DOCS / page).read_text("utf-8"))


def lines(page: str) -> list[str]:
    """The second column of all tables."""
    return [line for line, _, _ in rows(page)]


def prepared(page: str) -> dict[str, Any]:
    """The names that the rows in Python use."""
    names: dict[str, Any] = {}
    block = re.search(r"^```python\n(.+?)^```", (DOCS / page).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert block is not None
    exec(block[1], names)
    return names


@pytest.mark.slow
def test_every_row_runs_in_the_order_of_the_page(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    names, asked = prepared("texts.md"), lines("texts.md")
    french = [f"{pair.target}\t{pair.target}\tCC-BY\n" for pair in Korean(1).pairs(300, max_words=6)]
    Path("FOLDER").mkdir()
    Path("FOLDER/fra.txt").write_text("".join(french), "utf-8")  # in the form of Tatoeba's file
    for line in asked:
        if line.startswith("python "):
            monkeypatch.setattr(sys, "argv", shlex.split(line)[1:])
            runpy.run_path(str(ROOT / sys.argv[0]), run_name="__main__")
        elif not line.startswith("jumok "):
            exec(line, names)
        elif line.startswith("jumok train "):
            learn(shlex.split(line)[2:])
        else:
            done = CliRunner().invoke(app, shlex.split(line)[1:])
            assert done.exit_code == 0, f"{line}: {done.output}"
    assert {path.name for path in tmp_path.iterdir()} >= {
        "look.svg",
        "lengths.svg",
        "look.gif",
        "look.png",
        "rows.png",
        "steps.svg",
    }
    made = {path.name for path in (tmp_path / "runs").iterdir()}
    assert made >= {"bahdanau", "scenes-tanh", "scenes-hard", "karate", "stories", "copy", "kernels"}


def learn(words: list[str]) -> None:
    recipe, *options = words
    told = dict(zip(options[::2], options[1::2], strict=True))
    pairs = [value.split("=", 1) for name, value in zip(options[::2], options[1::2], strict=True) if name == "--set"]
    changes = SHORT[recipe] | {field: yaml.safe_load(value) for field, value in pairs}
    jumok.train(recipe, told["--out"], set=changes, quiet=True)


def test_the_texts_own_answer_comes_out() -> None:
    names = prepared("texts.md")
    line = next(line for line in lines("texts.md") if 'normalize="sum"' in line)
    assert eval(line, names) == pytest.approx(2.8235, abs=1e-4)


def test_both_languages_have_the_same_rows() -> None:
    assert lines("texts.ko.md") == lines("texts.md")
    assert len(lines("texts.md")) > 75
    dashes = [[place == "–" for _, place, _ in rows(page)] for page in ("texts.md", "texts.ko.md")]
    assert dashes[0] == dashes[1]


@pytest.mark.parametrize("page", ["texts.md", "texts.ko.md"])
def test_every_row_has_a_line_a_place_and_a_picture(page: str) -> None:
    text = (DOCS / page).read_text("utf-8").split("\n## ")
    tables = [part for part in text if part.count("\n|---|---|---|---|\n") == 1][:-1]  # but where the texts differ
    assert len(tables) == 5
    assert sum(line.startswith("| ") for part in tables for line in part.splitlines()) == len(rows(page)) + 5
    assert [picture for _, _, picture in rows(page) if not (DOCS / picture).is_file()] == []


def test_its_pictures_are_those_that_the_script_draws(tmp_path: Path) -> None:
    script = runpy.run_path(str(DOCS / "hooks/texts.py"))
    kept = {path.stem for path in (DOCS / "assets/texts").iterdir()}
    assert kept == {*script["DRAWN"], *script["LEARNED"]}
    shown = "".join((DOCS / page).read_text("utf-8") for page in ("texts.md", "texts.ko.md"))
    assert [name for name in kept if f"assets/texts/{name}.svg" not in shown] == []
    for name, draw in script["DRAWN"].items():
        draw(tmp_path / f"{name}.svg")
        assert (tmp_path / f"{name}.svg").read_text("utf-8").startswith("<svg")
