"""Model folders: what a model is (`config.json`), and its weights (`model.safetensors`). Nothing in them can run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch
from torch import nn

import jumok
from jumok.core.files import write_whole, written_beside
from jumok.training.weights import load_tensors, load_weights, put_weights, save_tensors, weights_of

Model = TypeVar("Model", bound=nn.Module)

CONFIG, WEIGHTS = "config.json", "model.safetensors"

FORMAT = 1
"""The form of a model folder; a change that older versions cannot read raises it."""


class Config(NamedTuple):
    """What a model folder says of its model."""

    system: str
    model: dict[str, Any]  # the settings of the network
    words: dict[str, int]  # sizes of the vocabularies, or whatever else the network's shapes follow from
    inputs: dict[str, Any]  # how inputs are read, such as lowercase


def write_config(folder: Path, config: Config) -> None:
    """Write down what the model in `folder` is."""
    values = {"format": FORMAT, "jumok": jumok.__version__, **config._asdict()}
    write_whole(folder / CONFIG, json.dumps(values, ensure_ascii=False, indent=2) + "\n")


def read_config(folder: Path) -> Config:
    """What the model in `folder` is."""
    path = folder / CONFIG
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: there is no such folder; give the folder of a trained model")
    if not path.is_file():
        raise FileNotFoundError(f"{folder}: there is no {CONFIG}; is this a model's folder?")
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        newer = values["format"] > FORMAT
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _damaged(path, repr(error)) from None
    if newer:
        raise ValueError(f"{path}: was written by jumok {values.get('jumok')}, newer than this one; update jumok")
    for name in Config._fields:
        kind = str if name == "system" else dict
        if not isinstance(values.get(name), kind):
            raise _damaged(path, f"{name} is {repr(values.get(name))[:60]}")
    return Config(*(values[name] for name in Config._fields))


def save_model(model: nn.Module, folder: Path) -> None:
    """Write the weights of a model into `folder`."""
    with written_beside(folder / WEIGHTS) as beside:
        save_tensors(weights_of(model), beside, "saved by save_pretrained")


def model_weights(folder: Path) -> Path:
    """The file with the weights of the model in `folder`."""
    path = folder / WEIGHTS
    if not path.is_file():
        raise FileNotFoundError(f"{folder}: there is no {path.name}; the training has not come to its first evaluation")
    return path


def has_weights_of(model: nn.Module, folder: Path) -> bool:
    """Whether the weights of a model are those in `folder`."""
    if not (folder / WEIGHTS).is_file():
        return False
    kept, own = load_tensors(folder / WEIGHTS), weights_of(model)
    return kept.keys() == own.keys() and all(torch.equal(kept[name], own[name].cpu()) for name in kept)


def built(folder: Path, make: Callable[[], Model]) -> Model:
    """The network that `make` makes, with the weights of `folder`.

    It is drawn up without memory first: settings of a size that the weights do not have would take all there is.
    """
    path = model_weights(folder)
    weights = load_tensors(path)
    try:
        with torch.device("meta"):
            size = sum(parameter.numel() for parameter in make().parameters())
        there = sum(tensor.numel() for tensor in weights.values())
        if size > 2 * there:
            raise ValueError(f"its network has {size:,} parameters, {path.name} {there:,}")
        model = make()
    except (ArithmeticError, MemoryError, RuntimeError, TypeError, ValueError) as error:
        raise _damaged(folder / CONFIG, " ".join(str(error).split()[:20])) from None
    put_weights(model, weights, str(path))
    return model


def load_model(model: nn.Module, folder: Path) -> None:
    """Put the weights of `folder` into a model of the same settings."""
    load_weights(model, model_weights(folder))


def _damaged(path: Path, what: str) -> ValueError:
    return ValueError(f"{path}: damaged ({what}); copy the folder again")
