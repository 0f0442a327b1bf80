"""The questions of a recipe, split by split."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from jumok.core.names import unknown
from jumok.data.mixing import key, shuffled
from jumok.data.stories.babi import read_babi
from jumok.data.stories.practice import Stories
from jumok.data.stories.question import Question
from jumok.data.stories.settings import HeldOutStories, PracticeStories, StoryDataSettings, StorySettings


class StorySplits(NamedTuple):
    """What is learned from, and what tells how it goes."""

    train: list[Question]
    validation: list[Question]


def open_stories(settings: StoryDataSettings) -> StorySplits:
    """The questions to learn from, and those that are held out."""
    tasks = _tasks(settings.train, Path(settings.root), "data.train")
    if not isinstance(settings.validation, HeldOutStories):
        held = _tasks(settings.validation, Path(settings.root), "data.validation")
        return StorySplits(_joined(tasks), _joined(held))
    kept: list[Question] = []
    held_out: list[Question] = []
    for number, questions in enumerate(tasks):
        stories = _by_story(questions)
        count = max(round(len(stories) * settings.validation.share), 1)
        chosen = set(shuffled(len(stories), key(number))[:count].tolist())
        for place, story in enumerate(stories):
            (held_out if place in chosen else kept).extend(story)
    if not kept:
        raise ValueError("data.validation: its share leaves nothing to train on; give more stories, or a smaller share")
    return StorySplits(kept, held_out)


def open_story_split(settings: StoryDataSettings, split: str | None) -> tuple[str, list[Question]]:
    """The name and the questions of a split: by default test, where there is one, else validation."""
    known = ["train", "validation", *(["test"] if settings.test is not None else [])]
    name = split or known[-1]
    if name not in known:
        raise ValueError(f"--split: {unknown('split', name, known)}")
    if name == "test" and settings.test is not None:
        return name, _joined(_tasks(settings.test, Path(settings.root), "data.test"))
    splits = open_stories(settings)
    return name, splits.train if name == "train" else splits.validation


def _tasks(settings: StorySettings, root: Path, field: str) -> list[list[Question]]:
    """The questions, task by task."""
    if isinstance(settings, PracticeStories):
        lengths = (settings.min_sentences, settings.max_sentences)
        return [
            list(Stories(settings.seed, kind, settings.language, lengths).questions(settings.questions))
            for kind in settings.practice
        ]
    wanted = root / settings.file
    folder = wanted.parent
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{folder}: there is no such folder; name that of the stories with --set data.root=FOLDER"
        )
    paths = sorted(path for path in folder.iterdir() if fnmatch(path.name, wanted.name))
    if not paths:
        raise FileNotFoundError(
            f"{folder}: has no file {wanted.name!r} ({field}); name the stories' folder with --set data.root=FOLDER"
        )
    return [read_babi(path) for path in sorted(paths, key=_by_number)]


def _by_number(path: Path) -> tuple[int, str]:
    """So that qa2 comes before qa10."""
    digits = "".join(letter for letter in path.name.split("_")[0] if letter.isdecimal())
    return int(digits or 0), path.name


def _by_story(questions: Sequence[Question]) -> list[list[Question]]:
    """Questions that ask about one story as it goes on, together."""
    stories: list[list[Question]] = []
    told: tuple[str, ...] = ()
    for question in questions:
        if not stories or not told or question.story[: len(told)] != told:
            stories.append([])
        stories[-1].append(question)
        told = question.story
    return stories


def _joined(tasks: list[list[Question]]) -> list[Question]:
    return [question for questions in tasks for question in questions]
