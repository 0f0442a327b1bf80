"""Readers of pictures: labels of drawn things and of photos in folders, where they look, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

import jumok
from jumok.cli import app
from jumok.data.pictures import LabelledPictureData, PracticeObjects, open_labelled_pictures
from jumok.data.pictures.labels import drawn_objects
from jumok.recipes.running import kept_recipe
from jumok.systems import Reader
from jumok.systems.read_evaluating import evaluate, judged_by

COLOURS = {"red": (220, 30, 30), "green": (30, 200, 40), "blue": (40, 60, 220)}
SMALL: dict[str, Any] = {
    "model.encoder": {"kind": "cnn", "size": 32, "stride": 8},
    "model.size": 16,
    "batches.size": 12,
    "training.threads": 1,
    "training.warmup": 5,
    "training.updates": 160,
    "training.evaluate_every": 80,
    "data.test": None,
}


def photos(folder: Path, each: int = 16) -> Path:
    """Grey pictures with a square of a colour somewhere, in a folder of the colour's name."""
    for label, colour in COLOURS.items():
        (folder / label).mkdir(parents=True)
        for number in range(each):
            image = Image.new("RGB", (32, 32), (128, 128, 128))
            image.paste(colour, (x := 8 * (number % 4), y := 8 * (number // 4 % 4), x + 8, y + 8))
            image.save(folder / label / f"{number}.png")
    return folder


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return photos(tmp_path_factory.mktemp("photos") / "all")


@pytest.fixture(scope="module")
def folder(pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("model") / "colours"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUMOK_CACHE", str(out.parent / "cache"))
        data = {"data.train": {"folder": str(pictures)}, "data.validation": {"share": 0.3}}
        return jumok.train("recognise", out, set=SMALL | data, quiet=True).folder


def test_it_learns_and_looks_where_the_colour_is(folder: Path, pictures: Path) -> None:
    reader = jumok.load(folder)
    assert isinstance(reader, Reader)
    paths = [pictures / label / f"{number}.png" for label in COLOURS for number in (0, 15)]
    found = reader(paths)
    assert [reading.label for reading in found] == [path.parent.name for path in paths]
    for path, reading in zip(paths, found, strict=True):
        look = reading.attention
        assert look is not None
        assert (look.grid, look.rows) == ((4, 4), (reading.label,))
        assert look.matrix.sum() == pytest.approx(1, abs=1e-5)
        assert len(reading.words) == 16
        row, column = divmod(int(path.stem), 4)
        near = look.matrix[0].reshape(4, 4)[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        assert near.sum() > 2 * near.size / 16  # a region sees its neighbours, too, but most of it is looked at here
    alone = reader(Image.open(paths[0]))
    assert alone.probability == pytest.approx(found[0].probability, abs=1e-5)
    assert reader(paths[0].read_bytes()).label == found[0].label


def test_it_is_scored_on_its_split(folder: Path) -> None:
    reader = Reader.load(folder)
    judged = judged_by(kept_recipe(folder), None, reader.labels)
    report, looks, _ = evaluate(reader, judged)
    kept = json.loads((folder / "scores.json").read_text("utf-8"))["validation"]
    assert {score.name: score.value for score in report.scores}["accuracy"] == pytest.approx(100 * kept["accuracy"])
    assert looks is not None


def test_the_command_names_the_pictures_and_tells_the_broken_ones(folder: Path, pictures: Path, tmp_path: Path) -> None:
    look = tmp_path / "look.html"
    done = CliRunner().invoke(app, ["predict", str(folder), str(pictures / "red/1.png"), "--attention", str(look)])
    label, probability, regions = done.stdout.rstrip("\n").split("\t")
    assert (label, len(regions.split("  "))) == ("red", 3)
    assert 0 < float(probability) <= 1
    assert "red" in look.read_text("utf-8")
    (tmp_path / "some").mkdir()
    (tmp_path / "some/a.png").write_bytes((pictures / "blue/3.png").read_bytes())
    (tmp_path / "some/b.png").write_bytes(b"no picture")
    done = CliRunner().invoke(app, ["predict", str(folder), str(tmp_path / "some"), "--json"])
    assert done.exit_code == 1
    assert json.loads(done.stdout.splitlines()[0])["label"] == "blue"
    assert "1 of 2 pictures could not be read" in done.output
    refused = CliRunner().invoke(app, ["predict", str(folder)])
    assert "this model reads pictures" in str(refused.exception)
    refused = CliRunner().invoke(app, ["predict", str(folder), "--examples", "1"])
    assert "did not learn from practice pictures" in str(refused.exception)


def test_a_reader_of_practice_pictures_is_shown_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUMOK_CACHE", str(tmp_path / "cache"))
    data = {"practice": "objects", "pictures": 24, "size": 32}
    splits = {"data.train": data, "data.validation": {**data, "pictures": 4, "seed": 0}}
    short = {"training.updates": 160, "training.evaluate_every": 2}
    folder = jumok.train("recognise", tmp_path / "model", set=SMALL | splits | short, quiet=True).folder
    done = CliRunner().invoke(app, ["predict", str(folder), "--examples", "3", "--attention", str(tmp_path / "a.png")])
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert [len(line) for line in lines] == [4, 4, 4]
    kinds = {entry.captions[0] for entry in drawn_objects(PracticeObjects(practice="objects", pictures=400))}
    assert {line[2].removeprefix("right: ") for line in lines} <= kinds
    with Image.open(tmp_path / "a-3.png") as picture:
        assert picture.size[0] > 32


def test_practice_objects_are_of_one_thing_in_both_languages() -> None:
    data = {"kind": "pictures", "train": {"practice": "objects", "pictures": 30, "size": 32}}
    english = open_labelled_pictures("train", LabelledPictureData.model_validate(data), Path())
    data["train"]["language"] = "korean"  # type: ignore[index]
    korean = open_labelled_pictures("train", LabelledPictureData.model_validate(data), Path())
    assert {entry.captions[0] for entry in korean} & {"고양이", "집", "나무", "배", "공", "새", "꽃", "의자"}
    for one, other in zip(english, korean, strict=True):
        assert len(one.picture.scene().objects) == 1  # type: ignore[union-attr]
        assert one.picture == other.picture
        assert one.picture.scene().objects[0].kind == one.captions[0]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"train": {"folder": "nowhere"}}, r"data\.train\.folder: there is no folder"),
        ({"train": {"folder": "empty"}}, "has no folders; make one for each label"),
        ({"train": {"folder": "photos"}, "validation": {"folder": "other"}}, "does not occur in training"),
        ({"train": {"file": "twice.csv", "images": "photos"}}, "the picture has several labels"),
        ({"train": {"folder": "one"}}, "give two labels at least"),
    ],
)
def test_bad_data_is_one_line(data: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUMOK_CACHE", str(tmp_path / "cache"))
    photos(tmp_path / "photos", each=2)
    photos(tmp_path / "other", each=1)
    (tmp_path / "other/red").rename(tmp_path / "other/violet")
    (tmp_path / "empty").mkdir()
    (tmp_path / "one").mkdir()
    (tmp_path / "one/red").mkdir()
    (tmp_path / "one/red/1.png").write_bytes((tmp_path / "photos/red/1.png").read_bytes())
    (tmp_path / "twice.csv").write_text("image,label\nred/0.png,red\nred/0.png,green\n")
    changes = SMALL | {f"data.{name}": value for name, value in data.items()}
    with pytest.raises((ValueError, OSError), match=said) as caught:
        jumok.train("recognise", tmp_path / "out", set=changes, quiet=True)
    assert "\n" not in str(caught.value)


def test_pictures_and_encoders_go_together() -> None:
    with pytest.raises(ValueError, match="pictures need an encoder"):
        jumok.train("recognise", "out", set={"model.encoder": None}, quiet=True)
    with pytest.raises(ValueError, match="only pictures have one"):
        jumok.train("classify", "out", set={"model.encoder": {"kind": "cnn"}}, quiet=True)


def test_a_recipe_of_ones_own_takes_the_pictures_from_its_folder(tmp_path: Path) -> None:
    photos(tmp_path / "photos", each=1)
    (tmp_path / "mine.yaml").write_text("inherits: recognise\ndata:\n  train: {folder: photos}\n")
    from jumok.recipes import load

    data = load(tmp_path / "mine.yaml").settings.data  # type: ignore[attr-defined]
    assert Path(data.root) == tmp_path
    assert isinstance(data.validation, PracticeObjects)
