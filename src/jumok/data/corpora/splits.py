"""What the data settings of every system share: how files are read, and which part of train each split has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Discriminator, Field, field_validator, model_validator

from jumok.core.settings import Settings
from jumok.data.corpora.encodings import checked_encoding
from jumok.data.corpora.parts import Part


class HeldOut(Settings):
    """A share of the training sentences, which training then leaves out.

    A hash of the source sentence decides (its letters and digits, whatever the case), so all translations of one
    sentence fall on the same side, on every machine, and wherever the sentence stands in the file.
    """

    share: float = Field(gt=0, lt=1)
    """About how much of the training corpus: 0.02 is one sentence in fifty."""


class SplitData(Settings):
    """How files are read. Who inherits has the splits `train`, `validation` and `test`."""

    root: str = "."
    """The folder that the files' paths start from; it starts itself from the recipe's folder."""

    encoding: str = "utf-8"
    """How the files write their letters: `utf-8`, or what a file is in (`cp949`, `utf-16`, `latin-1`, ...).
    JSON, Parquet and Hub data know their own."""

    on_error: Literal["stop", "skip"] = "stop"
    """What to do with what cannot be read (an empty side or caption, broken text, a line without a partner, a picture
    that is missing): `stop` and say where, or `skip` it, count it and report it."""

    lowercase: bool = False
    """Whether to write all text in lower case."""

    @field_validator("encoding")
    @classmethod
    def _encoding(cls, name: str) -> str:
        return checked_encoding(name)

    @model_validator(mode="after")
    def _shares(self) -> SplitData:
        total = sum(share for _, share in self._held_out())
        if total >= 1:
            raise ValueError(f"validation and test: their shares add up to {total:g}; nothing is left to train on")
        return self

    def parts(self) -> dict[str, Part]:
        """Which part of the training data each split has; nothing where none is held out."""
        parts, low = {}, 0.0
        for name, share in self._held_out():
            parts[name] = Part(low, low + share)
            low += share
        return {**parts, "train": Part(low, 1.0)} if parts else {}

    def _held_out(self) -> list[tuple[str, float]]:
        splits = {name: getattr(self, name) for name in ("validation", "test")}
        return [(name, split.share) for name, split in splits.items() if isinstance(split, HeldOut)]


def told_by(keys: Mapping[str, type[Settings]], expected: str) -> Discriminator:
    """Tells kinds of settings apart by the first of the keys that is there; `expected` is said where there is none.

    Each kind is tagged with its own name.
    """

    def kind(value: Any) -> str | None:
        if isinstance(value, Settings):
            return type(value).__name__
        there = (found.__name__ for key, found in keys.items() if key in value) if isinstance(value, dict) else iter(())
        return next(there, None)

    return Discriminator(kind, custom_error_type="kind", custom_error_message=f"expected {expected}")
