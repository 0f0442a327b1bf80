"""The pairs that a model is judged by: a split of its recipe, or files; practice pairs with their gold alignment."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from jumok.core.names import unknown
from jumok.data import DataSettings, TextPair, open_split
from jumok.data.corpora.corpus import Corpus
from jumok.data.corpora.pair_files import PairFilesReader
from jumok.data.corpora.practice import PracticeReader
from jumok.data.corpora.rows import MEND
from jumok.data.corpora.settings import PracticeData
from jumok.data.korean.speech import part_of_speech
from jumok.evaluation import Gold, parse_alignment
from jumok.systems.translation import TranslationRecipe


class Pairs(NamedTuple):
    """Pairs with what people should call them, and what is known of them."""

    name: str
    pairs: list[TextPair]
    golds: list[Gold] | None = None
    labels: list[list[str]] | None = None  # the part of speech of each target word
    language: str | None = None  # of the targets, where the recipe tells it


def pairs_of_split(recipe: TranslationRecipe, split: str | None) -> Pairs:
    """The pairs of a split of a recipe: by default test, where there is one, else validation."""
    data = recipe.data
    known = [name for name in ("train", "validation", "test") if getattr(data, name) is not None]
    name = split or known[-1]
    if name not in known:
        raise ValueError(f"--split: {unknown('split', name, known)}")
    settings = getattr(data, name)
    practice = isinstance(settings, PracticeData)
    told = _practice(name, settings, data) if practice else Pairs(name, list(open_split(name, data, Path())))
    return told._replace(language=recipe.evaluation.language)


def pairs_of_files(source: Path, target: Path) -> Pairs:
    """The pairs of two plain files, line by line."""
    for path in (source, target):
        if not path.is_file():
            raise FileNotFoundError(f"{path}: there is no such file")
    try:
        return Pairs(source.name, list(Corpus("test", PairFilesReader(source, target, "utf-8"))))
    except ValueError as error:  # what a recipe could say of such files, nobody can say here
        told = str(error).replace(MEND, "mend it, or take that line out of both files")
        raise ValueError(re.sub(r"set data\.encoding=\S+", "turn it into UTF-8", told)) from None


def _practice(name: str, settings: PracticeData, data: DataSettings) -> Pairs:
    golds = [parse_alignment(line) for line in PracticeReader(settings).alignments()]
    pairs = list(open_split(name, data, Path()))
    labels = [[part_of_speech(word) for word in pair.target.split(" ")] for pair in pairs]
    return Pairs(f"{name} ({settings.practice})", pairs, golds, labels)
