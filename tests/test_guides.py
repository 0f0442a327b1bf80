"""Every block of the README and the docs is run, page by page, and says what the page says that it says.

Models hardly learn here, so where training decides a number, only that there is one is compared. How a page is walked
through is in tests/guides; a line that is neither run nor in `ELSEWHERE` there is an error.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
from tests.guides.blocks import blocks, typed
from tests.guides.desk import lay, text
from tests.guides.elsewhere import ELSEWHERE
from tests.guides.shapes import check_value, told
from tests.guides.walk import SHELLS, Walk

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    path for path in (*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md")) if "```" in path.read_text("utf-8")
)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines() -> list[str]:
    """All lines of shells, of all pages."""
    return [one.line for page in PAGES for block in blocks(page) if block.kind in SHELLS for one in typed(block)]


def marks(page: Path) -> list[pytest.MarkDecorator]:
    """Slow is what trains, or takes something trained."""
    trains = re.compile(r"jumok (train|demo)|jumok\.(train|load)|runs/")
    return [pytest.mark.slow] if any(trains.search(block.text) for block in blocks(page)) else []


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the pages speak of."""
    folder = tmp_path_factory.mktemp("desk")
    lay(folder)
    (mine,) = (block for block in blocks(ROOT / "docs/translate.md") if block.title == "mine.yaml")
    text(folder / mine.title, mine.lines)
    return folder


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the models that pages take as trained."""
    return tmp_path_factory.mktemp("trained")


@pytest.fixture(scope="session")
def seen() -> set[str]:
    """Lines that were run."""
    return set()


@pytest.mark.filterwarnings("ignore:no font here has")
@pytest.mark.parametrize("page", [pytest.param(page, marks=marks(page), id=name(page)) for page in PAGES])
def test_page(
    page: Path,
    desk: Path,
    trained: Path,
    seen: set[str],
    cache: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copytree(desk, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("COLUMNS", "200")
    Walk(name(page), trained, seen, capsys, monkeypatch).through(page)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_block_is_overlooked(page: Path) -> None:
    fences = re.findall(r"^ *```", page.read_text("utf-8"), flags=re.MULTILINE)
    assert len(fences) == 2 * len(blocks(page))


def test_what_is_elsewhere_is_on_some_page() -> None:
    shown = [*lines(), *(block.text for page in PAGES for block in blocks(page) if block.kind not in SHELLS)]
    assert [pattern for pattern in ELSEWHERE if not any(re.match(pattern, one) for one in shown)] == []


@pytest.mark.slow
def test_benchmarks_take_what_is_typed() -> None:
    """Each reads its options, and stops there."""
    asked = [shlex.split(line.partition("benchmarks/")[2]) for line in lines() if "python benchmarks/" in line]
    code = f"""
import argparse, contextlib, runpy, sys
sys.path.insert(0, {str(ROOT / "benchmarks")!r})
read = argparse.ArgumentParser.parse_args
def parse_args(self, typed=None): raise EOFError(read(self, typed))
argparse.ArgumentParser.parse_args = parse_args
for sys.argv in {asked!r}:
    with contextlib.suppress(EOFError):
        runpy.run_path({str(ROOT / "benchmarks")!r} + "/" + sys.argv[0], run_name="__main__")
        sys.exit(f"{{sys.argv}} read no options")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert len(asked) > 9


@pytest.mark.parametrize(
    "block",
    [
        "```sh\nmake coffee\n```",
        "```sh\njumok tuor\n```",
        "```console\n$ jumok --version\nversion 1\n```",
        "```python\nimport torch\ntorch.zeros(2, 3)      # (3, 2)\n```",
        "```text\nnobody printed this\n```",
        '```yaml title="mine.yaml"\ninherits: korean\nmodle: {}\n```',
        "```rust\nfn main() {}\n```",
    ],
)
def test_a_page_that_is_wrong_fails(
    block: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text(tmp_path / "page.md", [block])
    with pytest.raises((AssertionError, KeyError, ValueError)):
        Walk("page.md", tmp_path, set(), capsys, monkeypatch).through(tmp_path / "page.md")


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("done: 4,000 updates in 1:38; best: ...", "done: 2 updates in 0 s; best: loss 6.1", True),
        ("done: 4,000 updates", "done: many updates", False),
        ("past\t1.000\t나는 0.004", "past\t0.912\t나는 0.4", True),
        ("past\t1.000", "future\t1.000", False),
        ("version 4", "version 5", False),
        ("one\n...\nfour", "one\ntwo\nthree\nfour", True),
        ("one\nfour", "one\ntwo\nfour", False),
        ("four\n...\none", "one\ntwo\nfour", False),
    ],
)
def test_shapes(shown: str, printed: str, same: bool) -> None:
    assert told(shown.splitlines(), printed, whole=True) is same


@pytest.mark.parametrize(
    ("said", "right", "wrong"),
    [
        ("(3, 2): a row each", np.zeros((3, 2)), np.zeros((2, 3))),
        ("1.0", 1.0, 0.9),
        ("runs/every", Path("runs/every"), Path("runs")),
        ("('past', 0.99...)", ("past", 0.9), ("future", 0.99)),
        ("{'loss': ..., 'accuracy': ...}", {"loss": 1.0, "accuracy": 0.5}, {"loss": 1.0}),
        ("an ndarray", np.zeros(1), [0]),
    ],
)
def test_values(said: str, right: Any, wrong: Any) -> None:
    assert check_value(said, right)
    with pytest.raises(AssertionError):
        check_value(said, wrong)
    assert not check_value("how likely it is", 0.5)
