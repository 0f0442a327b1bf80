"""Whether a picture is like those that a captioner learned from.

A model says something of every picture, even of a photograph when it knows only drawings. So what its encoder makes of
a picture, and the picture's colours, are held against those of training pictures: how far is the nearest one? Training
pictures that were kept apart say how far is usual.
"""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from jumok.data.pictures import open_picture_split
from jumok.models import RegionEncoder
from jumok.recipes.running import KEPT, kept_recipe
from jumok.studio.shelf import Held
from jumok.systems import Captioner
from jumok.systems.seeing import seen_as

BANK, APART = 96, 32
"""Training pictures that are compared with, and those that say how far is usual."""
MOST, ROOM = 0.95, 1.3
"""A picture may be so many times farther away than that share of those."""
SMALL = 16
"""Pixels of the thumbnail whose colours are compared."""


class Measure(NamedTuple):
    """What training pictures look like to a model."""

    bank: Tensor  # (BANK, D)
    middle: Tensor  # (D,)
    spread: Tensor  # (D,)
    usual: float

    def distance(self, looks: Tensor) -> Tensor:
        """How far each `(B, D)` is from its nearest."""
        found: Tensor = torch.cdist((looks - self.middle) / self.spread, self.bank).amin(-1)
        return found / math.sqrt(self.bank.shape[-1])


class Likeness:
    """Measures of captioners, each made when it is asked for first."""

    def __init__(self) -> None:
        self._known: dict[str, Measure | None] = {}
        self._making = threading.Lock()

    def of(self, held: Held, picture: bytes) -> dict[str, Any]:
        """Whether a picture is unlike the training's; `unlike` is None where the training pictures are not there."""
        look = _looks(held.model, [seen_as(picture).image])
        with self._making:
            if held.name not in self._known:
                self._known[held.name] = _measured(held)
        measure = self._known[held.name]
        if measure is None:
            return {"model": held.name, "unlike": None, "distance": None, "usual": None}
        distance = float(measure.distance(look))
        return {"model": held.name, "unlike": distance > measure.usual, "distance": distance, "usual": measure.usual}


def _measured(held: Held) -> Measure | None:
    if held.folder is None or not (held.folder / KEPT).exists():
        return None
    try:
        corpus = open_picture_split("train", kept_recipe(held.folder).data, Path())
        step = max(1, len(corpus) // (BANK + APART))
        entries = [corpus[place] for place in range(0, len(corpus), step)][: BANK + APART]
        images = [seen_as(entry.picture).image for entry in entries]
    except (ValueError, OSError):  # the data stayed on the machine where it learned
        return None
    if len(images) < 8:
        return None
    looks = torch.cat([_looks(held.model, images[start : start + 32]) for start in range(0, len(images), 32)])
    apart = max(1, len(looks) // 4)
    bank = looks[apart:]
    spread = bank.std(0).clamp_min(1e-3 + 0.05 * float(bank.std(0).mean()))
    measure = Measure((bank - bank.mean(0)) / spread, bank.mean(0), spread, 0.0)
    return measure._replace(usual=ROOM * float(measure.distance(looks[:apart]).quantile(MOST)))


def _looks(captioner: Captioner, images: list[Image.Image]) -> Tensor:
    """What the encoder makes of pictures, and their colours: `(B, D)`."""
    encoder = captioner.machine.models[0].encoder
    assert isinstance(encoder, RegionEncoder)
    inputs = torch.stack([encoder.pictures.prepare(image) for image in images])
    states = captioner.encode_inputs([inputs])[0].states.float()  # (B, S, D)
    small = np.stack([np.asarray(image.convert("RGB").resize((SMALL, SMALL)), np.float32) / 255 for image in images])
    pixels = torch.from_numpy(small).flatten(1, 2)  # (B, pixels, 3)
    across = torch.from_numpy(np.abs(np.diff(small, axis=2)).mean((1, 2)))  # (B, 3), how much neighbours differ
    return torch.cat([states.mean(1).cpu(), states.std(1).cpu(), pixels.mean(1), pixels.std(1), across], dim=-1)
