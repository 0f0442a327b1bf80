"""A small system of the tests' own, and its recipes in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from jumok.core.settings import Settings


class Files(Settings):
    source: str
    target: str


class Table(Settings):
    file: str
    source: int | str
    target: int | str


class Practice(Settings):
    practice: Literal["korean"]
    pairs: int = 1000
    max_words: int = 20


class Data(Settings):
    root: str = "."
    train: Files | Table | Practice = Practice(practice="korean")
    test: Files | Table | Practice | None = None
    languages: list[str] = Field(default_factory=list)


class Network(Settings):
    preset: str = "bahdanau"
    layers: int = Field(default=1, ge=1)
    dropout: float | None = 0.1
    attention: str | Practice = "additive"


class Toy(Settings):
    """The settings of the system `toy`."""

    system: Literal["toy"]
    seed: int = 1
    data: Data = Data()
    model: Network = Network()
    rate: float = 1e-3
    init: Path | None = None


KINDS = {"toy": Toy}
