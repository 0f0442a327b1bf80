"""Builds the wheel and the sdist, and does with them what a stranger would do, in empty environments.

The wheel is whole and brings no tool. It installs with every Python from 3.10 to 3.13 that is here, on the path or
among pyenv's, and the commands run. The sdist installs by the README's own line, and passes tests that it carries.
A Python for which torch cannot be had without gigabytes of CUDA gets everything but torch, and its line says so.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
VERSIONS = ("3.10", "3.11", "3.12", "3.13")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
TOOLS = {
    *("build", "hatchling", "hypothesis", "import-linter", "mypy", "pytest", "pytest-xdist", "ruff"),
    *("math-core", "mkdocs", "mkdocs-material", "mkdocstrings"),
    *("entmax", "torch-geometric"),
}
TEST_TOOLS = ("hypothesis", "koreanize-matplotlib", "pytest", "pytest-xdist")
TESTS = (
    *("tests/attention", "tests/core", "tests/decoding", "tests/viewing"),
    *("tests/cli/test_help.py", "tests/cli/test_show.py", "tests/test_package.py"),
    "--ignore=tests/attention/test_combinations.py",  # sixteen thousand of them; make test runs them
)
"""Of the sdist that are run: a minute of them, of rooms that need no more than these tools."""

ATTEND = """
import torch, jumok
keys = torch.randn(2, 5, 4)
context, weights = jumok.attention.build("additive", query_size=3, key_size=4)(torch.randn(2, 3), keys)
torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))
"""
"""Attention as somebody uses it first; its rows sum to one."""

IMPORT = """
import importlib, pathlib, jumok
folder, done, waiting = pathlib.Path(jumok.__file__).parent, 0, 0
for path in sorted(folder.rglob("*.py")):
    name = ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
    if name == "jumok.__main__":
        continue
    try:
        importlib.import_module(name)
        done += 1
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        waiting += 1
print(f"{done} modules imported, {waiting} wait for torch")
"""
"""Imports every module; that torch is missing is the only excuse."""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
        (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
        needed = check_wheel(wheel, folder / "wheel")
        found = pythons()
        with ThreadPoolExecutor(2) as pool:  # the longest first: those that install torch
            tried = [pool.submit(try_sdist, sdist, found[HERE], folder / "sdist")]
            for version in sorted(VERSIONS, key=HERE.__ne__):
                if version in found:
                    tried.append(pool.submit(try_wheel, wheel, needed, found[version], folder / version))
                else:
                    print(f"Python {version}: is not here, so nothing was tried with it")
            for each in tried:
                print(each.result(), flush=True)


def check_wheel(wheel: Path, site: Path) -> list[str]:
    """The wheel has all files and brings no tools; returns what it needs beside torch."""
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel)
    (found,) = importlib.metadata.distributions(name="jumok", path=[str(site)])
    missing = files(ROOT / "src/jumok") - files(site / "jumok")
    if missing:
        sys.exit(f"the wheel lacks {', '.join(sorted(missing))}")
    brought = closure(found.requires or [])
    if brought & TOOLS:
        sys.exit(f"pip install jumok would bring {', '.join(sorted(brought & TOOLS))}")
    print(f"{wheel.name} brings {', '.join(sorted(brought))}")
    return [one for one in found.requires or [] if "extra ==" not in one and Requirement(one).name != "torch"]


def pythons() -> dict[str, Path]:
    """A Python of each version that can make environments: this one, or the first on the path or among pyenv's."""
    places = [Path(sys.executable).parent, *map(Path, os.get_exec_path())]
    if pyenv := shutil.which("pyenv"):
        root = subprocess.run([pyenv, "root"], capture_output=True, text=True, check=True).stdout.strip()
        places += sorted(Path(root, "versions").glob("*/bin"))
    named = {version: [place / f"python{version}" for place in places] for version in VERSIONS}
    working = {version: next(filter(works, paths), None) for version, paths in named.items()}
    return {version: path for version, path in working.items() if path is not None}


def works(python: Path) -> bool:
    """Whether this is a Python, and one that can make environments; pyenv's stand-ins may be there for nothing."""
    return (
        python.exists()
        and subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode == 0
    )


def try_wheel(wheel: Path, needed: Iterable[str], python: Path, folder: Path) -> str:
    """Installs the wheel into an empty environment, runs it there, and says what was tried."""
    run(python, "-m", "venv", folder)
    name, inside = f"Python {folder.name}", folder / "bin/python"
    if not has_small_torch(inside):
        pip(inside, "--constraint", CONSTRAINTS, *needed)
        pip(inside, "--no-deps", wheel)
        run(inside, "-W", "error", "-m", "compileall", "-q", "-f", next(folder.glob("lib/*/site-packages/jumok")))
        lacks = run(inside, "-m", "pip", "check", fails=True).split("\n")
        if any("requires torch" not in line for line in filter(None, lacks)):
            sys.exit(f"what was installed does not fit together: {' '.join(lacks)}")
        commands(folder, "--version", "--help", "recipes")
        modules = run(inside, "-c", IMPORT, cwd=folder).strip()
        return f"{name}: the wheel without torch (no small build of it is to be had): compiled, {modules}, commands run"
    pip(inside, "--constraint", CONSTRAINTS, wheel)
    run(inside, "-m", "pip", "check")
    commands(folder, "--version", "--help", "info", "tour")
    run(inside, "-c", ATTEND, cwd=folder)
    return f"{name}: the wheel with all it needs: commands run, attention attends{try_checkout(inside)}"


def try_checkout(python: Path) -> str:
    """Installs from git, as one does where torch is there already: it must stay the one that it is."""
    if not (ROOT / ".git").exists():
        return ""
    before = run(python, "-c", "import torch; print(torch.__version__)")
    pip(python, f"git+{ROOT.as_uri()}")
    if run(python, "-c", "import torch; print(torch.__version__)") != before:
        sys.exit("installing from git replaced the torch that was there")
    return ", from git it leaves torch as it is"


def has_small_torch(python: Path) -> bool:
    """Whether torch is to be had without CUDA's gigabytes: on Linux only where pip finds a build for the CPU.

    The version that runs this has torch already, so that pip has it at hand.
    """
    (pinned,) = re.findall(r"^torch==\S+", CONSTRAINTS.read_text("utf-8"), flags=re.MULTILINE)
    if sys.platform != "linux" or Path(python.parent, f"python{HERE}").exists():
        return True
    asked: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", f"{pinned}+cpu"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def try_sdist(sdist: Path, python: Path, folder: Path) -> str:
    """Installs what the sdist unpacks to by the README's line, in an empty environment, and runs its tests there."""
    shutil.unpack_archive(sdist, folder)
    (root,) = folder.iterdir()
    (line,) = re.findall(r"^pip install .*", (root / "README.md").read_text("utf-8"), flags=re.MULTILINE)
    run(python, "-m", "venv", root / ".venv")
    inside = root / ".venv/bin/python"
    run(inside, "-m", "pip", "--quiet", *shlex.split(line, comments=True)[1:], cwd=root)
    pip(inside, "--constraint", CONSTRAINTS, *TEST_TOOLS)
    quick = ("-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "-m", "not slow", *TESTS)
    told = run(inside, *quick, cwd=root)
    by, last = line.partition("#")[0].strip(), told.strip().splitlines()[-1]
    return f"Python {HERE}: the sdist, installed by {by!r}: {last}"


def pip(python: Path, *arguments: str | Path) -> None:
    """Installs into an environment."""
    run(python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *arguments)


def commands(environment: Path, *names: str) -> None:
    """Runs jumok's commands where they were installed, far from the checkout."""
    for name in names:
        run(environment / "bin/jumok", name, cwd=environment)


def run(*arguments: str | Path, cwd: Path | None = None, fails: bool = False) -> str:
    """What a command prints; it must succeed, unless it `fails` here and should."""
    done = subprocess.run(arguments, cwd=cwd, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    if (done.returncode != 0) is not fails:
        sys.exit(f"{done.stdout}\n{' '.join(map(str, arguments))} ended with {done.returncode}")
    return done.stdout


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
