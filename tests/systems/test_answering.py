"""The answerer: exact resume through the end of the linear start, loading, answers with their hops, bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jumok
from jumok.data import Question, Stories
from jumok.evaluation.answers import score_answers
from jumok.systems import Answerer

SMALL: dict[str, Any] = {
    "data.train.practice": ["where", "yes-no"],
    "data.train.questions": 60,
    "data.test": None,
    "model.size": 8,
    "batch_size": 12,
    "training.epochs": None,
    "training.schedule": "constant",
    "training.evaluate_every": 4,
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(out: str, resume: bool = False, **more: Any) -> Path:
    changes = {**SMALL, **{name.replace("__", "."): value for name, value in more.items()}}
    return jumok.train("stories", out, set=changes, resume=resume, quiet=True).folder


def last(folder: Path, update: int) -> list[bytes]:
    """The weights and the optimiser's memory after an update."""
    kept = folder / "checkpoints" / str(update)
    return [(kept / name).read_bytes() for name in ("weights.safetensors", "optimiser.safetensors")]


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    """One that has learned a little."""
    out = tmp_path_factory.mktemp("answerer") / "run"
    jumok.train("stories", out, set={**SMALL, "training.updates": 40}, quiet=True)
    loaded: Answerer = jumok.load(out)
    return loaded


@pytest.mark.parametrize("tying", ["adjacent", "layerwise", "mapped"])
def test_resumed_across_the_end_of_the_linear_start_gives_the_same_bits(tying: str) -> None:
    more = {"model__linear_start": 2, "model__tying": tying, "training__evaluate_every": 3}
    whole = train("whole", training__updates=14, **more)
    parts = train("parts", training__updates=3, **more)
    assert bool(jumok.load(parts).model.linear)
    train("parts", resume=True, training__updates=6, **more)
    train("parts", resume=True, training__updates=14, **more)
    assert last(whole, 14) == last(parts, 14)
    assert not jumok.load(whole).model.linear


@pytest.mark.slow
def test_two_processes_make_the_updates_of_one() -> None:
    """Through the end of the linear start, of which only the first process hears; an odd last batch is shared, too."""
    changes = {**SMALL, "model.noise": 0.0, "model.linear_start": 2, "training.updates": 20, "training.log_every": 1}
    changes |= {"batch_size": 13, "training.threads": 1}
    alone = jumok.train("stories", "alone", set=changes, quiet=True).folder
    typed = [part for name, value in changes.items() for part in ("--set", f"{name}={json.dumps(value)}")]
    command = [
        "-m",
        "torch.distributed.run",
        "--nproc_per_node=2",
        "--standalone",
        "-m",
        "jumok",
        "train",
        "stories",
    ]
    done = subprocess.run(
        [sys.executable, *command, "--out", "together", *typed],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    curves = []
    for folder in (alone, Path("together")):
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text("utf-8").splitlines()]
        curves.append([line["loss"] for line in lines if "learning_rate" in line])
    assert len(curves[0]) == len(curves[1]) == 20
    assert curves[0] == pytest.approx(curves[1], rel=1e-3)
    assert not jumok.load("together").model.linear


@pytest.mark.slow
def test_it_learns_what_needs_one_sentence() -> None:
    """Where somebody is, in stories of four sentences: a minute's work is more than a coin's."""
    more = {"data.train": {"practice": ["where"], "questions": 600, "max_sentences": 5}, "model.size": 20}
    more |= {"training.updates": 400, "training.evaluate_every": 100, "batch_size": 32}
    folder = jumok.train("stories", "out", set={**SMALL, **more}, quiet=True).folder
    report = jumok.load(folder).evaluate(list(Stories(5, "where", sentences=(4, 5)).questions(200)))
    assert report.mean_error < 0.3
    assert report.mean.any_hit > 0.7


def test_the_folder_is_whole_and_loads(answerer: Answerer) -> None:
    folder = train("out", training__updates=2)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert config["system"] == "answering"
    assert config["words"]["words"] == len(config["inputs"]["words"]) + 1
    card = (folder / "README.md").read_text("utf-8")
    assert "question-answering" in card
    assert isinstance(jumok.load(folder), Answerer)
    with pytest.raises(ValueError, match="one folder"):
        jumok.load(folder, folder)


def test_an_answer_says_what_each_hop_looked_at(answerer: Answerer) -> None:
    story = ["Nora went to the attic.", "", "Owen went to the cellar.  "]
    found = answerer(story, "Where is Nora?")
    assert found.text in answerer.words.answers
    assert found.story == ("Nora went to the attic.", "Owen went to the cellar.")
    assert next(iter(found.candidates)) == found.text
    assert sum(found.candidates.values()) == pytest.approx(1, abs=1e-5)
    assert list(found.candidates.values()) == sorted(found.candidates.values(), reverse=True)
    look = found.attention
    assert (look.rows, look.columns) == (("1", "2", "3"), (*found.story, "(nothing)"))
    assert look.without_special().columns == found.story
    assert (look.row_name, look.column_name) == ("hop", "sentence")
    np.testing.assert_allclose(look.matrix.sum(1), 1, atol=1e-5)
    assert found.peaks == look.matrix[:, :2].argmax(1).tolist()
    assert json.loads(json.dumps(found.to_dict()))["answer"] == str(found)
    assert answerer("\n".join(story), "Where is Nora?").candidates == found.candidates


def test_sentences_beyond_the_memory_have_no_weight(answerer: Answerer) -> None:
    story = ["Nora went to the attic.", "Owen went to the cellar."] * 30
    look = answerer(story, "Where is Nora?").attention
    assert look.matrix.shape == (3, 61)
    assert not look.matrix[:, :10].any()
    assert look.matrix[:, 10:].all()


def test_unseen_words_are_left_out_and_named(answerer: Answerer) -> None:
    found = answerer(["Nora secretly went to the attic.", "Zoltan slept."], "Where is Nora?")
    assert found.unknown == ("secretly", "zoltan", "slept")
    assert answerer(["Nora went to the attic."], "Where is Nora?").unknown == ()


@pytest.mark.parametrize(
    ("story", "question", "said"),
    [
        ([], "Where is Nora?", "the story is empty"),
        ("\n \n", "Where is Nora?", "the story is empty"),
        (["Nora slept."], " ?", "the question is empty"),
        (["Nora slept."], "Quo vadis?", "none of its words was seen in training"),
    ],
)
def test_what_cannot_be_answered_is_one_line(answerer: Answerer, story: Any, question: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        answerer(story, question)
    assert "\n" not in str(caught.value)


def test_an_answer_unseen_in_training_counts_as_wrong(answerer: Answerer) -> None:
    question = Question(("Nora went to the attic.",), "Where is Nora?", "the moon", (0,), "task")
    assert answerer.evaluate([question, question]).mean_error == 1.0


def test_answers_in_a_batch_are_those_alone(answerer: Answerer) -> None:
    questions = list(Stories(9, "where").questions(20))
    for question, found in zip(questions, answerer.answers(questions), strict=True):
        alone = answerer(question.story, question.text)
        assert alone.text == found.text
        np.testing.assert_allclose(alone.attention.matrix, found.attention.matrix, atol=1e-5)


def test_figures_by_task() -> None:
    report = score_answers(["a", "a", "b"], [True, False, True], [[0, 1], [2, 2], [0, 0]], [(0, 1), (1,), ()])
    first, second = report.tasks
    assert (first.error, first.hits, first.any_hit, first.all_facts) == (0.5, (0.5, 0.5), 0.5, 0.5)
    assert (second.error, second.questions) == (0.0, 1)
    assert np.isnan(second.any_hit)
    assert (report.mean_error, report.failed) == (0.25, 1)
    assert report.mean.any_hit == 0.5  # of the tasks that have facts
    assert report.to_dict()["tasks"][1]["any_hit"] is None
    with pytest.raises(ValueError, match="no questions"):
        score_answers([], [], [], [])


def test_a_damaged_folder_is_one_line() -> None:
    folder = train("out", training__updates=1)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    del config["inputs"]["answers"]
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(ValueError, match=r"config\.json: damaged") as caught:
        jumok.load(folder)
    assert "\n" not in str(caught.value)
