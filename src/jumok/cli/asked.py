"""What `jumok evaluate` was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The options of `jumok evaluate`, as they were typed."""

    model: Path
    against: Sequence[Path]
    split: str | None
    source: Path | None
    target: Path | None
    gold: Path | None
    gold_first: int
    changes: Sequence[str]
    search: Mapping[str, Any]
    language: str | None
    paper: bool
    by_length: bool
    edges: str | None
    faithful: bool
    chart: Path | None
    save: bool
    as_json: bool
    device: str

    @property
    def models(self) -> dict[str, Path]:
        """All folders, by what they are called: their names, or their paths where a name is taken."""
        named: dict[str, Path] = {}
        for folder in (self.model, *self.against):
            name = folder.resolve().name
            named[str(folder) if name in named else name] = folder
        return named

    def refuse(self, what: str, *names: str) -> None:
        """Say that these options are not for models of this kind, where one of them was given."""
        for name in names:
            if getattr(self, name.removeprefix("--").replace("-", "_")):
                raise ValueError(f"{name}: {self.model} holds {what}, which is not scored with it; leave it out")
