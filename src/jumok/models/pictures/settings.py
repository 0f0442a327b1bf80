"""The settings of an image encoder."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, field_validator, model_validator

from jumok.core.names import unknown
from jumok.core.settings import Settings
from jumok.models.pictures.efficientnet_lite import LITES

_TIMM = re.compile(r"timm/[\w.\-]+")


class PictureEncoderSettings(Settings):
    """An image encoder: a network, what it sees, and how much of it learns."""

    kind: str = "efficientnet-lite0"
    """cnn (small, learns from nothing: for the practice pictures), efficientnet-lite0, 1 or 2 (learned on ImageNet; the
    extra `vision` has the weights), or timm/NAME (the extra `timm`; the texts take timm/vgg16 and timm/resnet50).
    Several of the lites joined by `+` see the picture side by side: each region then has the numbers of all of them."""
    size: int | None = Field(default=None, ge=32, le=1024)
    """Width and height in pixels of what the network sees; null: its own (cnn 96, lite 224, 240 and 260; of
    several, the largest)."""
    stride: Literal[8, 16, 32] = 16
    """Pixels from one region to the next; of 224 pixels, 16 makes 14 x 14 regions and 32 makes 7 x 7. Only the cnn can
    have 8."""
    patches: int | None = Field(default=None, ge=2, le=16)
    """Cut the picture into n x n parts, each of which goes through the network alone and is one region; null: the
    picture goes through as a whole, and the places of its last map are the regions."""
    trainable_from: int | str | None = None
    """The block from which on the network learns, by name or number; null: none of it (the cnn: all of it)."""
    learning_rate_factor: float = Field(default=0.1, gt=0, le=1)
    """The learning rate of what learns, as a share of the model's; a network that learns from nothing has the whole."""
    weights: str | None = None
    """A file of weights (.safetensors, .pth) to start from; null: those that belong to the kind."""

    @field_validator("kind")
    @classmethod
    def _kind(cls, kind: str) -> str:
        if kind == "cnn" or _TIMM.fullmatch(kind):
            return kind
        names = lites(kind)
        for name in names:
            if name not in LITES and len(names) > 1:
                raise ValueError(unknown("network to stand beside others", name, LITES))
            if name not in LITES:
                raise ValueError(unknown("image encoder", name, ["cnn", *LITES, "timm/NAME"]))
        if len(set(names)) < len(names):
            raise ValueError(f"{kind}: names a network twice, which would see the same")
        return kind

    @model_validator(mode="after")
    def _fits(self) -> PictureEncoderSettings:
        if self.kind != "cnn" and self.stride == 8:
            raise ValueError("stride: only the cnn can have 8; take 16 or 32")
        if self.kind == "cnn" and self.trainable_from not in (None, 0):
            raise ValueError("trainable_from: the cnn learns from its first block on; leave it out")
        if self.kind == "cnn" and self.weights is not None:
            raise ValueError("weights: the cnn has none to start from; leave it out")
        if len(lites(self.kind)) > 1 and self.weights is not None:
            raise ValueError("weights: are a file of one network, and kind names several; leave it out")
        return self


def lites(kind: str) -> list[str]:
    """The networks that a kind of several names."""
    return kind.split("+")
