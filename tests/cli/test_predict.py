"""`jumok predict` and `jumok evaluate` for readers: what is printed, what is drawn, what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jumok
from jumok.cli import app

run = CliRunner()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    changes = {"data.train": {"practice": "tense", "texts": 400, "max_words": 6}, "tokenizer.size": 300}
    changes |= {"model.size": 16, "training.updates": 40, "training.evaluate_every": 40, "training.threads": 1}
    return jumok.train("classify", tmp_path_factory.mktemp("model") / "tense", set=changes, quiet=True).folder


@pytest.fixture(scope="module")
def adding(tmp_path_factory: pytest.TempPathFactory) -> Path:
    changes = {"data.length": 22, "data.sequences": 200, "data.held_out": 10, "training.threads": 1}
    return jumok.train("adding", tmp_path_factory.mktemp("model") / "adding", set=changes, quiet=True).folder


def test_a_line_has_the_label_its_probability_and_each_word_with_its_weight(model: Path) -> None:
    done = run.invoke(app, ["predict", str(model), "엄마는 물고기를 잡았습니다.", ""])
    first, second = done.stdout.split("\n")[:2]
    label, probability, words = first.split("\t")
    assert label in {"past", "present", "future"}
    assert 1 / 3 < float(probability) <= 1
    pairs = [pair.rsplit(" ", 1) for pair in words.split("  ")]
    assert [word for word, _ in pairs] == ["엄마는", "물고기를", "잡았습니다."]
    assert sum(float(weight) for _, weight in pairs) == pytest.approx(1, abs=0.01)
    assert second == ""


def test_json_and_attention(model: Path, tmp_path: Path) -> None:
    look = tmp_path / "look.html"
    done = run.invoke(app, ["predict", str(model), "비가 왔다.", "--json", "--attention", str(look)])
    told = json.loads(done.stdout)
    assert set(told["probabilities"]) == {"past", "present", "future"}
    assert told["attention"]["rows"] == [told["label"]]
    assert "왔" in look.read_text("utf-8")


def test_lines_of_a_file_and_a_column_of_a_table(model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("비가 온다.\n\n비가 왔다.\n", encoding="utf-8")
    done = run.invoke(app, ["predict", str(model), "-i", str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt")])
    assert done.exit_code == 0, done.exception
    assert (tmp_path / "out.txt").read_text("utf-8").count("\n") == 3
    (tmp_path / "in.csv").write_text('id,text\n1,"비가 온다."\n2,\n', encoding="utf-8")
    table = ["-i", str(tmp_path / "in.csv"), "--column", "text", "-o", str(tmp_path / "out.csv")]
    assert run.invoke(app, ["predict", str(model), *table]).exit_code == 0
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text("utf-8").splitlines()))
    assert [row["id"] for row in rows] == ["1", "2"]
    assert [bool(row["prediction"]) for row in rows] == [True, False]


def test_examples_of_a_problem(adding: Path, model: Path, tmp_path: Path) -> None:
    look = tmp_path / "look.svg"
    done = run.invoke(app, ["predict", str(adding), "--examples", "1", "--attention", str(look)])
    value, right, steps = done.stdout.rstrip("\n").split("\t")
    assert float(value) == pytest.approx(float(value))
    assert right.startswith("right: ")
    assert 22 <= len(steps.split("  ")) <= 24
    assert look.exists()
    refused = run.invoke(app, ["predict", str(model), "--examples", "1"])
    assert "learned from texts" in str(refused.exception)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["x", "--input", "y"], "give either TEXT or --input"),
        (["x", "--examples", "1"], "give either TEXT or --examples"),
        (["x", "--column", "text"], "--column: goes with --input"),
        (["x", "--attention", "look.xyz"], "cannot tell what to write"),
        (["", "--attention", "look.svg"], "there is nothing to look at in an empty text"),
        (["x", "--into", "label"], "--into: names a column of a table"),
        (["--input", "t.csv", "--column", "text", "--json"], "--json: a table comes back as a table"),
    ],
)
def test_what_cannot_be_is_one_line(model: Path, options: list[str], said: str) -> None:
    done = run.invoke(app, ["predict", str(model), *options])
    assert said in str(done.exception)
    assert "\n" not in str(done.exception)


def test_a_folder_of_another_kind_is_refused(tmp_path: Path) -> None:
    done = run.invoke(app, ["predict", str(tmp_path / "none"), "x"])
    assert "there is no such folder" in str(done.exception)


def test_readers_are_scored(model: Path, adding: Path) -> None:
    done = run.invoke(app, ["evaluate", str(model), "--json", "--faithful"])
    told = json.loads(done.stdout)["models"]["tense"]
    names = [score["name"] for score in told["scores"]]
    assert names[:2] == ["accuracy", "F1"]
    assert {"attention", "erasure"} <= set(told)
    shown = run.invoke(app, ["evaluate", str(adding), "--save"])
    assert "within 0.04" in shown.stdout
    assert "within 0.04" in (adding / "README.md").read_text("utf-8")
    refused = run.invoke(app, ["evaluate", str(adding), "--faithful"])
    assert "holds a reader that tells numbers, which is not scored with it" in str(refused.exception)
    refused = run.invoke(app, ["evaluate", str(model), "--against", str(adding)])
    assert f"--against {adding}: does not read what {model} reads" in str(refused.exception)
    refused = run.invoke(app, ["evaluate", str(model), "--paper"])
    assert "holds a reader, which is not scored with it" in str(refused.exception)
