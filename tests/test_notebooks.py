"""The notebooks run from top to bottom, with models that hardly learn; what a cell ends with can draw itself."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from tests.shortened import SCENES
from tests.systems.trained import SMALL

FOLDER = Path(__file__).parent.parent / "docs/notebooks"
SIZES: dict[str, dict[str, Any]] = {
    "mechanism": {},
    "translation": {**SMALL, "training.updates": 20, "data.test": None},
    "captioning": SCENES,
}


def cells(name: str) -> list[str]:
    """The code of a notebook."""
    book = json.loads((FOLDER / f"{name}.ipynb").read_text("utf-8"))
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


def ran(cell: str, names: dict[str, Any]) -> Any:
    """Run a cell; returns what its last line is, as a notebook would show it."""
    body = ast.parse(cell).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_it_runs(name: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    pictures = []
    for cell in cells(name):
        shown = ran(cell, names)
        if "SIZES" in names and SIZES[name] and names["SIZES"] != SIZES[name]:
            names["SIZES"] = SIZES[name]  # as long as a test may take
        if hasattr(shown, "_repr_html_"):
            pictures.append(shown._repr_html_())
    assert [picture for picture in pictures if picture is None] == []
    assert len(pictures) == {"mechanism": 2, "translation": 2, "captioning": 1}[name]
