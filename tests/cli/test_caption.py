"""`jumok caption`: pictures, folders, patterns; what is broken is told at the end, and does not stop the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

import jumok
from jumok.cli import app
from jumok.cli.picture_files import found
from jumok.data.scenes import Scenes

SMALL = {
    "data.train": {"practice": "scenes", "pictures": 24, "size": 32, "objects": [1, 1]},
    "data.validation": {"practice": "scenes", "pictures": 4, "size": 32, "objects": [1, 1], "seed": 1},
    "data.test": {"practice": "scenes", "pictures": 5, "size": 32, "objects": [1, 2], "held_out": True},
    "batches.size": 8,
    "model.embedding_size": 8,
    "model.encoder": {"kind": "cnn", "size": 32, "stride": 8},
    "model.decoder.hidden_size": 12,
    "training.updates": 2,
    "training.warmup": 0,
    "training.schedule": "constant",
    "training.threads": 1,
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A captioner that has hardly learned."""
    folder = tmp_path_factory.mktemp("models") / "soft"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUMOK_CACHE", str(folder.parent / "cache"))
        jumok.train("scenes", folder, set=SMALL, quiet=True)
    return folder


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    for number, scene in enumerate(Scenes(seed=5, size=40).scenes(3)):
        scene.picture().save(tmp_path / f"{number}.png")
    return tmp_path


def run(*words: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    error = str(result.exception) if result.exception and not isinstance(result.exception, SystemExit) else ""
    return result.exit_code, result.stdout, result.stderr + error


def test_one_picture_is_one_line_and_several_are_named(model: Path, pictures: Path) -> None:
    code, out, _ = run("caption", model, pictures / "0.png", "--beam", 2)
    assert code == 0
    assert out.count("\n") == 1
    assert "\t" not in out
    code, out, _ = run("caption", model, pictures)
    assert [line.split("\t")[0] for line in out.splitlines()] == [
        str(pictures / f"{number}.png") for number in range(3)
    ]
    code, again, _ = run("caption", model, pictures / "*.png")
    assert again == out


def test_a_prefix_several_best_and_json(model: Path, pictures: Path) -> None:
    code, out, _ = run("caption", model, pictures / "0.png", "--prefix", "There is", "--n-best", 2)
    assert code == 0
    assert all(line.split("\t")[1].startswith("There is") for line in out.splitlines())
    assert len(out.splitlines()) == 2
    shorter = run("caption", model, pictures / "0.png", "--search", "max_length=2")[1]
    assert len(shorter.split()) == 2
    code, out, _ = run("caption", model, pictures / "1.png", "--json")
    told = json.loads(out)
    assert (told["source"], told["attention"]["grid"]) == (str(pictures / "1.png"), [4, 4])


@pytest.mark.parametrize("ending", ["html", "png", "gif", "svg", "json"])
def test_attention_of_one_and_of_two_models(ending: str, model: Path, pictures: Path) -> None:
    code, out, error = run("caption", model, pictures / "0.png", "--attention", pictures / f"look.{ending}")
    assert (code, error) == (0, "")
    assert (pictures / f"look.{ending}").stat().st_size > 500
    both = ("--against", model, "--attention", pictures / f"both.{ending}")
    code, out, error = run("caption", model, pictures / "0.png", *both)
    assert code == 0
    assert len(out.splitlines()) == 2
    assert (pictures / f"both.{ending}").stat().st_size > (pictures / f"look.{ending}").stat().st_size


def test_what_is_broken_is_told_at_the_end_and_the_others_are_captioned(model: Path, pictures: Path) -> None:
    (pictures / "cut.png").write_bytes((pictures / "0.png").read_bytes()[:300])
    (pictures / "text.jpg").write_text("no picture")
    code, out, error = run("caption", model, pictures)
    assert code == 1
    assert len(out.splitlines()) == 3
    assert "cut.png" in error
    assert "text.jpg" in error
    assert "2 of 5 pictures could not be read" in error
    code, out, error = run("caption", model, pictures / "text.jpg")
    assert code != 0
    assert "text.jpg: " in error
    assert "\n" not in error.strip()


def test_names_that_lead_nowhere_are_one_line(model: Path, pictures: Path) -> None:
    (pictures / "empty").mkdir()
    for words, line in (
        ((pictures / "empty",), "has no picture in it"),
        ((pictures / "*.webp",), "there is no such file"),
        ((pictures / "9.png",), "there is no such picture"),
        ((pictures / "0.png", "--attention", "look.mp3"), "cannot tell what to write"),
        ((pictures / "0.png", "--attention", "nowhere/look.png"), "there is no folder"),
    ):
        code, _, error = run("caption", model, *words)
        assert code != 0
        assert line in error


def test_new_drawings_are_told_of_with_what_is_right(model: Path, tmp_path: Path) -> None:
    code, out, error = run("caption", model, "--examples", 2, "--attention", tmp_path / "look.png")
    assert (code, error) == (0, "")
    lines = [line.split("\t") for line in out.splitlines()]
    assert [line[0] for line in lines] == ["drawing-1", "drawing-2"]
    assert all(line[2].startswith("right: ") for line in lines)
    assert (tmp_path / "look-2.png").exists()
    again = json.loads(run("caption", model, "--examples", 1, "--json")[1])
    assert again["right"] == lines[0][2].removeprefix("right: ")
    for words in ((), ("a.png", "--examples", 1)):
        code, _, error = run("caption", model, *words)
        assert code != 0
        assert "or give --examples N, not both" in error


def test_folders_are_searched_and_nothing_comes_twice(pictures: Path) -> None:
    (pictures / "more").mkdir()
    Image.new("RGB", (9, 9)).save(pictures / "more" / "a.JPG", "JPEG")
    (pictures / "notes.txt").write_text("x")
    paths = found([str(pictures), str(pictures / "0.png")])
    assert [path.name for path in paths] == ["0.png", "1.png", "2.png", "a.JPG"]


@pytest.fixture
def without_meteor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Java takes long to start."""
    monkeypatch.setattr("jumok.evaluation.java_meteor.find_spec", lambda name: None)


@pytest.mark.usefixtures("without_meteor")
def test_evaluate_scores_captioners_and_refuses_what_is_for_text(model: Path) -> None:
    code, told_alone, error = run("evaluate", model, "--beam", 2, "--json", "--save")
    assert (code, error) == (0, "")
    told = json.loads(told_alone)
    scores = {score["name"] for score in told["models"]["soft"]["scores"]}
    assert told["data"] == "test"
    assert {"BLEU-4", "BLEU-4 without brevity penalty", "CIDEr-D", "all right", "pointing, nouns"} <= scores
    assert "On test" in (model / "README.md").read_text("utf-8")
    code, out, _ = run("evaluate", model, "--against", model, "--split", "validation", "--paper")
    assert "entropy of attention" in out
    assert "BLEU-4, marks counted" in out
    assert out.count("METEOR is left out: it needs a package") == 2  # a line for each model
    code, together, _ = run("evaluate", model, "--with", model, "--beam", 2, "--json")
    assert json.loads(together)["models"]["soft + soft"]["scores"] == json.loads(told_alone)["models"]["soft"]["scores"]
    code, _, error = run("evaluate", model, "--by-length")
    assert "--by-length: " in error
    assert "holds a captioner, which is not scored with it" in error


@pytest.mark.usefixtures("without_meteor")
def test_evaluate_finds_the_pictures_beside_a_table_or_where_it_is_told(
    model: Path, pictures: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    table = pictures / "mine.csv"
    table.write_text("image,caption\n" + "".join(f"{number}.png,There is a cat.\n" for number in range(3)))
    code, out, error = run("evaluate", model, "--data", table, "--json", "--beam", 1)
    assert (code, error) == (0, "")
    told = json.loads(out)
    assert (told["data"], told["models"]["soft"]["sentences"]) == ("mine.csv", 3)
    table = table.rename(Path("mine.csv").absolute())
    code, _, error = run("evaluate", model, "--data", table)
    assert code != 0
    assert "is data.test.images the folder of the pictures?" in error
    there = f"data.test.images={pictures}"
    assert run("evaluate", model, "--data", table, "--set", there, "--json", "--beam", 1)[1] == out
