"""METEOR (Denkowski & Lavie 2014), by the Java program inside an installed `pycocoevalcap`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from jumok.evaluation.captions import MARKS_COUNTED, caption_signature, caption_words
from jumok.evaluation.metric import References, checked
from jumok.evaluation.score import Score

_SEPARATOR = " ||| "


def meteor(outputs: Sequence[str], references: References, marks: bool = False) -> Score:
    """METEOR of captions, a hundred times `pycocoevalcap`'s; an error says what is missing, or what Java said.

    marks: whether the full stop and its like are words; see `CaptionBleu`.
    """
    lists = checked(outputs, references)
    found = find_spec("pycocoevalcap")
    java = shutil.which("java")
    if found is None or not found.submodule_search_locations:
        raise ValueError("METEOR needs a package that is not installed: pip install pycocoevalcap")
    if java is None:
        raise ValueError("METEOR needs Java, and there is no program `java`; install a Java runtime")
    folder = Path(next(iter(found.submodule_search_locations))) / "meteor"
    command = [java, "-Xmx2G", "-jar", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en", "-norm"]

    def line(text: str) -> str:
        return " ".join(caption_words(text, marks)).replace(_SEPARATOR.strip(), "|")

    lines = [
        _SEPARATOR.join(["SCORE", *(line(text) for text in (*texts, output))])
        for output, texts in zip(outputs, lists, strict=True)
    ]
    counted = _answers(command, folder, lines, len(lines))
    values = _answers(command, folder, [_SEPARATOR.join(["EVAL", *counted])], len(lines) + 1)
    signature = caption_signature(lists, "version:1.5", marks=marks)
    return Score("METEOR" + MARKS_COUNTED * marks, 100 * float(values[-1]), signature)


def _answers(command: list[str], folder: Path, lines: list[str], wanted: int) -> list[str]:
    """What the program answers to lines, a line each; its own error where it fails."""
    try:
        told = subprocess.run(
            command, cwd=folder, input="\n".join([*lines, ""]), capture_output=True, encoding="utf-8", check=False
        )
    except OSError as error:
        raise ValueError(f"METEOR could not be started: {error}") from None
    answers = told.stdout.splitlines()
    if told.returncode or len(answers) < wanted:
        said = next((line.strip() for line in told.stderr.splitlines() if line.strip()), "nothing was said")
        raise ValueError(f"METEOR failed (Java's exit code {told.returncode}): {said}")
    return answers[:wanted]
