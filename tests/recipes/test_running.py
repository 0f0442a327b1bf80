"""A run keeps its recipe, goes on only with the same one, and leaves nothing behind where nothing was learned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jumok.recipes import load, parse_change
from jumok.recipes.comparing import FREE, differences
from jumok.recipes.running import Run, train

SMALL: dict[str, Any] = {
    "data.train.pairs": 60,
    "data.validation.pairs": 10,
    "data.test": None,
    "model.embedding_size": 8,
    "model.encoder.hidden_size": 8,
    "model.decoder.hidden_size": 16,
    "training.updates": 2,
    "training.warmup": 0,
    "training.schedule": "constant",
    "training.evaluate_every": 2,
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUMOK_CACHE", str(tmp_path / "cache"))
    return tmp_path


def small(recipe: str | None = "korean", out: str | None = None, resume: bool = False, **more: Any) -> Run:
    changes = {**(SMALL if recipe else {}), **{name.replace("__", "."): value for name, value in more.items()}}
    return train(recipe, out, set=changes, resume=resume, quiet=True)


def test_a_run_keeps_its_recipe_and_can_be_made_longer() -> None:
    first = small()
    assert first.folder == Path("runs/korean")
    assert (first.outcome.update, first.outcome.finished) == (2, True)
    assert "loss" in first.outcome.best
    assert load(first.folder / "recipe.yaml").settings == first.recipe.settings
    longer = small(resume=True, training__updates=4)
    assert longer.outcome.update == 4
    again = small(None, "runs/korean", resume=True)  # the folder's recipe knows the new length
    assert again.outcome.update == 4
    assert again.recipe.settings == longer.recipe.settings


def test_a_recipe_from_python_is_a_mapping(folder: Path) -> None:
    run = train({"inherits": "korean"}, folder / "mine", set=SMALL, quiet=True)
    assert run.outcome.finished
    assert (folder / "mine" / "model.safetensors").exists()


def test_a_run_that_was_killed_before_its_first_checkpoint_goes_on(folder: Path) -> None:
    first = small(out="whole")
    (folder / "killed").mkdir()
    (folder / "killed" / "recipe.yaml").write_bytes((first.folder / "recipe.yaml").read_bytes())
    small(None, "killed", resume=True)
    weights = [(folder / name / "model.safetensors").read_bytes() for name in ("whole", "killed")]
    assert weights[0] == weights[1]


def test_another_recipe_does_not_go_on_with_a_run() -> None:
    small()
    with pytest.raises(ValueError, match=r"^seed is 2 and was 1 in .*recipe\.yaml: a run goes on with its own recipe"):
        small(resume=True, seed=2)
    with pytest.raises(
        ValueError, match=r"^model\.preset is 'hard' and was 'luong-general' in .* \(and 6 more fields differ\)"
    ):
        small(None, "runs/korean", resume=True, model__preset="hard")


def test_a_folder_in_use_is_left_alone(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OSError, match="out exists and is not empty"):
        small(out="out")
    with pytest.raises(ValueError, match=r"recipe\.yaml: there is no such file, so this is no run to go on with"):
        small(out="out", resume=True)
    assert [path.name for path in (folder / "out").iterdir()] == ["thesis.txt"]


def test_a_run_that_could_not_begin_leaves_no_folder(folder: Path) -> None:
    with pytest.raises(OSError, match="there is no file"):
        train("multi30k", "out", quiet=True)
    assert not (folder / "out").exists()


def test_what_is_there_to_go_on_with() -> None:
    with pytest.raises(ValueError, match="which recipe"):
        train(None)
    with pytest.raises(ValueError, match="there is no such folder, so there is no run to go on with"):
        train("korean", "nowhere", resume=True)


def test_an_interrupt_says_how_to_go_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("jumok.systems.Translation.train", interrupted)
    with pytest.raises(KeyboardInterrupt, match="nothing was learned yet"):
        small(out="out")
    assert not (folder / "out").exists()
    (folder / "out").mkdir()
    (folder / "out" / "recipe.yaml").write_text("inherits: korean", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt, match="go on with jumok train --resume --out out"):
        train(None, "out", resume=True)


@pytest.mark.parametrize("typed", ["training.updates=7", "training.keep=3", "training.minutes=2", "data.root=there"])
def test_length_and_place_may_change(typed: str) -> None:
    assert differences(load("multi30k").settings, load("multi30k", [parse_change(typed)]).settings) == []


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ("training.learning_rate=7", "training.learning_rate"),
        ("data.train={file: a.tsv, source: 0, target: 1}", "data.train.source"),
        ("model.decoder.attention.normalize=sparsemax", "model.decoder.attention.normalize"),
        ("data.test=null", "data.test"),
    ],
)
def test_what_changes_the_learning_is_named(typed: str, field: str) -> None:
    found = differences(load("multi30k").settings, load("multi30k", [parse_change(typed)]).settings)
    assert found[0].field == field


def test_what_may_change_is_there() -> None:
    values = load("multi30k").settings.model_dump()
    assert {name for name in FREE if name.split(".")[1] not in values[name.split(".")[0]]} == set()
