"""The house as a whole: it is light to import, knows its version, and keeps its doors."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import jumok

ROOT = Path(__file__).parent.parent
ATTENTION = sorted((ROOT / "src/jumok/attention").rglob("*.py"))


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_importing_jumok_imports_no_torch() -> None:
    assert run("import jumok, sys; print('torch' in sys.modules, jumok.__version__)") == f"False {jumok.__version__}"


def test_a_room_is_imported_when_its_name_is_used() -> None:
    assert run("import jumok, sys; jumok.attention; print('torch' in sys.modules)") == "True"
    assert "attention" in dir(jumok)


def test_an_unknown_attribute_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'attentoin'"):
        jumok.attentoin  # noqa: B018


def test_the_version_is_the_installed_one() -> None:
    assert jumok.__version__ == importlib.metadata.version("jumok")


def test_the_version_is_told_alike_everywhere() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert str(cited["version"]) == jumok.__version__
    changed = re.findall(r"^## \[(\d\S*)\] - (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)
    assert changed[0] == (jumok.__version__, str(cited["date-released"]))


def test_the_types_are_shipped() -> None:
    assert (Path(jumok.__file__).parent / "py.typed").is_file()


def test_the_doors_are_kept() -> None:
    pytest.importorskip("importlinter", reason="the dev tools are not installed")
    lint = Path(sys.executable).parent / "lint-imports"
    told = subprocess.run(
        [lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"}
    )
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize("path", ATTENTION, ids=lambda path: path.name)
def test_attention_needs_torch_and_core_only(path: Path) -> None:
    allowed = (*sys.stdlib_module_names, "torch", "jumok.attention", "jumok.core")
    strangers = [name for name in imported_by(path) if not any(within(name, room) for room in allowed)]
    assert not strangers


def imported_by(path: Path) -> Iterator[str]:
    """Yields every module that a file names in an import, wherever in the file it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == "jumok":
            yield from (f"jumok.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")
