"""`jumok answer`: a story and a question in, the answer out, and hop by hop the sentences looked at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from jumok.cli.asked import Asked
from jumok.cli.looks import Looks
from jumok.cli.options import Device

if TYPE_CHECKING:
    from jumok.data import Question
    from jumok.systems import Answer
    from jumok.viewing import AttentionMap

SHOWN = 3
"""Sentences of a hop that are printed, the ones looked at most."""

OTHERS = 2
"""Other candidates that are named beside the answer."""


def answer(
    model: Annotated[
        Path, typer.Argument(help="The folder of a trained answerer, such as runs/stories.", metavar="MODEL")
    ],
    story: Annotated[
        Path, typer.Option("--story", metavar="FILE", help="The story, a sentence a line, or numbered as in bAbI.")
    ],
    question: Annotated[
        list[str] | None,
        typer.Option(
            "--question",
            metavar="TEXT",
            help="What to answer; may be repeated. Without it, the lines of the story that end in a question mark.",
        ),
    ] = None,
    attention: Annotated[
        Path | None,
        typer.Option(
            "--attention", metavar="FILE", help="What each hop looked at: .html, .svg, .png, .pdf, .gif, .json."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a question, with all candidates.")] = False,
    device: Device = "auto",
) -> None:
    """Answer questions about a story, with the sentences that were looked at.

    \b
    jumok answer runs/stories --story story.txt --question "Where is Nora?"
    jumok answer runs/stories --story story.txt    the questions stand in it
    jumok answer runs/stories --story story.txt --attention hops.svg
    """
    from jumok.systems import Answerer
    from jumok.viewing.saving import WRITERS

    looks = None if attention is None else Looks(attention, tuple(WRITERS), _draw)
    asked = read_story(story, question)
    answerer = Answerer.load(model, device=device)
    answers = [answerer(one.story, one.text) for one in asked]
    for one, found in zip(asked, answers, strict=True):
        if as_json:
            typer.echo(json.dumps(found.to_dict(), ensure_ascii=False))
        else:
            _show(one, found)
        if looks is not None:
            looks.add(found.attention)
    if looks is not None:
        looks.save()


def read_story(path: Path, asked: list[str] | None) -> list[Question]:
    """The questions about the story in a file: those `asked` after all of it, or each where it stands.

    A file whose lines are all numbered, from 1, is in the format of bAbI: with every 1 a new story begins.
    """
    from jumok.data import Question

    stories, questions = 0, list[Question]()
    sentences: list[str] = []
    for line in _lines(path):
        if line.begins:
            stories, sentences = stories + 1, []
        if not line.asks:
            sentences.append(line.text)
        elif sentences:
            questions.append(Question(tuple(sentences), line.text, line.answer))
        elif not asked:
            raise ValueError(
                f"{path}:{line.number}: nothing is told before this question; write the sentences above it"
            )
    if not sentences and not questions:
        raise ValueError(f"{path}: the story is empty; write a sentence a line")
    if asked and stories > 1:
        raise ValueError(
            f"{path}: holds {stories:,} stories, and --question is about one; give a file with that one, or leave"
            " --question out to answer the questions in the file"
        )
    if asked:
        return [Question(tuple(sentences), text, "") for text in asked]
    if not questions:
        raise ValueError(f"{path}: there is no question in the story; ask one with --question TEXT")
    return questions


class _Line(NamedTuple):
    """A line of a story that is not empty. begins: whether it is the first of a story. answer: behind a tab, if any."""

    number: int
    begins: bool
    text: str
    answer: str

    @property
    def asks(self) -> bool:
        return bool(self.answer) or self.text.endswith(("?", "？"))


def _lines(path: Path) -> list[_Line]:
    if path.is_dir():
        raise ValueError(f"--story {path}: is a folder; name a file")
    if not path.is_file():
        raise FileNotFoundError(f"--story {path}: there is no such file")
    try:
        whole = path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: is not UTF-8 ({error.reason} at byte {error.start}); convert it") from None
    there = [(number, line.strip()) for number, line in enumerate(whole, start=1) if line.strip()]
    counts = [line.split(" ", 1)[0] for _, line in there]
    numbered = all(count.isdecimal() for count in counts) and counts[:1] == ["1"]
    told = []
    for place, (number, line) in enumerate(there):
        text, *rest = (line.partition(" ")[2] if numbered else line).split("\t")
        begins = counts[place] == "1" if numbered else place == 0
        if text.strip():
            told.append(_Line(number, begins, text.strip(), rest[0].strip() if rest else ""))
    return told


def _draw(looks: Sequence[AttentionMap], path: Path) -> None:
    """The story with a bar for each hop beside its sentences."""
    looks[0].save(path, form="story")


def _show(asked: Question, found: Answer) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    others = [
        f"{text} {chance:.0%}" for text, chance in list(found.candidates.items())[1 : OTHERS + 1] if chance >= 0.01
    ]
    beside = f"{found.probability:.0%}" + (f"; then {', '.join(others)}" if others else "")
    console.print(Text(found.question, style="bold"))
    console.print(Text.assemble((found.text, "bold cyan"), f"  ({beside})"))
    if asked.answer and asked.answer.lower() != found.text.lower():
        console.print(Text(f"the story says: {asked.answer}", style="yellow"))
    if found.unknown:
        console.print(Text(f"never seen in training, left out: {', '.join(found.unknown)}", style="yellow"))
    console.print(_hops(found))
    console.print()


def _hops(found: Answer) -> Any:
    """A line for each sentence that a hop looked at most: the hop, the weight as number and bar, the sentence."""
    from rich.bar import Bar
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(width=16, no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for hop, weights in zip(found.attention.rows, found.attention.matrix.tolist(), strict=True):
        order = sorted(range(len(weights)), key=lambda place: -weights[place])[:SHOWN]
        most = [place for place in order if weights[place] >= 0.05] or order[:1]
        for place in most:
            name = f"hop {hop}" if place == most[0] else ""
            bar = Bar(1.0, 0.0, max(min(weights[place], 1.0), 0.0), color="cyan")
            number = str(place + 1) if place < len(found.story) else ""
            told = Text(found.attention.columns[place], style="" if number else "dim")
            table.add_row(name, f"{weights[place]:.2f}", bar, Text(number, style="dim"), told)
    return table


def evaluate_answers(asked: Asked) -> None:
    """`jumok evaluate` for an answerer: error and facts looked at, task by task."""
    from rich.console import Console

    from jumok.data.stories.opening import open_story_split
    from jumok.systems import Answerer
    from jumok.systems.waiting import Waiting

    asked.refuse("an answerer", "--against", "--source", "--target", "--gold", "--language", "--paper", "--by-length")
    asked.refuse("an answerer", "--edges", "--faithful", "--chart", "--save", "--search", "--with")
    waiting = Waiting(asked.as_json)
    with waiting("reading the stories"):
        split, questions = open_story_split(asked.recipe.data, asked.split)
    name = asked.called(split)
    with waiting(f"answering {len(questions):,} questions"):
        report = Answerer.load(asked.model, device=asked.device).evaluate(questions)
    if asked.as_json:
        typer.echo(json.dumps({"data": name} | report.to_dict(), ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False)
    console.print(f"[bold]{asked.model.resolve().name}[/] on {name}, {len(questions):,} questions")
    console.print(report.table())
    console.print(f"tasks above 5 % error: {report.failed} of {len(report.tasks)}")
    console.print("hop, any hop, all facts: how often what was looked at most is a supporting fact, in %", style="dim")
