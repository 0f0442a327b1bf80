"""The reader: from labelled texts, labelled pictures or generated sequences to a model folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Protocol, Union

import numpy as np
import torch
from pydantic import Discriminator, Tag, model_validator

from jumok.core.settings import Settings
from jumok.data import BatchSettings, Tokenizer, cache_folder
from jumok.data.labelled import (
    Labelled,
    LabelledBatches,
    LabelledData,
    PieceSettings,
    Sequences,
    encode_texts,
    open_texts,
)
from jumok.data.pictures import LabelledPictureData, PictureCorpus, open_labelled_pictures
from jumok.data.pictures.labels import LabelledPictures
from jumok.data.sums import SumBatches, SumsData
from jumok.models.pictures import PictureEncoder
from jumok.models.reader import AttentionReader, ReaderSettings, Unit
from jumok.systems.reader import TOKENIZER, Reader
from jumok.systems.system import Running
from jumok.systems.waiting import Waiting
from jumok.training import Loss, Outcome, TrainingSettings
from jumok.training.processes import first_alone, rank_and_world

CLOSE = 0.04
"""A number that is told with a smaller error is right (Hochreiter & Schmidhuber 1997)."""


def _kind(value: Any) -> str:
    if isinstance(value, Settings):
        return type(value).__name__
    if not isinstance(value, dict):
        return "LabelledData"
    return "SumsData" if "problem" in value else "LabelledPictureData" if "kind" in value else "LabelledData"


ReadingData = Annotated[
    Union[  # noqa: UP007 (a type alias that Python 3.10 can build from Annotated parts)
        Annotated[SumsData, Tag("SumsData")],
        Annotated[LabelledPictureData, Tag("LabelledPictureData")],
        Annotated[LabelledData, Tag("LabelledData")],
    ],
    Discriminator(_kind),
]
"""What is read: generated sequences, where there is a `problem`, pictures, where `kind` says so, or labelled texts."""


class ReadingRecipe(Settings):
    """All that decides a reader."""

    system: Literal["reading"] = "reading"
    seed: int = 1
    """Where random numbers start: the first weights, the order of the batches, generated sequences, dropout."""
    data: ReadingData
    """The sequences, and what is to be told of them."""
    tokenizer: PieceSettings = PieceSettings()
    """How text is cut into pieces."""
    batches: BatchSettings = BatchSettings()
    """How many sequences go through the model at once."""
    model: ReaderSettings = ReaderSettings()
    """The network."""
    training: TrainingSettings
    """How it learns."""

    @model_validator(mode="after")
    def _fits(self) -> ReadingRecipe:
        if isinstance(self.data, LabelledPictureData) != (self.model.encoder is not None):
            need = "pictures need an encoder" if self.model.encoder is None else "only pictures have one"
            raise ValueError(f"model.encoder: {need}; data.kind: pictures and model.encoder go together")
        tells_numbers = isinstance(self.data, LabelledData) and self.data.target == "number"
        if tells_numbers and self.training.figure == "accuracy":
            raise ValueError("training.figure: accuracy is for labels; of numbers take loss or error")
        return self


class Source(Protocol):
    """Where the batches of a run come from."""

    def batches(self, epoch: int) -> Sequence[Sequences]:
        """The batches of an epoch, this process's rows of each."""
        ...

    def held_out(self) -> Sequence[Sequences]:
        """Those that tell how the training goes."""
        ...


class SumsSource(NamedTuple):
    """Generated sequences."""

    data: SumsData
    size: int
    seed: int

    def batches(self, epoch: int) -> SumBatches:
        """The batches of an epoch, this process's rows of each."""
        return SumBatches.of_epoch(self.data, self.size, self.seed, epoch, *rank_and_world())

    def held_out(self) -> SumBatches:
        """Those that tell how the training goes."""
        return SumBatches.held_out(self.data, self.size, self.seed)


class LabelledSource(NamedTuple):
    """Labelled texts or pictures."""

    train: Labelled
    validation: Labelled
    settings: BatchSettings
    seed: int

    def batches(self, epoch: int) -> LabelledBatches:
        """The batches of an epoch, this process's rows of each."""
        return LabelledBatches.of_epoch(self.train, self.settings, self.seed, epoch, *rank_and_world())

    def held_out(self) -> LabelledBatches:
        """Those that tell how the training goes."""
        return LabelledBatches.all_of(self.validation, self.settings)


class ReadingTask:
    """What the trainer trains: sequences in, figures out."""

    def __init__(self, model: AttentionReader, source: Source) -> None:
        self.model, self._source = model, source

    def batches(self, epoch: int) -> Sequence[Sequences]:
        """The batches of one epoch, this process's rows of each."""
        return self._source.batches(epoch)

    def loss(self, batch: Sequences) -> Loss:
        """The loss of a batch, summed over its sequences."""
        sums = self.model.loss(batch.inputs, batch.lengths, batch.targets)
        return Loss(sums.sum, sums.count, sums.parts)

    def evaluate(self) -> Mapping[str, float]:
        """Loss and accuracy on what was held out; of numbers the mean error, and of the two problems, in which all
        numbers are between 0 and 1, accuracy is the share within .04."""
        device = next(self.model.parameters()).device
        losses, hits, errors = [], [], []
        for batch in self._source.held_out():
            there = batch.to(device)
            told = self.model(there.inputs, there.lengths)
            losses.append(self.model.errors(told, there.targets))
            if not self.model.is_number:
                hits.append(told.outputs.argmax(-1) == there.targets)
                continue
            errors.append((told.outputs - there.targets).abs())
            if isinstance(self._source, SumsSource):
                hits.append(errors[-1] < CLOSE)
        parts = {"loss": losses, "accuracy": hits, "error": errors}
        return {name: float(torch.cat(part).float().mean()) for name, part in parts.items() if part}

    def updated(self, parts: Mapping[str, float], count: float) -> None:
        """An update is done."""
        self.model.updated(parts, count)


class ReadingSystem:
    """The system `reading`."""

    recipe = ReadingRecipe

    @staticmethod
    def train(recipe: ReadingRecipe, folder: Path, resume: bool = False, quiet: bool = False) -> Outcome:
        """Train a reader into `folder`, in which the caller keeps the recipe."""
        with Running.begun(recipe, folder, resume, quiet) as running:
            torch.manual_seed(recipe.seed)
            prepared = prepare(recipe, folder, resume, running.waiting)
            torch.manual_seed(recipe.seed)  # whatever was drawn until here
            sizes = {"labels": None} | prepared.words
            model = AttentionReader(recipe.model, **sizes, pictures=prepared.pictures, unit=prepared.unit)
            task = ReadingTask(model, prepared.source)
            return running.train(task, "reading", recipe.model, words=prepared.words, inputs=prepared.inputs)

    @staticmethod
    def load(*folders: str | Path, device: str = "auto") -> Reader:
        """The reader in a model folder."""
        return Reader.load(*folders, device=device)


class Prepared(NamedTuple):
    """What a run learns from.

    words: how many words, features and labels there are, where there are any. inputs: what a folder keeps of the data.
    unit: what numbers are told in.
    """

    source: Source
    words: dict[str, int]
    inputs: dict[str, Any]
    pictures: PictureEncoder | None = None
    unit: Unit = Unit()


def prepare(recipe: ReadingRecipe, folder: Path, resume: bool, waiting: Waiting) -> Prepared:
    """The data of a run: generated, read, or read from the cache."""
    data = recipe.data
    if isinstance(data, SumsData):
        source = SumsSource(data, recipe.batches.size, recipe.seed)
        return Prepared(source, {"features": 2}, {"problem": data.model_dump(mode="json")})
    with first_alone():
        if isinstance(data, LabelledPictureData):
            return _prepare_pictures(recipe, data, waiting)
        return _prepare_texts(recipe, data, folder, resume, waiting)


def _prepare_texts(recipe: ReadingRecipe, data: LabelledData, folder: Path, resume: bool, waiting: Waiting) -> Prepared:
    with waiting("reading the texts"):
        train = open_texts("train", data, Path())
        rows = list(train)
    is_number = data.target == "number"
    labels = None if is_number else _labels({row.label for row in rows}, train.reader.name)
    unit = _unit([row.value for row in rows], train.reader.name) if is_number else Unit()
    if resume or not rank_and_world().is_first:
        tokenizer = Tokenizer.load(folder / TOKENIZER)
    else:
        with waiting("learning how to cut the text into tokens"):
            tokenizer = _tokenizer([row.text for row in rows], recipe.tokenizer, waiting.say)
        tokenizer.save(folder / TOKENIZER)
    validation = open_texts("validation", data, Path())
    if labels is not None:
        validation = validation.limited(tuple(labels))
    with waiting("cutting the text into tokens") as progress:
        encoded = {
            "train": encode_texts(rows, tokenizer, labels, data.max_length, progress),
            "validation": encode_texts(validation, tokenizer, labels),
        }
    for name, texts_of in (("train", train), ("validation", validation)):
        for line in texts_of.report.lines()[1:]:
            waiting.say(line)
        left_out = encoded[name].too_long
        more = f"; {left_out:,} over data.max_length left out" if left_out else ""
        waiting.say(f"{name}: {len(encoded[name].numbers):,} texts{more}")
    if not len(encoded["train"].numbers):
        raise ValueError(f"train: all texts are longer than data.max_length ({data.max_length}); raise it")
    words = {"words": tokenizer.size} | _told(labels, waiting)
    source = LabelledSource(encoded["train"], encoded["validation"], recipe.batches, recipe.seed)
    inputs = {"lowercase": data.lowercase, "labels": labels} | ({"unit": list(unit)} if is_number else {})
    return Prepared(source, words, inputs, unit=unit)


def _prepare_pictures(recipe: ReadingRecipe, data: LabelledPictureData, waiting: Waiting) -> Prepared:
    assert recipe.model.encoder is not None
    encoder = PictureEncoder.pretrained(recipe.model.encoder)
    with waiting("looking for the pictures"):
        train = open_labelled_pictures("train", data, Path())
        labels = _labels({entry.captions[0] for entry in train}, data.root)
        corpora = {"train": train, "validation": open_labelled_pictures("validation", data, Path(), tuple(labels))}
    maps = {name: _labelled(corpus, encoder, labels, waiting) for name, corpus in corpora.items()}
    source = LabelledSource(maps["train"], maps["validation"], recipe.batches, recipe.seed)
    return Prepared(source, _told(labels, waiting), {"labels": labels}, encoder)


def _labelled(corpus: PictureCorpus, encoder: PictureEncoder, labels: list[str], waiting: Waiting) -> LabelledPictures:
    with waiting(f"{corpus.name}: looking at {len(corpus):,} pictures") as progress:
        maps = encoder.cached(corpus, cache_folder(), progress)
    for line in maps.corpus.report.lines()[1:]:
        waiting.say(line)
    waiting.say(f"{corpus.name}: {len(maps.corpus):,} pictures")
    targets = np.array([labels.index(entry.captions[0]) for entry in maps.corpus], np.int64)
    rows, columns = encoder.grid
    return LabelledPictures(maps, targets, rows * columns)


def _told(labels: list[str] | None, waiting: Waiting) -> dict[str, int]:
    if labels is None:
        return {}
    waiting.say(f"labels: {', '.join(labels[:20])}{', ...' if len(labels) > 20 else ''}")
    return {"labels": len(labels)}


def _tokenizer(texts: Sequence[str], settings: PieceSettings, say: Callable[[str], None]) -> Tokenizer:
    """A tokenizer for texts; few texts that have not so many pieces get half as many, or less."""
    try:
        return Tokenizer.train(texts, settings.settings(), "data.train", say)
    except ValueError:
        if settings.kind not in ("bpe", "unigram") or settings.size == 16:
            raise
        return _tokenizer(texts, PieceSettings(kind=settings.kind, size=max(16, settings.size // 2)), say)


def _labels(found: set[str], where: str) -> list[str]:
    labels = sorted(found)
    if len(labels) < 2:
        raise ValueError(f"data.train: all of {where} has the label {labels[0]!r}; give two labels at least")
    return labels


def _unit(numbers: Sequence[float], where: str) -> Unit:
    """The mean of the numbers to learn from, and how far they lie about it."""
    unit = Unit(float(np.mean(numbers)), float(np.std(numbers)))
    if unit.spread <= 1e-12 * abs(unit.middle):
        raise ValueError(f"data.train: all of {where} has the number {numbers[0]:g}; give different ones")
    return unit
