"""Where a recipe is: one of ours by its name, or a file of the user's by its path."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from jumok.core.names import nearest

BUILT_IN = Path(__file__).parent
ENDINGS = (".yaml", ".yml")


class Found(NamedTuple):
    """The file of a recipe, and what messages call it."""

    path: Path
    name: str
    is_ours: bool

    @property
    def folder(self) -> Path:
        """The folder that relative paths in it start from; ours have none of their own and take the current one."""
        return Path.cwd() if self.is_ours else self.path.parent.absolute()


def names() -> list[str]:
    """The names of the recipes that come with jumok."""
    return sorted(path.stem for path in BUILT_IN.glob("*.yaml"))


def find(recipe: str | Path, start: Path | None = None) -> Found:
    """The file of a recipe. A bare word is one of ours; what has a slash or ends in .yaml is a path from `start`."""
    text, start = str(recipe), start or Path()
    if isinstance(recipe, str) and not text.endswith(ENDINGS) and not {"/", "\\"} & set(text):
        if text not in names():
            raise ValueError(_unknown(text, start))
        return Found(BUILT_IN / f"{text}.yaml", f"{text}.yaml", is_ours=True)
    path = start / Path(text).expanduser()
    if not path.exists():
        close = nearest(path.stem, names())
        hint = f"one of ours is called {close!r}" if close else "'jumok recipes' lists ours"
        raise ValueError(f"{text}: there is no such file; {hint}")
    return Found(path, os.path.normpath(path), is_ours=False)


def _unknown(name: str, start: Path) -> str:
    beside = next((name + ending for ending in ENDINGS if (start / (name + ending)).exists()), None)
    close = nearest(name, names())
    if beside:
        hint = f"did you mean the file {beside}?"
    else:
        hint = f"did you mean {close!r}?" if close else "a file of yours ends in .yaml."
    return f"there is no recipe {name!r}: {hint} 'jumok recipes' lists ours"
