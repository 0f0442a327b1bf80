"""`jumok answer`, and `jumok evaluate` on an answerer."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import jumok
from jumok.cli import app, main

STORY = "Nora went to the attic.\nOwen went to the cellar.\nNora went to the library.\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that has hardly learned."""
    changes: dict[str, Any] = {"data.train": {"practice": ["where", "count"], "questions": 40}, "model.size": 8}
    changes |= {"data.test": {"practice": ["where", "count"], "questions": 10, "seed": 1}, "model.linear_start": 0}
    changes |= {"training.epochs": None, "training.updates": 5, "training.schedule": "constant"}
    return jumok.train("stories", tmp_path_factory.mktemp("runs") / "small", set=changes, quiet=True).folder


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "story.txt"
    path.write_text(STORY, encoding="utf-8")
    return path


def answer(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["answer", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_answer_and_the_sentences_of_each_hop(model: Path, story: Path) -> None:
    said = answer(model, "--story", story, "--question", "Where is Nora?")
    lines = said.splitlines()
    assert lines[0] == "Where is Nora?"
    assert "%" in lines[1]
    for hop in ("hop 1", "hop 2", "hop 3"):
        assert sum(line.startswith(hop) for line in lines) == 1
    assert any(line.rstrip().endswith("Nora went to the library.") for line in lines)


def test_questions_may_stand_in_the_story_as_in_babi(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "babi.txt"
    path.write_text(
        "1 Nora went to the attic.\n2 Where is Nora?\tnowhere\t1\n3 Owen took the map.\n4 Where is Owen?\n", "utf-8"
    )
    plain = [json.loads(line) for line in answer(model, "--story", path, "--json").splitlines()]
    assert [one["question"] for one in plain] == ["Where is Nora?", "Where is Owen?"]
    assert [len(one["story"]) for one in plain] == [1, 2]
    assert "the story says: nowhere" in answer(model, "--story", path)


def told(model: Path, path: Path, text: str) -> list[dict[str, Any]]:
    path.write_text(text, "utf-8")
    return [json.loads(line) for line in answer(model, "--story", path, "--json").splitlines()]


def test_a_file_of_several_stories_keeps_them_apart(model: Path, tmp_path: Path) -> None:
    """As the files of bAbI have them: numbers that start again at 1 begin a new story."""
    text = (
        "1 Nora went to the attic.\r\n2 Where is Nora?\tattic\t1\r\n1 Owen took the map.\r\n2 Where is Owen?\t\t1\r\n"
    )
    found = told(model, tmp_path / "two.txt", text)
    assert [one["story"] for one in found] == [["Nora went to the attic."], ["Owen took the map."]]
    with pytest.raises(ValueError, match="holds 2 stories, and --question is about one"):
        answer(model, "--story", tmp_path / "two.txt", "--question", "Where is Nora?")


def test_numbers_of_a_sentence_are_its_own_where_not_all_lines_have_some(model: Path, tmp_path: Path) -> None:
    found = told(model, tmp_path / "plain.txt", "1 map is in the attic.\nNora took it.\nWhere is Nora?\n")
    assert found[0]["story"] == ["1 map is in the attic.", "Nora took it."]


def test_a_line_with_an_answer_behind_a_tab_is_a_question(model: Path, tmp_path: Path) -> None:
    found = told(model, tmp_path / "tab.txt", "1 Nora went to the attic.\n2 Tell me where Nora is\tattic\t1\n")
    assert [one["question"] for one in found] == ["Tell me where Nora is"]


def test_unseen_words_are_named(model: Path, story: Path) -> None:
    assert "left out: zebra" in answer(model, "--story", story, "--question", "Where is Nora zebra?")


def test_the_hops_are_drawn(model: Path, story: Path, tmp_path: Path) -> None:
    picture = tmp_path / "hops.svg"
    answer(model, "--story", story, "--question", "Where is Nora?", "--attention", picture)
    text = picture.read_text("utf-8")
    assert "hop" in text
    assert "Nora went to the library." in text
    answer(
        model, "--story", story, "--question", "Where is Nora?", "--question", "Where is Owen?", "--attention", picture
    )
    assert (tmp_path / "hops-2.svg").exists()
    answer(
        model,
        "--story",
        story,
        "--question",
        "Where is Nora?",
        "--question",
        "Where is Owen?",
        "--attention",
        tmp_path / "x.html",
    )
    assert "Where is Owen?" in (tmp_path / "x.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        (STORY, [], "there is no question in the story"),
        ("", ["--question", "Where is Nora?"], "the story is empty"),
        ("Where is Nora?\n", [], "story.txt:1: nothing is told before this question"),
        ("Where is Nora?\n", ["--question", "Where is Nora?"], "the story is empty"),
        (STORY, ["--question", ""], "the question is empty"),
        (STORY, ["--question", "Quo vadis?"], "none of its words was seen"),
        (STORY, ["--question", "Where is Nora?", "--attention", "hops.doc"], "end the name in"),
        (STORY, ["--question", "Where is Nora?", "--attention", "nowhere/hops.svg"], "there is no folder"),
    ],
)
def test_what_is_wrong_is_one_line(
    model: Path, tmp_path: Path, text: str, more: list[str], said: str, **_: object
) -> None:
    path = tmp_path / "story.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((ValueError, OSError), match=said) as caught:
        CliRunner().invoke(app, ["answer", str(model), "--story", str(path), *more], catch_exceptions=False)
    assert "\n" not in str(caught.value)


def test_a_missing_story_ends_with_code_2(
    model: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["jumok", "answer", str(model), "--story", "nowhere.txt"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert capfd.readouterr().err == "jumok: --story nowhere.txt: there is no such file\n"


def evaluate(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["evaluate", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_evaluate_tells_error_and_facts_by_task(model: Path) -> None:
    said = evaluate(model)
    assert "on test, 20 questions" in said
    assert [line.split()[0] for line in said.splitlines()[2:5]] == ["where", "count", "mean"]
    plain = json.loads(evaluate(model, "--split", "validation", "--json"))
    assert plain["data"] == "validation"
    assert [task["task"] for task in plain["tasks"]] == ["where", "count", "mean"]
    with pytest.raises(ValueError, match="holds an answerer, which is not scored with it"):
        evaluate(model, "--by-length")


def test_evaluate_takes_a_file_of_stories(model: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("1 Nora went to the attic.\n2 Where is Nora?\tattic\t1\n", "utf-8")
    told = json.loads(evaluate(model, "--data", own, "--json"))
    assert told["data"] == "own.txt"
    assert (told["tasks"][0]["task"], told["tasks"][0]["questions"]) == ("own", 1)
