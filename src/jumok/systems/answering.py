"""The answerer: from stories with questions to a model folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import torch
import torch.nn.functional as F
from pydantic import Field

from jumok.core.settings import Settings
from jumok.data.stories.batches import EncodedStories, StoryBatch, StoryBatches
from jumok.data.stories.opening import StorySplits, open_stories
from jumok.data.stories.settings import StoryDataSettings
from jumok.data.stories.words import StoryWords
from jumok.models.memory_network import MemoryNetwork, MemoryNetworkSettings
from jumok.systems.answerer import Answerer
from jumok.systems.system import Running
from jumok.training import Loss, Outcome, TrainingSettings
from jumok.training.processes import from_first, rank_and_world


class AnsweringRecipe(Settings):
    """All that decides an answerer."""

    system: Literal["answering"] = "answering"
    seed: int = 1
    """Where random numbers start: the first weights, the order of the questions, the empty memories."""
    data: StoryDataSettings
    """The stories."""
    batch_size: int = Field(default=32, ge=1)
    """Questions for one update."""
    model: MemoryNetworkSettings = MemoryNetworkSettings()
    """The network."""
    training: TrainingSettings
    """How it learns."""


class AnsweringTask:
    """What the trainer trains: questions in, figures out."""

    def __init__(self, model: MemoryNetwork, words: StoryWords, splits: StorySplits, recipe: AnsweringRecipe) -> None:
        self.model = model
        self._answerer = Answerer(model, words)
        self._validation = splits.validation
        self._train, self._held_out = (
            EncodedStories(questions, words, recipe.model.memories) for questions in (splits.train, splits.validation)
        )
        self._size, self._seed = recipe.batch_size, recipe.seed
        self._may_be_linear = True

    def batches(self, epoch: int) -> StoryBatches:
        """The batches of one epoch, this process's rows of each."""
        return StoryBatches(self._train, self._size, self._seed, epoch, *rank_and_world())

    def loss(self, batch: StoryBatch) -> Loss:
        """The loss of a batch, summed over its questions."""
        self._agree_on_linear()
        if not batch.numbers:
            return Loss(self.model.tables.sum() * 0, 0, {"error": 0.0})
        logits = self.model(batch).logits
        wrong = (logits.detach().argmax(1) != batch.answers).sum()
        return Loss(F.cross_entropy(logits, batch.answers, reduction="sum"), len(batch.numbers), {"error": wrong})

    def _agree_on_linear(self) -> None:
        """Only the first process evaluates, and so hears when the linear start is over; the others ask it."""
        if self._may_be_linear:
            device = self.model.linear.device
            self._may_be_linear = from_first(bool(self.model.linear), device)
            self.model.linear.fill_(self._may_be_linear)

    def evaluate(self) -> Mapping[str, float]:
        """Loss and error on the questions held out, and how often a hop looked at a supporting fact most."""
        self.model.note_evaluation()
        loss = self._loss()
        report = self._answerer.evaluate(self._validation)
        wrong = sum(task.error * task.questions for task in report.tasks) / len(self._validation)
        return {"loss": loss, "error": wrong, "failed": report.failed, "facts": report.mean.any_hit}

    def _loss(self) -> float:
        """The mean over the questions whose answer was seen in training; what is kept always looks with a softmax."""
        device, total, count = self.model.linear.device, 0.0, 0
        for batch in self._held_out.in_order(256):
            moved = batch.to(device)
            logits = self.model(moved, linear=False).logits
            total += F.cross_entropy(logits, moved.answers, reduction="sum", ignore_index=-1).item()
            count += int((moved.answers >= 0).sum())
        return total / count if count else float("nan")

    def updated(self, parts: Mapping[str, float], count: float) -> None:
        """An update is done."""


class Answering:
    """The system `answering`."""

    recipe = AnsweringRecipe

    @staticmethod
    def train(recipe: AnsweringRecipe, folder: Path, resume: bool = False, quiet: bool = False) -> Outcome:
        """Train an answerer into `folder`, in which the caller keeps the recipe."""
        with Running.begun(recipe, folder, resume, quiet) as running:
            with running.waiting("reading the stories"):
                splits = open_stories(recipe.data)
                words = StoryWords.of(splits.train)
            told = f"{len(splits.train):,} questions, {len(splits.validation):,} held out"
            running.waiting.say(f"stories: {told}; {len(words.words):,} words, {len(words.answers):,} answers")
            torch.manual_seed(recipe.seed)
            model = MemoryNetwork(recipe.model, words.size, words.longest, words.answer_words)
            return running.train(
                AnsweringTask(model, words, splits, recipe),
                "answering",
                recipe.model,
                words={"words": words.size, "longest": words.longest, "answers": len(words.answers)},
                inputs={"words": list(words.words), "answers": list(words.answers)},
            )

    @staticmethod
    def load(*folders: str | Path, device: str = "auto") -> Answerer:
        """The answerer in a model folder."""
        if len(folders) != 1:
            raise ValueError("load: an answerer is one model; give one folder")
        return Answerer.load(folders[0], device)
