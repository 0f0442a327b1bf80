"""A translator that was trained a little: enough to have opinions, in a few seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jumok

SMALL: dict[str, Any] = {
    "data.train.pairs": 400,
    "data.train.max_words": 6,
    "data.validation": {"practice": "korean", "pairs": 20, "max_words": 6, "held_out": False, "seed": 1},
    "data.test": {"practice": "korean", "pairs": 40, "max_words": 8, "held_out": False, "seed": 2},
    "batches.size": 20,
    "model.embedding_size": 24,
    "model.encoder": {"hidden_size": 16},
    "model.decoder.hidden_size": 32,
    "training.updates": 60,
    "training.warmup": 0,
    "training.learning_rate": 0.02,
    "training.evaluate_every": 60,
    "training.threads": 1,
}


def train(folder: Path, **more: Any) -> Path:
    """A model folder; `model__preset` is `model.preset`."""
    changes = {**SMALL, **{name.replace("__", "."): value for name, value in more.items()}}
    return jumok.train("korean", folder, set=changes, quiet=True).folder
