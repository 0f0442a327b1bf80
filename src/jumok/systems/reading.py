"""The reader: from labelled texts or generated sequences to a model folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Protocol, Union

import torch
from pydantic import Discriminator, Tag

from jumok.core.settings import Settings
from jumok.data import BatchSettings, Tokenizer
from jumok.data.labelled import (
    EncodedTexts,
    LabelledData,
    LabelledTexts,
    PieceSettings,
    Sequences,
    TextBatches,
    encode_texts,
    every_text,
    open_texts,
)
from jumok.data.sums import SumBatches, SumsData
from jumok.models.reader import AttentionReader, ReaderSettings
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
    return "SumsData" if isinstance(value, dict) and "problem" in value else "LabelledData"


ReadingData = Annotated[
    Union[  # noqa: UP007 (a type alias that Python 3.10 can build from Annotated parts)
        Annotated[SumsData, Tag("SumsData")],
        Annotated[LabelledData, Tag("LabelledData")],
    ],
    Discriminator(_kind),
]
"""What is read: generated sequences, where there is a `problem`, or labelled texts."""


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


class TextSource(NamedTuple):
    """Labelled texts."""

    train: EncodedTexts
    validation: EncodedTexts
    settings: BatchSettings
    seed: int

    def batches(self, epoch: int) -> TextBatches:
        """The batches of an epoch, this process's rows of each."""
        return TextBatches.of_epoch(self.train, self.settings, self.seed, epoch, *rank_and_world())

    def held_out(self) -> TextBatches:
        """Those that tell how the training goes."""
        return every_text(self.validation, self.settings)


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
        """Loss and accuracy on what was held out; of numbers the mean error, and accuracy is the share within .04."""
        device = next(self.model.parameters()).device
        losses, hits, errors = [], [], []
        for batch in self._source.held_out():
            there = batch.to(device)
            told = self.model(there.inputs, there.lengths)
            losses.append(self.model.errors(told, there.targets))
            if self.model.is_number:
                errors.append((told.outputs - there.targets).abs())
                hits.append(errors[-1] < CLOSE)
            else:
                hits.append(told.outputs.argmax(-1) == there.targets)
        figures = {"loss": float(torch.cat(losses).mean()), "accuracy": float(torch.cat(hits).float().mean())}
        return figures | ({"error": float(torch.cat(errors).mean())} if errors else {})

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
            if isinstance(recipe.data, SumsData):
                source: Source = SumsSource(recipe.data, recipe.batches.size, recipe.seed)
                words = {"features": 2}
                inputs: dict[str, Any] = {"problem": recipe.data.model_dump(mode="json")}
                labels = None
            else:
                with first_alone():
                    tokenizer, labels, source = prepare(recipe, recipe.data, folder, resume, running.waiting)
                words = {"words": tokenizer.size} | ({"labels": len(labels)} if labels is not None else {})
                inputs = {"lowercase": recipe.data.lowercase, "labels": labels}
            torch.manual_seed(recipe.seed)
            sizes = {"labels": None} | words
            model = AttentionReader(recipe.model, **sizes)
            return running.train(ReadingTask(model, source), "reading", recipe.model, words=words, inputs=inputs)

    @staticmethod
    def load(*folders: str | Path, device: str = "auto") -> Reader:
        """The reader in a model folder."""
        return Reader.load(*folders, device=device)


def prepare(
    recipe: ReadingRecipe, data: LabelledData, folder: Path, resume: bool, waiting: Waiting
) -> tuple[Tokenizer, list[str] | None, TextSource]:
    """The tokenizer, the labels (None where numbers are told) and the token ids of a run."""
    with waiting("reading the texts"):
        train = open_texts("train", data, Path())
        rows = list(train)
    labels = None if data.target == "number" else _labels(train, sorted({row.label for row in rows}))
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
    if labels is not None:
        waiting.say(f"labels: {', '.join(labels[:20])}{', ...' if len(labels) > 20 else ''}")
    if not len(encoded["train"].numbers):
        raise ValueError(f"train: all texts are longer than data.max_length ({data.max_length}); raise it")
    return tokenizer, labels, TextSource(encoded["train"], encoded["validation"], recipe.batches, recipe.seed)


def _tokenizer(texts: Sequence[str], settings: PieceSettings, say: Callable[[str], None]) -> Tokenizer:
    """A tokenizer for texts; few texts that have not so many pieces get half as many, or less."""
    try:
        return Tokenizer.train(texts, settings.settings(), "data.train", say)
    except ValueError:
        if settings.kind not in ("bpe", "unigram") or settings.size == 16:
            raise
        return _tokenizer(texts, PieceSettings(kind=settings.kind, size=max(16, settings.size // 2)), say)


def _labels(texts: LabelledTexts, found: list[str]) -> list[str]:
    if len(found) < 2:
        raise ValueError(
            f"data.train: every text of {texts.reader.name} has the label {found[0]!r}; give two labels at least"
        )
    return found
