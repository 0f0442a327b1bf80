"""Builds the sdist and the wheel, and looks at the wheel as pip would: is it whole, and free of tools?"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
TOOLS = {
    *("build", "hatchling", "hypothesis", "import-linter", "mypy", "pytest", "pytest-xdist", "ruff"),
    *("math-core", "mkdocs", "mkdocs-material", "mkdocstrings"),
    *("entmax", "torch-geometric"),
}
DEMO = "import sys; sys.path.insert(0, sys.argv.pop(1)); from jumok.cli import main; main()"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run("-m", "build", "--no-isolation", "--outdir", folder, ROOT)
        (wheel,) = Path(folder).glob("*.whl")
        site = Path(folder, "site")
        run("-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel)
        (found,) = importlib.metadata.distributions(name="jumok", path=[str(site)])

        missing = files(ROOT / "src/jumok") - files(site / "jumok")
        if missing:
            sys.exit(f"the wheel lacks {', '.join(sorted(missing))}")

        brought = closure(found.requires or [])
        if brought & TOOLS:
            sys.exit(f"pip install jumok would bring {', '.join(sorted(brought & TOOLS))}")
        print(f"{wheel.name} brings {', '.join(sorted(brought))}")

        run("-c", DEMO, site, "tour")


def run(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, *arguments], check=True)


def files(package: Path) -> set[str]:
    paths = (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(package).as_posix() for path in paths}


def closure(requirements: Iterable[str]) -> set[str]:
    """The names of all that these requirements bring, without extras."""
    brought: set[str] = set()
    waiting = list(requirements)
    while waiting:
        requirement = Requirement(waiting.pop())
        name = canonicalize_name(requirement.name)
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and name not in brought:
            brought.add(name)
            waiting += importlib.metadata.requires(name) or []
    return brought


if __name__ == "__main__":
    main()
