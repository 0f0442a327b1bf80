"""Every row of the page on the texts runs: Python as it stands, commands with models that hardly learn."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from tests.shortened import SHORT
from typer.testing import CliRunner

import jumok
from jumok.cli import app

DOCS = Path(__file__).parent.parent / "docs"
ROW = re.compile(r"^\| .+ \| `([^`]+)` \| .*\|$", flags=re.MULTILINE)


def lines(page: str) -> list[str]:
    """The middle column of all tables."""
    return ROW.findall((DOCS / page).read_text("utf-8"))


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
    for line in asked:
        if not line.startswith("jumok "):
            exec(line, names)
        elif line.startswith("jumok train "):
            learn(shlex.split(line)[2:])
        else:
            done = CliRunner().invoke(app, shlex.split(line)[1:])
            assert done.exit_code == 0, f"{line}: {done.output}"
    assert {path.name for path in tmp_path.iterdir()} >= {"look.svg", "lengths.svg", "look.png", "rows.png"}
    assert {path.name for path in (tmp_path / "runs").iterdir()} >= {"bahdanau", "scenes-hard", "karate", "stories"}


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
    assert len(lines("texts.md")) > 40
