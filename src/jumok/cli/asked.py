"""What `jumok evaluate` was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jumok.recipes.changing import Change


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The options of `jumok evaluate`, as they were typed."""

    model: Path
    beside: Sequence[Path]
    against: Sequence[Path]
    split: str | None
    data: Path | None
    source: Path | None
    target: Path | None
    gold: Path | None
    gold_first: int
    changes: Sequence[str]
    search: Sequence[str]
    searching: Mapping[str, Any]
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
        """MODEL and those against it, by what they are called: their names, or their paths where a name is taken."""
        named = {" + ".join(folder.resolve().name for folder in (self.model, *self.beside)): self.model}
        for folder in self.against:
            name = folder.resolve().name
            named[str(folder) if name in named else name] = folder
        return named

    def loaded(self, folder: Path) -> Any:
        """The model of a folder; with MODEL decide those that were given --with it."""
        from jumok.systems import load

        return load(folder, *(self.beside if folder is self.model else ()), device=self.device)

    @property
    def recipe(self) -> Any:
        """The recipe that the model was trained with, with what was typed after --set and --data."""
        from jumok.recipes.changing import parse_change
        from jumok.recipes.running import kept_recipe

        changes = [parse_change(one) for one in self.changes]
        if self.data is None:
            return kept_recipe(self.model, changes)
        before = [one for one in changes if one.path[:2] != ("data", "test")]
        own = self._own_data(kept_recipe(self.model, before), self.data.absolute())
        return kept_recipe(self.model, [*before, *own, *(one for one in changes if one not in before)])

    def called(self, split: str) -> str:
        """What people should call the data: a split of the recipe, or the file that was given."""
        return split if self.data is None else self.data.name

    def _own_data(self, recipe: Any, path: Path) -> list[Change]:
        """What makes a file or folder the test data: it is read as that of the training is.

        Where the training does not say in which folder the pictures of a table are, they are beside it.
        """
        from jumok.data.pictures import LabelledPictureData, PictureDataSettings
        from jumok.recipes.changing import Change

        place = f"--data {self.data}"
        if not path.exists():
            raise FileNotFoundError(f"{place}: there is no such file or folder")
        if self.split is not None:
            raise ValueError(f"{place} is the data; leave out --split")
        if "train" not in type(recipe.data).model_fields:  # a graph has its splits in itself
            return [Change(("data", "path"), str(path), place)]
        kind = "folder" if path.is_dir() else "file"
        like = recipe.data.train.model_dump(exclude_unset=True)
        if kind not in like:
            like = {"source": 0, "target": 1} if recipe.system == "translation" else {}
        if kind == "file" and isinstance(recipe.data, PictureDataSettings | LabelledPictureData):
            like = {"images": str(path.parent), **like}
        return [Change(("data", "test"), None, place), Change(("data", "test"), {**like, kind: str(path)}, place)]

    def refuse(self, what: str, *names: str) -> None:
        """Say that these options are not for models of this kind, where one of them was given."""
        for name in names:
            if getattr(self, "beside" if name == "--with" else name.removeprefix("--").replace("-", "_")):
                raise ValueError(f"{name}: {self.model} holds {what}, which is not scored with it; leave it out")
