"""`jumok show`: saved looks drawn again, presets as diagrams."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from jumok.cli import app
from jumok.viewing import AttentionMap, GraphLook
from jumok.viewing.graph_look import LayerLook


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    weights = np.random.default_rng(0).random((2, 3, 3, 3))
    labels = ["▁나", "는", "<end>"]
    words = [0, 0, -1]
    look = AttentionMap.from_arrays(weights, labels, labels, row_words=words, column_words=words, title="나는")
    look.save(tmp_path / "look.json")
    return tmp_path / "look.json"


def invoke(*typed: object) -> str:
    result = CliRunner().invoke(app, ["show", *map(str, typed)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def complaint(*typed: object) -> str:
    command = [sys.executable, "-m", "jumok", "show", *map(str, typed)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_without_a_file_it_draws_in_the_terminal(saved: Path) -> None:
    assert "나는" in invoke(saved, "--words")
    assert "<end>" not in invoke(saved, "--no-special")


@pytest.mark.parametrize("form", ["matrix", "lines", "heads", "story"])
def test_every_form_goes_into_a_file(saved: Path, form: str) -> None:
    output = saved.with_name("look.svg")
    invoke(saved, "-o", output, "--form", form, "--palette", "grey")
    assert output.read_text("utf-8").startswith("<svg")


def test_layers_and_heads_are_chosen(saved: Path) -> None:
    drawn = {
        choice: invoke(saved, *choice)
        for choice in ((), ("--layer", "0"), ("--head", "1"), ("--layer", "0", "--head", "1"))
    }
    assert len(set(drawn.values())) == 4


def test_several_maps_become_one_picture(saved: Path) -> None:
    output = saved.with_name("two.svg")
    invoke(saved, saved, "-o", output)
    assert output.read_text("utf-8").count(">나는<") == 2


def test_the_look_of_a_graph_is_drawn(tmp_path: Path) -> None:
    layer = LayerLook(np.ones((2, 1), np.float32), None, None)
    GraphLook(("a", "b", "c"), np.array([[0, 1], [1, 2]]), (layer,)).save(tmp_path / "graph.json")
    invoke(tmp_path / "graph.json", "-o", tmp_path / "graph.svg")
    assert "looks at" in (tmp_path / "graph.svg").read_text("utf-8")
    assert "b" in invoke(tmp_path / "graph.json")


def test_a_preset_is_drawn_as_a_diagram(tmp_path: Path) -> None:
    invoke("bahdanau", "-o", tmp_path / "model.svg", "--language", "ko")
    assert "인코더" in (tmp_path / "model.svg").read_text("utf-8")


def test_what_is_wrong_is_one_line(saved: Path) -> None:
    assert "did you mean 'lines'" in complaint(saved, "-o", saved.with_name("x.svg"), "--form", "line")
    assert "end the name in" in complaint(saved, "-o", saved.with_name("x.doc"))
    assert "did you mean 'bahdanau'" in complaint("bahdanu", "-o", saved.with_name("x.svg"))
    assert "give --output" in complaint("hard")
    assert "no folder" in complaint(saved, "-o", saved.parent / "no" / "x.svg")
    assert "there is no layer 7" in complaint(saved, "--layer", "7")
    assert "look.jsn: is no .json of a look" in complaint("look.jsn")
    assert complaint(saved, "other.json").startswith("jumok: other.json: there is no such file; ")
    saved.write_text("{}", "utf-8")
    assert "not an attention map" in complaint(saved)
