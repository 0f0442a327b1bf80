"""Model folders: what a model is (`config.json`), and its weights (`model.safetensors`). Nothing in them can run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from torch import nn

import jumok
from jumok.core.files import write_whole
from jumok.core.settings import Settings
from jumok.training.weights import load_weights

CONFIG = "config.json"


def write_config(folder: Path, system: str, model: Settings, **words: int) -> None:
    """Write down what the model in `folder` is: its system, its settings, and the sizes of its vocabularies."""
    config = {"system": system, "jumok": jumok.__version__, "words": words, "model": model.model_dump(mode="json")}
    write_whole(folder / CONFIG, json.dumps(config, ensure_ascii=False, indent=2) + "\n")


def read_config(folder: Path) -> dict[str, Any]:
    """What the model in `folder` is."""
    path = folder / CONFIG
    if not path.exists():
        raise FileNotFoundError(f"{folder}: there is no {CONFIG}; is this a model's folder?")
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        return {"system": config["system"], "words": config["words"], "model": config["model"]}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: damaged ({error}); copy the folder again") from None


def load_model(model: nn.Module, folder: Path) -> None:
    """Put the weights of `folder` into a model of the same settings."""
    read_config(folder)
    load_weights(model, folder / "model.safetensors")
