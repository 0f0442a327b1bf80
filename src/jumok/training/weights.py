"""A model's weights in a file: safetensors, written whole, read with errors of one line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

NOTE = "jumok"


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """Parameters and buffers by name; what several names share (tied weights) stands under the first."""
    seen: set[tuple[int, torch.Size, tuple[int, ...]]] = set()
    weights: dict[str, Tensor] = {}
    for name, tensor in model.state_dict().items():
        place = (tensor.data_ptr(), tensor.shape, tensor.stride())
        if tensor.numel() and place in seen:
            continue
        seen.add(place)
        weights[name] = tensor.detach()
    return weights


def put_weights(model: nn.Module, weights: Mapping[str, Tensor], where: str) -> None:
    """Copy `weights` into the model; a name or shape that does not fit is a `ValueError` that names `where`."""
    wanted = weights_of(model)
    for name in wanted:
        if name not in weights:
            raise ValueError(f"{where}: has no weights {name!r}, which this model needs; was its recipe changed?")
    for name, tensor in weights.items():
        if name not in wanted:
            raise ValueError(f"{where}: has weights {name!r}, which this model does not; was its recipe changed?")
        if tensor.shape != wanted[name].shape:
            shapes = f"{tuple(tensor.shape)}, this model's are {tuple(wanted[name].shape)}"
            raise ValueError(f"{where}: weights {name!r} are {shapes}; was its recipe changed?")
    with torch.no_grad():
        for name, tensor in weights.items():
            wanted[name].copy_(tensor)


def save_tensors(tensors: Mapping[str, Tensor], path: Path, note: str) -> None:
    """Write tensors to `path` with a note in the header; no room on the disk is an `OSError`, as everywhere else."""
    ready = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    try:
        save_file(ready, path, {NOTE: note})  # one entry: their order is not fixed
    except SafetensorError as error:
        number = re.search(r"os error (\d+)", str(error))
        raise OSError(int(number[1]) if number else None, str(error), str(path)) from None


def load_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a file; a damaged one is a `ValueError`."""
    try:
        return load_file(path)
    except SafetensorError as error:
        raise ValueError(f"{path}: is damaged ({error})") from None


def note_of(path: Path) -> str | None:
    """The note in the header of a file; None where it is not there or damaged."""
    try:
        with safe_open(path, "pt") as file:
            return (file.metadata() or {}).get(NOTE)
    except (SafetensorError, OSError):
        return None


def load_part(part: nn.Module, path: Path, begins: str) -> None:
    """Read the weights of a part of a model, those whose names begin so."""
    weights = {
        name.removeprefix(begins): tensor for name, tensor in load_tensors(path).items() if name.startswith(begins)
    }
    put_weights(part, weights, str(path))


def load_weights(model: nn.Module, path: Path) -> None:
    """Read a model's weights from a file, onto the device where the model is."""
    put_weights(model, load_tensors(path), str(path))
