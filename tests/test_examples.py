"""The example of each system runs, with a model that has hardly learned, and says what it says it says."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from tests.shortened import SCENES
from tests.systems.trained import SMALL

FOLDER = Path(__file__).parent.parent / "examples"
SHORT = {"training.threads": 1, "training.epochs": 1, "training.updates": None}
EXAMPLES: dict[str, tuple[dict[str, Any], str]] = {  # what is changed, and the picture that is left
    "translate": (SMALL, "look.svg"),
    "caption": (SCENES, "look.png"),
    "read": ({"data.train.texts": 300, "training.updates": 20, "training.threads": 1}, "look.svg"),
    "answer": ({"data.train.questions": 30, **SHORT}, "hops.svg"),
    "classify_nodes": ({"training.threads": 1}, "club.svg"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_runs_and_draws(name: str, cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes, picture = EXAMPLES[name]
    example = FOLDER / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, example)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(tmp_path / "run", **changes)
    first = capsys.readouterr().out
    assert (tmp_path / "run" / picture).stat().st_size > 500
    assert len(example.read_text("utf-8").splitlines()) < 60
    module.main(tmp_path / "run")  # the second time nothing is trained, and all is the same
    assert capsys.readouterr().out == first
