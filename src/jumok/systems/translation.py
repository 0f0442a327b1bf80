"""The translator: from a corpus of pairs to a model folder."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import torch

from jumok.core.settings import Settings
from jumok.data import (
    Batch,
    Batches,
    BatchSettings,
    Corpus,
    DataSettings,
    Shards,
    Tokenizers,
    TokenizerSettings,
    build_shards,
    cache_folder,
    cached_tokenizers,
    every_pair,
    open_splits,
)
from jumok.data.sharding import LONGEST
from jumok.decoding import Machine
from jumok.evaluation import perplexity
from jumok.models import EncoderDecoder, ModelSettings
from jumok.systems.folders import load_model
from jumok.systems.scoring import EvaluationSettings, Scoring
from jumok.systems.system import Listen, Running
from jumok.systems.translator import Translator
from jumok.systems.waiting import Waiting
from jumok.training import Loss, Outcome, TrainingSettings
from jumok.training.processes import first_alone, rank_and_world


class TranslationRecipe(Settings):
    """All that decides a translator."""

    system: Literal["translation"] = "translation"
    seed: int = 1
    """Where random numbers start: the first weights, the order of the batches, dropout."""
    data: DataSettings
    """The corpora."""
    tokenizer: TokenizerSettings = TokenizerSettings()
    """How text is cut into pieces."""
    batches: BatchSettings = BatchSettings()
    """How many pairs go through the model at once."""
    model: ModelSettings = ModelSettings(preset="bahdanau")
    """The network."""
    training: TrainingSettings
    """How it learns."""
    evaluation: EvaluationSettings = EvaluationSettings()
    """What is measured while it learns."""
    init: str | None = None
    """The folder of a model to start from; its tokenizer is kept."""


class TranslationTask:
    """What the trainer trains: pairs in, figures out."""

    def __init__(
        self,
        model: EncoderDecoder,
        train: Shards,
        validation: Shards,
        batches: BatchSettings,
        seed: int,
        scoring: Scoring | None = None,
    ) -> None:
        self.model, self.scoring = model, scoring
        self._train, self._validation = train, validation
        self._settings, self._seed = batches, seed

    def batches(self, epoch: int) -> Batches:
        """The batches of one epoch, this process's rows of each."""
        return Batches(self._train, self._settings, self._seed, epoch, *rank_and_world())

    def loss(self, batch: Batch) -> Loss:
        """The loss of a batch, summed over its words."""
        sums = self.model.loss(batch)
        return Loss(sums.sum, sums.count, sums.parts)

    def evaluate(self) -> Mapping[str, float]:
        """Loss and perplexity of a word on the validation pairs, the share of words that are the likeliest, scores."""
        device = next(self.model.parameters()).device
        loss, hits, count = 0.0, 0, 0
        for batch in every_pair(self._validation, self._settings):
            scores = self.model.score(batch.to(device))
            loss, hits, count = loss + scores.loss, hits + scores.hits, count + scores.count
        confused = perplexity(-loss, count) if math.isfinite(loss) else math.nan
        known = {"loss": loss / count, "perplexity": confused, "accuracy": hits / count}
        return known | (self.scoring.figures() if self.scoring else {})

    def updated(self, parts: Mapping[str, float], count: float) -> None:
        """An update is done."""
        self.model.updated(parts, count)


class Prepared(NamedTuple):
    """What a run learns from: token ids of both splits, and the tokenizers that made them."""

    tokenizers: Tokenizers
    train: Shards
    validation: Shards
    pairs: Corpus  # the validation pairs as text


class Translation:
    """The system `translation`."""

    recipe = TranslationRecipe

    @staticmethod
    def train(
        recipe: TranslationRecipe,
        folder: Path,
        resume: bool = False,
        quiet: bool = False,
        listen: Listen | None = None,
    ) -> Outcome:
        """Train a translator into `folder`, in which the caller keeps the recipe."""
        with Running.begun(recipe, folder, resume, quiet, listen) as running:
            with first_alone():
                prepared = prepare(recipe, folder, resume, running.waiting)
            torch.manual_seed(recipe.seed)
            source, target = prepared.tokenizers
            model = EncoderDecoder(recipe.model, source.size, target.size)
            if recipe.init is not None and not resume:
                load_model(model, Path(recipe.init))
            words = {"source": source.size, "target": target.size}
            inputs = {"lowercase": recipe.data.lowercase}
            translator = Translator(Machine(model), prepared.tokenizers, recipe.data.lowercase)
            scoring = Scoring(translator, prepared.pairs, recipe.evaluation)
            task = TranslationTask(model, prepared.train, prepared.validation, recipe.batches, recipe.seed, scoring)
            return running.train(task, "translation", recipe.model, words=words, inputs=inputs)

    @staticmethod
    def load(*folders: str | Path, device: str = "auto") -> Translator:
        """The translator in a model folder; of several folders, an ensemble."""
        return Translator.load(*folders, device=device)


def prepare(recipe: TranslationRecipe, folder: Path, resume: bool, waiting: Waiting) -> Prepared:
    """Tokenizers and token ids for a run: read where they are, made where they are not."""
    corpora = open_splits(recipe.data, Path())
    with waiting("looking at the training data"):
        fingerprints = {name: corpora[name].fingerprint() for name in ("train", "validation")}
    with waiting("learning how to cut the text into tokens"):
        tokenizers = _tokenizers(recipe, corpora["train"], fingerprints["train"], folder, resume, waiting.say)
    shards = {}
    for name, fingerprint in fingerprints.items():
        corpus, training = corpora[name], name == "train"
        with waiting(f"{name}: cutting the text into tokens") as progress:
            shards[name] = build_shards(
                corpus.rows(),
                fingerprint,
                tokenizers,
                cache_folder(),
                max_length=recipe.data.max_length if training else LONGEST,  # scores are for every sentence
                dropout=recipe.tokenizer.dropout if training else 0.0,
                progress=progress,
                notes=partial(_skipped, corpus),
            )
        for line in shards[name].notes:
            waiting.say(line)
        left_out = f"; {shards[name].too_long:,} over data.max_length left out" if shards[name].too_long else ""
        waiting.say(f"{name}: {len(shards[name]):,} pairs{left_out}")
    return Prepared(tokenizers, shards["train"], shards["validation"], corpora["validation"])


def _skipped(corpus: Corpus) -> list[str]:
    """What was skipped when the corpus was read, by reason."""
    return corpus.report.lines()[1:]


def _tokenizers(
    recipe: TranslationRecipe,
    train: Corpus,
    fingerprint: str,
    folder: Path,
    resume: bool,
    say: Callable[[str], None],
) -> Tokenizers:
    if resume or not rank_and_world().is_first:
        return Tokenizers.load(folder)
    if recipe.init is not None:
        tokenizers = Tokenizers.load(Path(recipe.init))
    else:
        tokenizers = cached_tokenizers(train, fingerprint, recipe.tokenizer, cache_folder(), "data.train", say)
    tokenizers.save(folder)
    return tokenizers
