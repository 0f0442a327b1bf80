"""The format of the bAbI tasks: numbered lines, questions among them, each with its answer and supporting facts.

    1 Mary moved to the bathroom.
    2 Where is Mary?	bathroom	1

Numbers start again at 1 with every story; a question is about all sentences of its story before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from jumok.core.files import check_file
from jumok.data.stories.question import Question
from jumok.data.stories.words import words_of

_LINE = re.compile(r"(\d+) +(.*)")
_NAME = re.compile(r"(?P<task>qa\d+)_(?P<what>.+?)_(train|valid|validation|test)\.txt")


def task_of(path: Path) -> str:
    """What a file's name says of its task.

    >>> task_of(Path("qa2_two-supporting-facts_train.txt"))
    'qa2 two supporting facts'
    """
    found = _NAME.fullmatch(path.name)
    return f"{found['task']} {found['what'].replace('-', ' ')}" if found else path.stem


def read_babi(path: Path) -> list[Question]:
    """The questions of a file; what is wrong in it is a `ValueError` with the line."""
    check_file(path, "set data.root to the folder with the stories")
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: is not UTF-8 ({error.reason} at byte {error.start}); convert it") from None
    questions = list(parse_babi(lines, str(path), task_of(path)))
    if not questions:
        raise ValueError(f"{path}: has no question; a question is a line with its answer behind a tab")
    return questions


def parse_babi(lines: list[str], name: str, task: str) -> Iterator[Question]:
    """Yields the questions of some lines; `name` is what errors call them."""
    story: list[str] = []
    places: dict[int, int] = {}  # the number of a line, and which sentence of the story it is
    last, asked, begun = 0, True, 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None:
            got = f"got {line.strip()[:60]!r}"
            raise ValueError(f"{name}:{number}: expected a number and a sentence, such as '1 Mary left.'; {got}")
        told = int(found[1])
        if told == 1:
            _check_asked(asked, name, begun)
            story, places, asked, begun = [], {}, False, number
        elif told != last + 1:
            raise ValueError(f"{name}:{number}: line {told} of a story follows line {last}; number them without gaps")
        last = told
        text, *rest = (part.strip() for part in found[2].split("\t"))
        if not text:
            raise ValueError(f"{name}:{number}: there is no text behind the number; write a sentence")
        if not rest:
            places[told] = len(story)
            story.append(text)
            continue
        asked = True
        if not rest[0]:
            raise ValueError(f"{name}:{number}: the question has no answer; write it behind a tab")
        if not story:
            raise ValueError(f"{name}:{number}: nothing is told before this question; write the sentences above it")
        if not words_of(text):
            raise ValueError(f"{name}:{number}: the question has no words, only {text[:60]!r}; write some")
        support = rest[1] if len(rest) > 1 else ""
        yield Question(tuple(story), text, rest[0], _support(support, places, f"{name}:{number}"), task)
    _check_asked(asked, name, begun)


def _support(text: str, places: dict[int, int], where: str) -> tuple[int, ...]:
    numbers = []
    for part in text.split():
        if not part.isdecimal() or int(part) not in places:
            raise ValueError(
                f"{where}: supporting fact {part!r} is no sentence of this story before the question; mend the number"
            )
        numbers.append(places[int(part)])
    return tuple(numbers)


def _check_asked(asked: bool, name: str, begun: int) -> None:
    if not asked:
        raise ValueError(f"{name}:{begun}: nothing is asked about the story that begins here; add a question")


def format_babi(questions: list[Question]) -> str:
    """The questions as text that `read_babi` reads; those whose stories continue each other share one."""
    lines: list[str] = []
    told: list[str] = []
    numbers: list[int] = []  # of the lines of the sentences in `told`
    count = 0
    for question in questions:
        story = list(question.story)
        if not told or story[: len(told)] != told:
            told, numbers, count = [], [], 0
        for sentence in story[len(told) :]:
            count += 1
            lines.append(f"{count} {sentence}")
            numbers.append(count)
        told, count = story, count + 1
        support = " ".join(str(numbers[place]) for place in question.support)
        lines.append(f"{count} {question.text}\t{question.answer}\t{support}".rstrip("\t"))
    return "".join(f"{line}\n" for line in lines)
