"""`--attention FILE`: what was looked at, written as the ending of the file says."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jumok.cli.streams import check_folder

if TYPE_CHECKING:
    from jumok.viewing import AttentionMap


class Looks:
    """Gathers the looks of a command, and writes them when all is done.

    kinds: the endings that the command knows. draw: writes the looks at one input, where a file cannot hold all inputs;
    by default a matrix.
    """

    def __init__(
        self,
        path: Path,
        kinds: Sequence[str],
        draw: Callable[[Sequence[AttentionMap], Path], None] | None = None,
    ) -> None:
        if path.suffix.lower() not in kinds:
            raise ValueError(f"--attention {path}: cannot tell what to write; end the name in {', '.join(kinds)}")
        check_folder(path, "--attention")
        self.path = path
        self._draw = draw or _matrix
        self._inputs: list[tuple[AttentionMap | None, ...]] = []

    def add(self, *looks: AttentionMap | None) -> None:
        """Keep the looks at one input: one of each model, None where it has none."""
        self._inputs.append(looks)

    def save(self, nothing: str = "this model has no attention, so there is nothing to see") -> None:
        """One file for all where it can hold them, else one an input, numbered; `nothing` says why there is none."""
        from jumok.core.files import write_whole
        from jumok.viewing import save_html

        looks = [look for row in self._inputs for look in row]
        there = [look for look in looks if look is not None]
        kind = self.path.suffix.lower()
        if looks and not there:
            raise ValueError(f"--attention: {nothing}")
        if not looks:
            return
        if kind == ".html":
            save_html(there, self.path)
        elif kind == ".json":
            plain = [None if look is None else look.to_dict() for look in looks]
            write_whole(self.path, json.dumps(plain[0] if len(plain) == 1 else plain, ensure_ascii=False) + "\n")
        elif kind == ".pharaoh":
            write_whole(self.path, "".join(f"{'' if look is None else _pharaoh(look)}\n" for look in looks))
        else:
            self._save_each()

    def _save_each(self) -> None:
        shown = [[look for look in row if look is not None] for row in self._inputs]
        for number, row in enumerate(shown, start=1):
            if row:
                alone = sum(map(bool, shown)) == 1
                self._draw(row, self.path if alone else self.path.with_stem(f"{self.path.stem}-{number}"))


def _matrix(looks: Sequence[AttentionMap], path: Path) -> None:
    looks[0].save(path)


def _pharaoh(look: AttentionMap) -> str:
    """`source-target` for each word of the translation, counted from 0."""
    links = sorted((column, row) for row, column in look.words().without_special().links())
    return " ".join(f"{source}-{target}" for source, target in links)
