"""Every `>>>` example in the README, the docs and the docstrings runs, and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def with_examples(*patterns: str) -> list[Path]:
    paths = sorted(path for pattern in patterns for path in ROOT.glob(pattern))
    return [path for path in paths if re.search(r"^ *>>> ", path.read_text("utf-8"), flags=re.MULTILINE)]


@pytest.mark.parametrize("path", with_examples("*.md", "docs/**/*.md"), ids=name)
def test_page(path: Path) -> None:
    text = re.sub(r"^ *```.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)  # a fence is not output
    page = doctest.DocTestParser().get_doctest(text, {}, name(path), str(path), 0)
    assert run(page).failed == 0


@pytest.mark.parametrize("path", with_examples("src/**/*.py"), ids=name)
def test_docstrings(path: Path) -> None:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
    found = doctest.DocTestFinder().find(module)
    assert any(example.examples for example in found)
    assert [example.name for example in found if run(example).failed] == []


def run(examples: doctest.DocTest) -> doctest.TestResults:
    return doctest.DocTestRunner(optionflags=FLAGS).run(examples)
