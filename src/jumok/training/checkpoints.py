"""Checkpoints: folders that are whole or not there, and the index that says which one counts.

A checkpoint is written beside, synced and renamed to `checkpoints/UPDATE`; then `checkpoints/state.json` is replaced;
only then are old ones deleted. A process killed at any moment leaves the last good one and the index that names it.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

import pydantic
from pydantic import BaseModel, ConfigDict
from torch import Tensor

from jumok.core.files import folder_beside, remove_leftovers, sha256_of, write_whole
from jumok.training.state import State, Surroundings
from jumok.training.weights import load_tensors, save_tensors

WEIGHTS, OPTIMISER, STATE = "weights.safetensors", "optimiser.safetensors", "state.json"
TENSORS = (WEIGHTS, OPTIMISER)

M = TypeVar("M", bound=BaseModel)


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="constants")


class File(_Record):
    """What a file must be."""

    bytes: int
    sha256: str


class Described(_Record):
    """`checkpoints/UPDATE/state.json`."""

    state: State
    surroundings: Surroundings
    files: dict[str, File]


class Kept(_Record):
    """A checkpoint that can be resumed, and the updates whose weights it refers to (the best, those to be averaged)."""

    update: int
    needs: list[int] = []


class Finished(_Record):
    """How a run ended."""

    reason: str
    state: State


class Index(_Record):
    """`checkpoints/state.json`: the last checkpoint, the best weights, and what is kept."""

    last: int | None = None
    best: int | None = None
    kept: list[Kept] = []
    finished: Finished | None = None


class Checkpoint(NamedTuple):
    """What was read back."""

    state: State
    surroundings: Surroundings
    weights: dict[str, Tensor]
    memory: dict[str, Tensor]


class Checkpoints:
    """The folder `checkpoints` of a run."""

    def __init__(self, folder: Path, keep: int, how_to_resume: str) -> None:
        self.folder = folder
        self.keep = keep
        self.how_to_resume = how_to_resume
        self.index = Index()

    def exist(self) -> bool:
        """Whether a run has already saved something here."""
        return (self.folder / STATE).exists() or bool(self._updates())

    def open(self) -> list[str]:
        """Read the index, and delete what killed processes left; returns lines that the user should see."""
        path = self.folder / STATE
        remove_leftovers(self.folder)
        remedy = f"delete it to go on from the newest checkpoint in {self.folder}"
        self.index = _read(Index, path, remedy) if path.exists() else Index()
        present = [kept for kept in self.index.kept if (self.folder / str(kept.update)).is_dir()]
        if not path.exists():
            found = [update for update in self._updates() if self._resumable(update)]
            self.index.kept = [Kept(update=update) for update in found]
            present = [Kept(update=update, needs=_needs(self._described(update).state)) for update in found]
        last = present[-1].update if present else None
        lines = []
        if last != self.index.last:
            missing = path if self.index.last is None else self.folder / str(self.index.last)
            there = f"goes on after update {last}" if last is not None else "starts from the beginning"
            lines.append(f"{missing} is not there: training {there}")
            self.index = Index(last=last, best=None, kept=present)
        self._delete_what_is_not_needed()
        return lines

    def save(
        self, state: State, surroundings: Surroundings, weights: Mapping[str, Tensor], memory: Mapping[str, Tensor]
    ) -> None:
        """Write a checkpoint of `state.update`, make it the last one, and delete those that nothing needs any more."""
        path = self.folder / str(state.update)
        if state.update == self.index.last:
            return
        shutil.rmtree(path, ignore_errors=True)
        note = note_for(state.update)
        with folder_beside(path) as beside:
            save_tensors(weights, beside / WEIGHTS, note)
            save_tensors(memory, beside / OPTIMISER, note)
            files = {name: _file(beside / name) for name in TENSORS}
            described = Described(state=state, surroundings=surroundings, files=files)
            (beside / STATE).write_text(described.model_dump_json(indent=2) + "\n", encoding="utf-8")
        kept = [*self.index.kept, Kept(update=state.update, needs=_needs(state))][-self.keep :]
        best = state.best.update if state.best else None
        self._replace_index(Index(last=state.update, best=best, kept=kept))
        self._delete_what_is_not_needed()

    def finish(self, reason: str, state: State) -> None:
        """Say in the index that the run has ended."""
        self._replace_index(self.index.model_copy(update={"finished": Finished(reason=reason, state=state)}))

    def load(self) -> Checkpoint | None:
        """The last checkpoint; None where there is none yet. A damaged one is a `ValueError` that says what to do."""
        if self.index.last is None:
            return None
        remedy = self._remedy(self.index.last)
        described = self._described(self.index.last)
        for name in TENSORS:
            self._check(self.index.last, name, described.files, remedy)
        path = self.folder / str(self.index.last)
        return Checkpoint(
            described.state, described.surroundings, load_tensors(path / WEIGHTS), load_tensors(path / OPTIMISER)
        )

    def weights(self, update: int, remedy: str) -> Path:
        """The file with the weights of an update, checked; where it is damaged, the error tells the remedy."""
        described = _read(Described, self.folder / str(update) / STATE, remedy)
        self._check(update, WEIGHTS, described.files, remedy)
        return self.folder / str(update) / WEIGHTS

    @contextmanager
    def saving(self, update: int) -> Iterator[None]:
        """What cannot be written in the block is one line that says what is still there."""
        try:
            yield
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            reason = "no room on the disk" if full else error.strerror or str(error)
            whole = (
                f"the checkpoint of update {self.index.last} is whole" if self.index.last else "nothing was saved yet"
            )
            then = f"{'make room' if full else 'mend that'}, then go on with {self.how_to_resume}"
            raise OSError(f"{self.folder.parent}: update {update} was not saved: {reason}; {whole}: {then}") from error

    def _replace_index(self, index: Index) -> None:
        write_whole(self.folder / STATE, index.model_dump_json(indent=2) + "\n")
        self.index = index

    def _delete_what_is_not_needed(self) -> None:
        """Old checkpoints go; of those whose weights are needed, the optimiser's memory goes."""
        kept = {kept.update for kept in self.index.kept}
        needed = {update for kept in self.index.kept for update in kept.needs}
        for update in self._updates():
            if update not in kept | needed:
                shutil.rmtree(self.folder / str(update), ignore_errors=True)
            elif update not in kept:
                (self.folder / str(update) / OPTIMISER).unlink(missing_ok=True)

    def _updates(self) -> list[int]:
        """The checkpoints that are there, in order."""
        return sorted(int(path.name) for path in self.folder.glob("*") if path.name.isdecimal() and path.is_dir())

    def _resumable(self, update: int) -> bool:
        return all((self.folder / str(update) / name).is_file() for name in (*TENSORS, STATE))

    def _described(self, update: int) -> Described:
        return _read(Described, self.folder / str(update) / STATE, self._remedy(update))

    def _check(self, update: int, name: str, files: Mapping[str, File], remedy: str) -> None:
        path = self.folder / str(update) / name
        wanted = files.get(name)
        if wanted is None or not path.is_file():
            raise ValueError(f"{path}: is not there; {remedy}")
        if path.stat().st_size != wanted.bytes:
            sizes = f"{path.stat().st_size} bytes instead of {wanted.bytes}"
            raise ValueError(f"{path}: is damaged ({sizes}); {remedy}")
        if sha256_of(path) != wanted.sha256:
            raise ValueError(f"{path}: is damaged (its content is not what was written); {remedy}")

    def _remedy(self, update: int) -> str:
        older = [kept.update for kept in self.index.kept if kept.update != update]
        folder = self.folder / str(update)
        if older:
            return f"delete the folder {folder} to go on from update {older[-1]}"
        return "no older checkpoint is kept: start again in another folder"


def saved_weights(folder: Path) -> Path:
    """The weights of some checkpoint of the run in `folder`; what never learns is the same in all."""
    return next((folder / "checkpoints").glob(f"*/{WEIGHTS}"))


def _file(path: Path) -> File:
    return File(bytes=path.stat().st_size, sha256=sha256_of(path))


def _needs(state: State) -> list[int]:
    best: Sequence[int] = [state.best.update] if state.best else []
    return sorted({*best, *state.recent})


def _read(kind: type[M], path: Path, remedy: str) -> M:
    try:
        return kind.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise ValueError(f"{path}: is not there; {remedy}") from None
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{path}: is damaged ({place + ': ' if place else ''}{first['msg']}); {remedy}") from None


def note_for(update: int, averaged: Sequence[int] = ()) -> str:
    """What a file of weights says of itself."""
    return f"mean of updates {' '.join(map(str, averaged))}" if averaged else f"update {update}"
