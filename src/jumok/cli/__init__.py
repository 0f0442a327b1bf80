"""The commands, thin: each reads what was typed, calls a room, and prints."""

from __future__ import annotations

import re
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

import jumok
from jumok.cli import data, new, recipes
from jumok.cli.answer import answer
from jumok.cli.caption import caption
from jumok.cli.evaluate import evaluate
from jumok.cli.graph_classify import classify
from jumok.cli.info import info
from jumok.cli.predict import predict
from jumok.cli.show import show
from jumok.cli.studio import studio
from jumok.cli.train import train
from jumok.cli.translate import translate

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


class Language(str, Enum):
    """The languages that the commands speak."""

    en = "en"
    ko = "ko"


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jumok {jumok.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and stop."),
    ] = False,
) -> None:
    """jumok (주목): attention as small exchangeable parts that say what they looked at."""


LanguageChoice = Annotated[
    Optional[Language],  # noqa: UP045 (typer reads this at run time, on Python 3.10 too)
    typer.Option("--language", "-l", help="The language of what is said; without it, that of your locale."),
]


class Show(str, Enum):
    """What a demo can show."""

    translation = "translation"
    captioning = "captioning"
    all = "all"


FIRST, TRAIN, USE = "To begin with", "Train a model", "Use a model"
"""The parts of `jumok --help`."""


@app.command(rich_help_panel=FIRST)
def demo(
    what: Annotated[
        Show,
        typer.Argument(help="What it learns to do; the pictures are drawings.", metavar="WHAT"),
    ] = Show.translation,
    language: LanguageChoice = None,
    fast: Annotated[bool, typer.Option("--fast", help="Learn less, in one to two minutes.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Train anew what an earlier demo has trained.")] = False,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the models and the pictures go.")] = Path(
        "jumok-demo"
    ),
) -> None:
    """Watch a model learn where to look; some minutes, needs no data.

    \b
    jumok demo                 a translator, beside one that cannot look
    jumok demo captioning      a captioner of drawn pictures
    jumok demo all             both
    """
    spoken = language.value if language else None
    if what in (Show.translation, Show.all):
        from jumok.cli.translation_demo import translation_demo  # so that `jumok --help` does not wait for torch

        translation_demo(out, spoken, fast, again)
    if what in (Show.captioning, Show.all):
        from jumok.cli.caption_demo import caption_demo

        caption_demo(out, spoken, fast, again)


@app.command(rich_help_panel=FIRST)
def tour(language: LanguageChoice = None) -> None:
    """Take a tour of attention in the terminal, from a dictionary to what learns."""
    from jumok.cli.tour import tour as show

    show(language.value if language else None)


app.command(rich_help_panel=FIRST)(studio)
app.command(rich_help_panel=FIRST)(info)
app.add_typer(recipes.app, name="recipes", rich_help_panel=TRAIN)
app.add_typer(new.app, name="new", rich_help_panel=TRAIN)
app.add_typer(data.app, name="data", rich_help_panel=TRAIN)
app.command(rich_help_panel=TRAIN)(train)
app.command(rich_help_panel=TRAIN)(evaluate)
for _use in (translate, caption, predict, answer, classify, show):
    app.command(rich_help_panel=USE)(_use)


def main() -> None:
    """Runs a command. What the user can mend is one line on stderr and exit code 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        sys.exit(app(standalone_mode=False))
    except UsageError as error:
        _complain(_mistyped(error))
    except typer.Abort:
        sys.exit(1)
    except (ValueError, OSError) as error:
        _complain(_told(error))


UsageError: Any = typer.BadParameter.__base__
"""What is wrong with what was typed: a class of click, or of the copy of it that newer typers carry."""


def _complain(message: str) -> None:
    if message:  # a command that was called without anything has printed its help
        print(f"jumok: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


def _mistyped(error: Any) -> str:
    """What is wrong with an option, as our own errors say it, and where its help is."""
    message = error.format_message().rstrip(".")
    message = re.sub(r"^Invalid value for '([^']+)'[^:]*: (Value error, |Input )?", r"\1: ", message)
    message = message[:1].lower() + message[1:]
    return f"{message}; see '{error.ctx.command_path} --help'" if message and error.ctx else message


def _told(error: ValueError | OSError) -> str:
    """What an error says; one of the system names its file first, as ours do, and no number."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror[:1].lower()}{error.strerror[1:]}"
    return str(error)
