"""Recipes with little data and few updates: models that hardly learn, in a second or less."""

from __future__ import annotations

import json
from typing import Any

from tests.systems.trained import SMALL

FEW: dict[str, Any] = {"training.updates": 2, "training.threads": 1}
SCENES: dict[str, Any] = {
    "data.train": {"practice": "scenes", "pictures": 24, "size": 32, "objects": [1, 1]},
    "data.validation": {"practice": "scenes", "pictures": 4, "size": 32, "objects": [1, 1], "seed": 1},
    "batches.size": 8,
    "model.encoder": {"kind": "cnn", "size": 32, "stride": 8},
    "model.decoder.hidden_size": 12,
    "training.updates": 2,
    "training.warmup": 0,
    "training.threads": 1,
}
SEEN: dict[str, Any] = SCENES | {  # enough to end its captions
    "data.train": SCENES["data.train"] | {"objects": [1, 2]},
    "data.test": SCENES["data.validation"],
    "training.updates": 20,
    "training.learning_rate": 0.01,
    "training.schedule": "constant",
}
PAIRS = {name: value for name, value in SMALL.items() if not name.startswith("model")} | FEW
FILES: dict[str, Any] = {  # pairs in files of one's own
    "tokenizer.size": 300,
    "batches.size": 20,
    "model.embedding_size": 24,
    "model.encoder": {"hidden_size": 16},
    "model.decoder.hidden_size": 32,
    "training.warmup": 0,
    **FEW,
}
PHOTOS: dict[str, Any] = {
    "batches.size": 8,
    "model.embedding_size": 12,
    "model.encoder": {"kind": "cnn", "size": 32, "stride": 8, "trainable_from": None},
    "model.regions.size": 12,
    "model.decoder.hidden_size": 12,
    "training.epochs": 1,
    "training.threads": 1,
}
TENSES: dict[str, Any] = {  # enough to tell the past from the future
    "data.train.texts": 800,
    "training.updates": 120,
    "training.warmup": 10,
    "training.learning_rate": 0.01,
    "training.threads": 1,
}
ADDING: dict[str, Any] = {"data.sequences": 200, "data.held_out": 20, "training.threads": 1}
SHORT: dict[str, dict[str, Any]] = {  # by the name of the recipe
    "korean": SMALL | {"training.updates": 40},  # enough to end its sentences
    "korean-transformer": PAIRS | {"batches.unit": "sentences"},
    "multi30k": FILES,
    "tatoeba": FILES,
    "translation": FILES,
    "scenes": SEEN,
    "scenes-hard": SEEN,
    "scenes-more": SEEN,
    "scenes-korean": SEEN | {"data.train": SEEN["data.train"] | {"language": "korean"}},
    "captioning": PHOTOS,
    "flickr8k": PHOTOS,
    "flickr8k-critical": PHOTOS,
    "recognise": {"data.train.pictures": 200, "data.validation.pictures": 20, "data.on_error": "skip", **FEW},
    "classify": TENSES,
    "adding": ADDING,
    "multiplication": ADDING,
    "stories": {"data.train.questions": 30, "training.epochs": 1, "training.threads": 1},
    "answering": {"training.epochs": 1, "training.threads": 1},
    "graphs": {"training.threads": 1},
    "karate": {"training.threads": 1},
    "cora": {"training.updates": 20, "training.threads": 1},
    "lookup": {"data.size": 10, "data.graphs": 40, "data.held_out": 2, "training.updates": 20, "training.threads": 1},
}


def options(changes: dict[str, Any]) -> list[str]:
    """Changes as they are typed."""
    return [word for name, value in changes.items() for word in ("--set", f"{name}={json.dumps(value)}")]
