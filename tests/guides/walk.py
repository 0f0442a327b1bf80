"""A reader who goes through a page from top to bottom in a folder, does what it says, and compares."""

from __future__ import annotations

import ast
import doctest
import io
import re
import shutil
import socket
import subprocess
import tokenize
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.guides.blocks import Block, blocks, typed
from tests.guides.commands import (
    Printed,
    begin_shell,
    changes,
    end_shell,
    make_demos_small,
    run_jumok,
    run_module,
    shortened,
)
from tests.guides.desk import columns, text
from tests.guides.elsewhere import is_elsewhere
from tests.guides.given import GIVEN
from tests.guides.served import Served
from tests.guides.shapes import check_value, told
from tests.guides.wrong import error_at

import jumok
from jumok.recipes import running
from jumok.recipes.loading import load
from jumok.studio.serving import Serving

SHELLS = ("sh", "console", "powershell")
MODELS = {"mine": "mine.yaml", "hard": "korean --set model.preset=hard"}  # how a page's models are trained, by folder
ONCE = re.compile(
    r"jumok (demo|tour)|torchrun |.*runs/(whole|killed)"
)  # what no page changes: run for the first of them
LEARNED = {  # words that training decides
    "docs/reading.md": r"^\w+(?=\t)",
    "docs/answering.md": r"^\w+  \(.*\)$|(?<=\d )[A-Z].*\. *$",
}


class Walk:
    """Through one page.

    trained: a folder for the models that pages take as trained, each trained when the first page needs it.
    seen: lines that are run once for all pages.
    """

    def __init__(
        self,
        page: str,
        trained: Path,
        seen: set[str],
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        self.page, self.trained, self.seen = page, trained, seen
        self.capsys, self.monkeypatch = capsys, monkeypatch
        self.names: dict[str, Any] = GIVEN[page]() if page in GIVEN else {}
        self.printed: list[str] = []  # by each line of the last block of commands
        self.machines: list[subprocess.Popen[str]] = []
        self.port = free_port()
        self.served = Served()
        monkeypatch.setattr(Serving, "run", lambda serving, ready, browser: self.served.run(serving, ready, browser))
        monkeypatch.setattr(jumok, "train", partial(train_short, jumok.train))
        monkeypatch.setattr("jumok.evaluation.java_meteor.find_spec", lambda name: None)  # Java takes long to start
        make_demos_small(monkeypatch)

    def through(self, path: Path) -> None:
        """All blocks of the page."""
        try:
            for block in blocks(path):
                self.take(block)
        finally:
            self.served.end()

    def take(self, block: Block) -> None:
        """Do what a block says."""
        if block.kind in SHELLS:
            self.shell(block)
        elif not is_elsewhere(block.text):
            {"python": self.python, "pycon": self.examples, "yaml": self.recipe, "text": self.shown}[block.kind](block)

    def python(self, block: Block) -> None:
        """Run it statement by statement; where a comment tells a value, that is what it must be."""
        if ">>>" in block.text:
            return self.examples(block)
        self.prepare(re.findall(r'load\("runs/([\w-]+)"', block.text))
        said = comments(block.text)
        for node in ast.parse(block.text).body:
            if isinstance(node, ast.Expr):
                value = eval(compile(ast.Expression(node.value), block.place, "eval"), self.names)
            else:
                exec(compile(ast.Module([node], []), block.place, "exec"), self.names)
                value = self.names.get(ast.unparse(node.targets[0])) if isinstance(node, ast.Assign) else None
            if value is not None and node.end_lineno in said:
                check_value(said[node.end_lineno], value)
        for file in re.findall(r'\.save\("([\w.]+)"|save_together\(\w+, "([\w.]+)"', block.text):
            assert Path("".join(file)).stat().st_size > 0, file

    def examples(self, block: Block) -> None:
        """Only for the names that they make; tests/test_docs.py compares what they print."""
        for example in doctest.DocTestParser().get_examples(block.text):
            if example.exc_msg is None:
                exec(compile(example.source, block.place, "single"), self.names)

    def shell(self, block: Block) -> None:
        """Run its lines, and compare with what is shown under them."""
        self.printed = []
        for line, shown in typed(block):
            if is_elsewhere(line) or (ONCE.match(line) and line in self.seen):
                continue
            self.seen.add(line)
            self.prepare(re.findall(r"(?<!--out )(?<!/)runs/([\w-]+)", line))
            self.printed.append(self.line(line).text)
            assert not shown or self.told("\n".join(shown), whole=True), f"{block.place}: {line}\n{self.printed[-1]}"
        for machine in self.machines:
            end_shell(machine)
        self.machines.clear()

    def line(self, line: str) -> Printed:
        """Run a line by what it is."""
        if line.startswith(("torchrun ", "sha256sum ")) or re.search(r" & .*;", line):
            return self.processes(line)
        if line.startswith("jumok studio"):
            return self.served.start(line)
        if line.startswith("jumok "):
            return run_jumok(line)
        if line.startswith("curl "):
            return self.served.curl(line)
        if line.startswith("python -m jumok."):
            return run_module(line, self.capsys, self.monkeypatch)
        raise AssertionError(f"nobody runs this line: run it, or say in ELSEWHERE who does: {line}")

    def processes(self, line: str) -> Printed:
        """What needs processes of its own. Several machines are this one; who is killed is killed when it has begun."""
        begun = "until [ -e runs/killed/checkpoints/state.json ]; do sleep 0.05; done"
        for there, here in {
            "sleep 60": begun,
            "10.0.0.1": "127.0.0.1",
            "29500": str(self.port),
            "/shared/": "",
        }.items():
            line = line.replace(there, here)
        started = begin_shell(shortened(line))
        if "--nnodes" in line:
            self.machines.append(started)
            return Printed(0, "")
        done = end_shell(started)
        if line.startswith("sha256sum "):
            assert len({one.split()[0] for one in done.text.splitlines()}) == 1, "resumed, and not the same"
        return done

    def prepare(self, models: list[str]) -> None:
        """Models that the page takes as trained."""
        for model in models:
            if not Path("runs", model).exists():
                kept = self.trained / model
                if not kept.exists():
                    run_jumok(f"jumok train {MODELS.get(model, model)} --out {kept}")
                shutil.copytree(kept, Path("runs", model))

    def shown(self, block: Block) -> None:
        """Errors that come, files to write, or what a line of the block before printed."""
        if block.text.startswith("jumok: "):
            for line in block.lines:
                said = error_at(line.split()[1].rstrip(":"))
                assert told([line], said), f"{line}\n{said}"
        elif "nodes.csv" in block.lines[0]:
            for file, lines in columns(block.lines).items():
                text(Path(file), lines)
            run_jumok(
                "jumok train graphs --set data.path=edges.csv --set data.nodes=nodes.csv --set training.updates=2"
            )
        elif block.lines[0].startswith("1 "):
            with Path("qa1_train.txt").open("a", encoding="utf-8") as file:
                file.write(block.text)
        else:
            assert self.told(block.text), f"{block.place}: nothing like it in\n{self.printed}"

    def told(self, shown: str, whole: bool = False) -> bool:
        """Whether one of the last lines printed it, up to what training decides."""
        learned = partial(re.sub, LEARNED.get(self.page, "(?!)"), "…", flags=re.MULTILINE)
        return any(told(learned(shown).splitlines(), learned(printed), whole) for printed in self.printed)

    def recipe(self, block: Block) -> None:
        """One with a name is for the lines that follow; others are trained, with each choice that they offer."""
        if block.title:
            text(Path(block.title), block.lines)
            load(block.title)
            return
        base = re.match(r"inherits: (\w+)", block.text)
        for number, choice in enumerate(choices(block.lines)):
            file = f"{block.place.replace(':', '-')}-{number}.yaml"
            text(Path(file), choice if base else ["inherits: translation", *choice])
            running.train(file, f"runs/{file}", set=changes(base[1] if base else "translation"), quiet=True)


def train_short(train: Callable[..., Any], recipe: str, out: str | None = None, **more: Any) -> Any:
    """`jumok.train`, with what makes it short before what it changes itself."""
    return train(recipe, out, **{**more, "quiet": True, "set": {**changes(recipe), **more.get("set", {})}})


def choices(lines: list[str]) -> Iterator[list[str]]:
    """A recipe with few practice pairs; then with each line that is commented out, in the place of the one before."""
    yield [re.sub(r"pairs: \d+", "pairs: 200", line) for line in lines]
    for place, line in enumerate(lines):
        if re.match(r" *# \w+: \{", line):
            yield [*lines[: place - 1], line.replace("# ", "", 1), *lines[place + 1 :]]


def comments(source: str) -> dict[int, str]:
    """What stands behind `#`, by the number of the line."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}


def free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
