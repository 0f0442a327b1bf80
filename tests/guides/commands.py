"""Lines of a shell, run for real: `jumok` in this process, and in others what must be."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.shortened import FILES, SHORT, options
from typer.testing import CliRunner

from jumok.cli import app, caption_demo, translation_demo

TRAINS = re.compile(r"jumok train ([\w./-]*\w)")
WRITES = ("--attention", "--output", "--chart", "--out", "-o", ">")
LONG: dict[str, Any] = {"training.updates": 40, "training.checkpoint_every": 10}  # enough to be killed meanwhile


class Printed(NamedTuple):
    """How a line ended, what a terminal would show of it, and what a file behind `>` would get."""

    code: int
    text: str
    output: str = ""


def changes(recipe: str) -> dict[str, Any]:
    """What makes a recipe short: one of ours, or one of the reader's own."""
    return SHORT.get(recipe, FILES)


def shortened(line: str) -> str:
    """A line with what makes its training short, before what it changes itself."""
    more = LONG if re.search(r"runs/(whole|killed)", line) else {}
    return TRAINS.sub(lambda found: f"{found[0]} {shlex.join(options(changes(found[1]) | more))}", line)


def invoke(words: Sequence[str], given: str = "") -> Printed:
    """`jumok`, as its `main` runs it: what the user can mend is one line, and 2."""
    done = CliRunner().invoke(app, list(words), input=given)
    if isinstance(done.exception, ValueError | OSError):
        return Printed(2, f"jumok: {' '.join(str(done.exception).split())}")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Printed(done.exit_code, done.output, done.stdout)


def run_jumok(line: str) -> Printed:
    """A line of `jumok`; what it says that it writes is there afterwards, and was not there before."""
    words = shlex.split(shortened(line))[1:]
    written = [Path(name) for option, name in pairwise(words) if option in WRITES]
    for path in written:
        if path.is_file():
            path.unlink()
    source, target = taken_out(words, "<"), taken_out(words, ">")
    done = invoke(words, source.read_text("utf-8") if source else "")
    if target:
        target.write_text(done.output, "utf-8")
    assert done.code == 0, f"{line}\n{done.text}"
    for path in written:
        numbered = path.with_name(f"{path.stem}-1{path.suffix}")  # of several pictures
        first = path if path.exists() else numbered
        assert first.is_dir() or first.stat().st_size > 0, f"{line}: {first} is empty"
    return done


def taken_out(words: list[str], sign: str) -> Path | None:
    """The file behind `<` or `>`; both are taken out of the words."""
    if sign not in words:
        return None
    place = words.index(sign)
    file = Path(words[place + 1])
    del words[place : place + 2]
    return file


def run_module(line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Printed:
    """`python -m MODULE ...`; it measures over few, not over thousands."""
    _, _, module, *words = shlex.split(line.replace("3000", "40"))
    monkeypatch.setattr(sys, "argv", [module, *words])
    capsys.readouterr()
    importlib.import_module(f"{module}.__main__").main()
    return Printed(0, capsys.readouterr().out)


def begin_shell(line: str) -> subprocess.Popen[str]:
    """A line of bash that goes on beside us, with this environment's commands, each in one thread."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "OMP_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(["bash", "-c", line], stdout=pipe, stderr=pipe, text=True, env=environment)


def end_shell(begun: subprocess.Popen[str]) -> Printed:
    """Wait for it."""
    out, errors = begun.communicate(timeout=600)
    assert begun.returncode == 0, f"{begun.args}\n{out}{errors}"
    return Printed(0, out)


def make_demos_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `jumok demo` learn next to nothing."""
    for name in ("WHOLE", "FAST"):
        monkeypatch.setattr(translation_demo, name, translation_demo.Size(pairs=100, updates=2, looks=1, scored=2))
        monkeypatch.setattr(caption_demo, name, caption_demo.Size(40, 2, 2))
    monkeypatch.setattr(caption_demo, "SHOWN", 1)
    monkeypatch.setattr(caption_demo, "LONGEST", 6)
