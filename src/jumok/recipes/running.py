"""From a recipe to a trained model in a folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jumok.core.files import write_whole
from jumok.recipes.about import About
from jumok.recipes.changing import Change, changes_of
from jumok.recipes.comparing import differences
from jumok.recipes.loading import Recipe, load
from jumok.recipes.writing import dump
from jumok.systems import SYSTEMS
from jumok.training import Outcome
from jumok.training.denormals import flushed_denormals
from jumok.training.folder import new_run_folder
from jumok.training.processes import rank_and_world

KEPT = "recipe.yaml"


class Run(NamedTuple):
    """What was trained, where it is, and how the training ended."""

    recipe: Recipe
    folder: Path
    outcome: Outcome


def train(
    recipe: str | Path | Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    *,
    set: Mapping[str, Any] | None = None,
    resume: bool = False,
    quiet: bool = False,
) -> Run:
    """Train what a recipe describes, and leave the model in a folder.

    recipe: the name of one of ours, a path, or a mapping; None to go on with the run in `out`.
    out: the folder; `runs/NAME` without it. It must be new or empty, unless `resume`.
    set: fields to change, such as `{"training.updates": 100}`.
    """
    return run(recipe, None if out is None else Path(out), changes_of(set or {}), resume, quiet)


def run(
    recipe: str | Path | Mapping[str, Any] | None,
    out: Path | None,
    changes: Sequence[Change],
    resume: bool,
    quiet: bool,
) -> Run:
    """The same, with the changes as they were typed."""
    if recipe is None:
        if not resume or out is None:
            raise ValueError("which recipe? 'jumok recipes' lists them; to go on with a run: --resume --out FOLDER")
        recipe = _kept(out)
    read = load(recipe, changes)
    folder = out or Path("runs") / read.name
    if resume:
        _check_same(load(_kept(folder)), read, folder)
    begun = resume and _has_checkpoint(folder)  # one that was killed before its first checkpoint starts anew
    with _kept_in(folder, dump(read.settings), resume), flushed_denormals():  # before a model is built, see there
        settings: Any = read.settings  # of the system's own kind: `load` took it from there
        with _told_what_it_needs(read):
            outcome = SYSTEMS[read.system].train(settings, folder, resume=begun, quiet=quiet)
    return Run(read, folder, outcome)


@contextmanager
def _told_what_it_needs(recipe: Recipe) -> Iterator[None]:
    """Where a file of its data is missing, what the recipe says that it needs, and where that is to be had."""
    try:
        yield
    except FileNotFoundError as error:
        if error.filename is not None or recipe.about.needs == About().needs:  # the system's own, or nothing to add
            raise
        raise FileNotFoundError(f"{error} ({recipe.name} needs {recipe.about.needs})") from None


@contextmanager
def _kept_in(folder: Path, text: str, resume: bool) -> Iterator[None]:
    """Keep the recipe in the folder while it is trained; a new folder is taken away again if training does not begin.

    It is written at once, so that a run that is killed early can go on, and again on a resume: its length may be new.
    """
    if rank_and_world().is_first:
        if not resume:
            new_run_folder(folder)
        write_whole(folder / KEPT, text)
    try:
        yield
    except BaseException as error:
        begun = resume or (folder / "checkpoints").exists()
        if not begun and rank_and_world().is_first:
            shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, KeyboardInterrupt):
            how = f"go on with jumok train --resume --out {folder}" if begun else "nothing was learned yet, or kept"
            raise KeyboardInterrupt(f"stopped; {how}") from None
        raise


def kept_recipe(folder: Path, changes: Sequence[Change] = ()) -> Any:
    """The settings that the model in a folder was trained with, with some changes."""
    if not (folder / KEPT).exists():
        raise ValueError(f"{folder}: has no {KEPT}, so its data are not known; give --source and --target")
    return load(folder / KEPT, changes).settings


def _has_checkpoint(folder: Path) -> bool:
    return any(path.name == "state.json" or path.name.isdecimal() for path in (folder / "checkpoints").glob("*"))


def _kept(folder: Path) -> Path:
    """The recipe of the run in a folder."""
    if not folder.is_dir():
        raise ValueError(f"{folder}: there is no such folder, so there is no run to go on with; leave out --resume")
    if not (folder / KEPT).exists():
        raise ValueError(f"{folder / KEPT}: there is no such file, so this is no run to go on with")
    return folder / KEPT


def _check_same(kept: Recipe, read: Recipe, folder: Path) -> None:
    different = differences(kept.settings, read.settings)
    if different:
        field, before, now = different[0]
        more = f" (and {len(different) - 1} more fields differ)" if len(different) > 1 else ""
        raise ValueError(
            f"{field} is {now!r} and was {before!r} in {folder / KEPT}{more}: "
            "a run goes on with its own recipe; leave the change out, or start anew with another --out"
        )
