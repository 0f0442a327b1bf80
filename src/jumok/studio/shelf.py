"""The models that the studio serves, and those that could not be opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jumok.core.names import unknown
from jumok.recipes.running import KEPT, kept_recipe
from jumok.studio.plane import plane_of
from jumok.systems import SYSTEMS, load
from jumok.systems.folders import read_config

KINDS = {
    "translation": "translate",
    "captioning": "caption",
    "answering": "answer",
    "graphs": "graph",
    "reading": "read",
}
"""What each system does, as the page and the API call it."""


class Held(NamedTuple):
    """A model that is ready."""

    name: str
    kind: str
    model: Any
    domain: str
    looks: bool
    folder: Path | None = None

    def to_dict(self) -> dict[str, Any]:
        """What the page knows of it."""
        told = {"name": self.name, "kind": self.kind, "domain": self.domain, "attention": self.looks}
        return told | {"plane": plane_of(self.model)}


class Refused(NamedTuple):
    """A folder that could not be opened, and why."""

    name: str
    reason: str


class Shelf:
    """Models by name; two of one name get their numbers."""

    def __init__(self, held: Sequence[Held] = (), refused: Sequence[Refused] = ()) -> None:
        self._held = {one.name: one for one in held}
        self.refused = list(refused)

    @classmethod
    def of(cls, folders: Sequence[Path], device: str = "auto") -> Shelf:
        """Open each folder; one that fails is kept with its reason, and the others are served."""
        shelf = cls()
        for folder in folders:
            try:
                shelf.put(folder, device)
            except (ValueError, OSError) as error:
                shelf.refused.append(Refused(str(folder), " ".join(str(error).split())))
        return shelf

    def put(self, folder: Path, device: str = "auto") -> Held:
        """Open a folder, and serve what it holds."""
        config = read_config(folder)
        model = load(folder, device=device)
        name, number = folder.resolve().name, 1
        while name in self._held:
            number += 1
            name = f"{folder.resolve().name}-{number}"
        if config.system not in SYSTEMS:
            raise ValueError(unknown("system", config.system, SYSTEMS))
        held = Held(name, KINDS[config.system], model, _domain(folder), _looks(config.model), folder)
        self._held[name] = held
        return held

    def __iter__(self) -> Iterator[Held]:
        return iter(self._held.values())

    def __len__(self) -> int:
        return len(self._held)

    def get(self, name: str | None, kind: str) -> Held:
        """The model of that name, or the first of its kind where none is named."""
        known = {one.name: one for one in self if one.kind == kind}
        if not known:
            raise LookupError(f"there is no model to {kind} with here")
        if name is None:
            return next(iter(known.values()))
        if name not in known:
            raise LookupError(unknown("model", name, known))
        return known[name]


def _looks(settings: dict[str, Any]) -> bool:
    """Whether a model has attention to show."""
    decoder = settings.get("decoder")
    return not isinstance(decoder, dict) or decoder.get("kind") == "transformer" or decoder.get("attention") is not None


def _domain(folder: Path) -> str:
    """What a model was trained on, in a few words, from the recipe in its folder."""
    if not (folder / KEPT).exists():
        return ""
    try:
        data = kept_recipe(folder).data
    except (ValueError, OSError):
        return ""
    train = getattr(data, "train", data)  # of graphs there is one
    practice = getattr(train, "practice", None)
    if practice:
        return f"practice: {practice if isinstance(practice, str) else 'stories'}"
    root = getattr(data, "root", None)
    if root is not None and Path(root).name:
        return Path(root).name
    found = (getattr(train, name, None) for name in ("source", "path", "file", "files", "folder", "images"))
    return next((Path(str(name)).name for name in found if name), "")
