"""The captioner: from pictures with captions to a model folder."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import torch
from pydantic import model_validator

from jumok.core.settings import Settings
from jumok.data import BatchSettings, Tokenizer, TokenizerSettings, cache_folder, mixing
from jumok.data.pictures import (
    Augmentation,
    CachedViews,
    CaptionTokens,
    LivePictures,
    PictureBatch,
    PictureBatches,
    PictureCorpus,
    PictureDataSettings,
    View,
    every_picture,
    open_picture_splits,
    tokenize_captions,
)
from jumok.data.pictures.batching import PictureSource
from jumok.decoding import Machine
from jumok.evaluation import perplexity
from jumok.models import EncoderDecoder, PictureModelSettings
from jumok.models.pictures import PictureEncoder
from jumok.systems.caption_scoring import CaptionEvaluationSettings, CaptionScoring
from jumok.systems.captioner import TOKENIZER, Captioner
from jumok.systems.folders import load_model, model_weights
from jumok.systems.self_critical import SelfCritic, SelfCriticalSettings
from jumok.systems.system import Running
from jumok.systems.waiting import Waiting
from jumok.training import Loss, Outcome, TrainingSettings
from jumok.training.checkpoints import saved_weights
from jumok.training.processes import first_alone, rank_and_world
from jumok.training.weights import load_part


class CaptioningRecipe(Settings):
    """All that decides a captioner."""

    system: Literal["captioning"] = "captioning"
    seed: int = 1
    """Where random numbers start: the first weights, the order of the batches, dropout."""
    data: PictureDataSettings
    """The pictures and their captions."""
    augmentation: Augmentation = Augmentation()
    """How training pictures are changed from epoch to epoch."""
    tokenizer: TokenizerSettings = TokenizerSettings(kind="word", size=5000)
    """How captions are cut into pieces."""
    batches: BatchSettings = BatchSettings()
    """How many captions go through the model at once."""
    model: PictureModelSettings = PictureModelSettings(preset="soft")
    """The network."""
    training: TrainingSettings
    """How it learns."""
    evaluation: CaptionEvaluationSettings = CaptionEvaluationSettings()
    """What is measured while it learns."""
    self_critical: SelfCriticalSettings | None = None
    """Whether it learns from scores of its own captions; only after it has learned from those of people (`init`)."""
    init: str | None = None
    """The folder of a model to start from; its tokenizer is kept."""

    @model_validator(mode="after")
    def _fits(self) -> CaptioningRecipe:
        if self.self_critical is not None and self.model.samples:
            raise ValueError(
                "self_critical: draws words, and hard attention draws looks; take a model that is not hard"
            )
        return self


class Split(NamedTuple):
    """Pictures that were read: which, their captions as tokens, and what the encoder takes of them."""

    corpus: PictureCorpus
    captions: CaptionTokens
    source: PictureSource


class Prepared(NamedTuple):
    """What a run learns from."""

    tokenizer: Tokenizer
    pictures: PictureEncoder
    train: Split
    validation: Split


class CaptioningTask:
    """What the trainer trains: captions of pictures in, figures out."""

    def __init__(self, model: EncoderDecoder, prepared: Prepared, recipe: CaptioningRecipe) -> None:
        self.model = model
        self._train, self._validation = prepared.train, prepared.validation
        self._settings, self._seed = recipe.batches, recipe.seed
        live = not prepared.pictures.frozen_whole or isinstance(prepared.train.source, LivePictures)
        self._by_picture = live or recipe.self_critical is not None  # so that no picture is decoded five times
        captioner = Captioner(Machine(model), prepared.tokenizer, recipe.data.lowercase)
        self._scoring: CaptionScoring | None = None
        if recipe.evaluation.scores:
            validation = prepared.validation
            self._scoring = CaptionScoring(captioner, validation.corpus, validation.source, recipe.evaluation)
        self._critic: SelfCritic | None = None
        if recipe.self_critical is not None:
            longest = recipe.data.max_length + 1
            self._critic = SelfCritic(captioner, prepared.train.corpus, recipe.self_critical, longest)

    def batches(self, epoch: int) -> PictureBatches:
        """The batches of one epoch, this process's rows of each."""
        rank, world = rank_and_world()
        return PictureBatches(
            self._train.captions,
            self._train.source,
            self._settings,
            self._seed,
            epoch,
            by_picture=self._by_picture,
            rank=rank,
            world=world,
        )

    def loss(self, batch: PictureBatch) -> Loss:
        """The loss of a batch, summed over its words."""
        sums = self.model.loss(batch) if self._critic is None or not len(batch) else self._critic.loss(batch)
        return Loss(sums.sum, sums.count, sums.parts)

    def evaluate(self) -> Mapping[str, float]:
        """Loss, perplexity and accuracy of words after the right ones, and scores of captions that it writes alone."""
        device = next(self.model.parameters()).device
        loss, hits, count = 0.0, 0, 0
        for batch in every_picture(self._validation.captions, self._validation.source, self._settings):
            scores = self.model.score(batch.to(device))
            loss, hits, count = loss + scores.loss, hits + scores.hits, count + scores.count
        confused = perplexity(-loss, count) if math.isfinite(loss) else math.nan
        known = {"loss": loss / count, "perplexity": confused, "accuracy": hits / count}
        return known | (self._scoring.figures() if self._scoring else {})

    def updated(self, parts: Mapping[str, float], count: float) -> None:
        """An update is done."""
        self.model.updated(parts, count)


class Captioning:
    """The system `captioning`."""

    recipe = CaptioningRecipe

    @staticmethod
    def train(recipe: CaptioningRecipe, folder: Path, resume: bool = False, quiet: bool = False) -> Outcome:
        """Train a captioner into `folder`, in which the caller keeps the recipe."""
        if recipe.self_critical is not None and recipe.init is None:
            raise ValueError("self_critical: needs a model that can write captions already; give its folder as init")
        with Running.begun(recipe, folder, resume, quiet) as running:
            torch.manual_seed(recipe.seed)
            pictures = _picture_encoder(recipe, folder if resume else None)
            with first_alone():
                prepared = prepare(recipe, pictures, folder, resume, running.waiting)
            torch.manual_seed(mixing.key(recipe.seed, 1) >> 1)  # whatever was drawn while pictures were looked at
            model = EncoderDecoder(recipe.model, 0, prepared.tokenizer.size, pictures)
            if recipe.init is not None and not resume:
                load_model(model, Path(recipe.init))
            words = {"target": prepared.tokenizer.size}
            inputs = {"lowercase": recipe.data.lowercase}
            task = CaptioningTask(model, prepared, recipe)
            return running.train(task, "captioning", recipe.model, words=words, inputs=inputs)

    @staticmethod
    def load(*folders: str | Path, device: str = "auto") -> Captioner:
        """The captioner in a model folder; of several folders, an ensemble."""
        return Captioner.load(*folders, device=device)


def prepare(
    recipe: CaptioningRecipe, pictures: PictureEncoder, folder: Path, resume: bool, waiting: Waiting
) -> Prepared:
    """The tokenizer, the captions as tokens, and the feature maps of a run: read where they are, made where not."""
    with waiting("looking at the captions"):
        corpora = open_picture_splits(recipe.data, Path())
    tokenizer = _tokenizer(recipe, corpora["train"], folder, resume, waiting.say)
    splits = {}
    for name in ("train", "validation"):
        training = name == "train"
        corpus, source = _seen(recipe, pictures, corpora[name], training, waiting)
        dropout = recipe.tokenizer.dropout if training else 0.0
        captions = tokenize_captions(corpus, tokenizer, recipe.data.max_length if training else None, dropout)
        for line in corpus.report.lines()[1:]:
            waiting.say(line)
        left_out = f"; {captions.too_long:,} over data.max_length left out" if captions.too_long else ""
        waiting.say(f"{name}: {len(corpus):,} pictures, {len(captions):,} captions{left_out}")
        splits[name] = Split(corpus, captions, source)
    return Prepared(tokenizer, pictures, splits["train"], splits["validation"])


def _seen(
    recipe: CaptioningRecipe,
    pictures: PictureEncoder,
    corpus: PictureCorpus,
    training: bool,
    waiting: Waiting,
) -> tuple[PictureCorpus, PictureSource]:
    """What the encoder takes of the pictures that can be read: cached maps, unless every epoch has views of its own."""
    changes = recipe.augmentation
    what = f"{corpus.name}: looking at {len(corpus):,} pictures"
    with waiting(what) as progress:
        if training and changes.changes and changes.views is None:
            corpus = corpus.readable(progress)
            return corpus, LivePictures(corpus, pictures.prepare, changes, recipe.seed)
        maps = pictures.cached(corpus, cache_folder(), progress)
    corpus = maps.corpus
    if not training or changes.views is None:
        return corpus, maps
    views = [maps]
    for number in range(1, changes.views):
        with waiting(f"{what}, view {number + 1} of {changes.views}") as progress:
            views.append(pictures.cached(corpus, cache_folder(), progress, View(changes, recipe.seed, number)))
    return corpus, CachedViews(views, recipe.seed)


def _picture_encoder(recipe: CaptioningRecipe, begun: Path | None) -> PictureEncoder:
    """The image encoder as `init` has it, or a run that has begun: what is frozen of it decides the cached maps."""
    if recipe.init is None:
        return PictureEncoder.pretrained(recipe.model.encoder)
    encoder = PictureEncoder(recipe.model.encoder)
    weights = saved_weights(begun) if begun else model_weights(Path(recipe.init))
    load_part(encoder, weights, "encoder.pictures.")
    return encoder


def _tokenizer(
    recipe: CaptioningRecipe, train: PictureCorpus, folder: Path, resume: bool, say: Callable[[str], None]
) -> Tokenizer:
    if resume or not rank_and_world().is_first:
        return Tokenizer.load(folder / TOKENIZER)
    if recipe.init is not None:
        tokenizer = Tokenizer.load(Path(recipe.init) / TOKENIZER)
    else:
        captions = (caption for entry in train for caption in entry.captions)
        tokenizer = Tokenizer.train(captions, recipe.tokenizer, "data.train", say)
    tokenizer.save(folder / TOKENIZER)
    return tokenizer
