"""The figures of a captioner: what cannot be measured does not take the others with it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.systems.test_captioning import SMALL

import jumok
from jumok.data.pictures import CaptionedPicture, PracticePictures, open_pictures
from jumok.evaluation import Score
from jumok.systems import Captioner
from jumok.systems.caption_evaluating import evaluate_captions


@pytest.fixture(scope="module")
def captioner(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Captioner:
    """One that has hardly learned."""
    folder = tmp_path_factory.mktemp("models") / "soft"
    found = jumok.load(jumok.train("scenes", folder, set={**SMALL, "training.updates": 2}, quiet=True).folder)
    assert isinstance(found, Captioner)
    return found


@pytest.fixture(scope="module")
def pictures() -> list[CaptionedPicture]:
    return list(open_pictures(PracticePictures(**SMALL["data.validation"]), Path()))


@pytest.fixture(autouse=True)
def without_java(monkeypatch: pytest.MonkeyPatch) -> None:
    """Java takes its time; a test that wants it gives its own."""
    monkeypatch.setattr("jumok.evaluation.java_meteor.shutil.which", lambda name: None)


def test_captions_of_a_word_or_two_are_scored_though_their_looks_tell_nothing(
    captioner: Captioner, pictures: list[CaptionedPicture]
) -> None:
    report, found = evaluate_captions(captioner, pictures, max_length=2)
    assert all(len(prediction.text.split()) < 3 for prediction in found)
    assert {"BLEU-4", "CIDEr-D", "perplexity", "pointing, nouns"} <= {score.name for score in report.scores}
    assert report.looks is None
    assert evaluate_captions(captioner, pictures, min_length=5, max_length=9)[0].looks is not None


def test_meteor_that_is_not_there_is_told_and_the_others_stay(
    captioner: Captioner, pictures: list[CaptionedPicture], monkeypatch: pytest.MonkeyPatch
) -> None:
    package = find_spec("json")
    monkeypatch.setattr("jumok.evaluation.java_meteor.find_spec", lambda name: package)
    report, _ = evaluate_captions(captioner, pictures, paper=True, max_length=2)
    assert report.notes == (
        "METEOR is left out: it needs Java, and there is no program `java`; install a Java runtime",
    )
    assert report.warnings == report.notes
    assert report.to_dict()["notes"] == list(report.notes)
    names = [score.name for score in report.scores]
    assert "BLEU-4, marks counted" in names
    assert not [name for name in names if name.startswith("METEOR")]
    monkeypatch.setattr("jumok.evaluation.java_meteor.find_spec", lambda name: None)
    assert "pip install pycocoevalcap" in evaluate_captions(captioner, pictures, max_length=2)[0].notes[0]


def test_meteor_that_fails_is_told_once_and_the_others_stay(
    captioner: Captioner, pictures: list[CaptionedPicture], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def failing(outputs: list[str], references: list[list[str]], marks: bool = False) -> Score:
        asked.append(marks)
        raise ValueError("METEOR failed (Java's exit code 3): Could not reserve enough space")

    monkeypatch.setattr("jumok.systems.caption_evaluating.meteor", failing)
    report, _ = evaluate_captions(captioner, pictures, paper=True, max_length=2)
    told = "METEOR is left out: it failed (Java's exit code 3): Could not reserve enough space"
    assert (report.notes, asked) == ((told,), [False])
    assert "perplexity" in {score.name for score in report.scores}


def test_meteor_is_not_missed_where_captions_are_not_english(captioner: Captioner) -> None:
    korean = SMALL["data.validation"] | {"language": "korean"}
    report, _ = evaluate_captions(captioner, list(open_pictures(PracticePictures(**korean), Path())), max_length=2)
    assert report.notes == ()
