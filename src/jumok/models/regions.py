"""From an image encoder's maps to the regions that a decoder looks at."""

from __future__ import annotations

from typing import Any

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn

from jumok.core.settings import Settings
from jumok.models.dropping import dropped, random_mask
from jumok.models.encoded import Encoded
from jumok.models.pictures import PictureEncoder, PictureEncoderSettings
from jumok.models.settings import ModelSettings

_MAPPED = 128
"""Numbers for each region where the mean of them is all that a decoder gets."""


class RegionSettings(Settings):
    """How the maps of an image encoder become regions to look at."""

    size: int | None = Field(default=None, ge=1)
    """Numbers for each region, by a learned linear map, and normalised; null: the encoder's own, as they are, or 128
    where their mean, as the first state, is all that a decoder gets."""
    places: bool = True
    """Whether each region is told its row and its column, by vectors that are learned and added: a map alone hardly
    knows what is left and what is right."""


class PictureModelSettings(ModelSettings):
    """An encoder-decoder that reads a picture. `preset` gives the values of a known decoder, as for text."""

    encoder: PictureEncoderSettings = PictureEncoderSettings()  # type: ignore[assignment]
    """What reads the picture."""
    regions: RegionSettings = RegionSettings()
    """What the decoder gets of it."""

    @model_validator(mode="after")
    def _no_source_words(self) -> PictureModelSettings:
        if self.tie == "all":
            raise ValueError("tie: a picture has no words to share a table with; take tie: target")
        return self

    @property
    def encoded_size(self) -> int | None:
        """Numbers for each region, where they are known without the encoder."""
        return self.regions.size

    @classmethod
    def _preset(cls, name: str | None) -> dict[str, Any]:
        return {part: values for part, values in super()._preset(name).items() if part != "encoder"}


class RegionEncoder(nn.Module):
    """`z_ij = norm(W x_ij + b) + r_i + c_j`: the regions of a picture, with rows and columns; their mean sums it up.

    With the norm (Ba et al. 2016) looks learned a little sooner to choose between them. Where the mean is all that a
    decoder gets, as its first state, regions are always mapped, and it is normalised, too: a small CNN's own numbers
    grow until that state is +-1 whatever the picture, and nothing is learned of it any more.

    settings: see `PictureModelSettings`; its dropout leaves out the same numbers of all regions, and others for each
    caption. pictures: the image encoder; one with the weights that chance gives unless given.
    key_size: how many of the last numbers of a region it is found by, where the image encoder tells them apart and no
    linear map mixes them; None: all of them.
    """

    is_table = True  # what it has itself: a vector for each row and each column

    def __init__(self, settings: PictureModelSettings, pictures: PictureEncoder | None = None) -> None:
        super().__init__()
        self.pictures = pictures or PictureEncoder(settings.encoder)
        self.dropout = settings.dropout
        decoder, regions = settings.decoder, settings.regions
        self.first_alone = decoder.kind == "recurrent" and decoder.attention is None and decoder.summary == "first"
        size = regions.size or (_MAPPED if self.first_alone else None)
        self.size = self.summary_size = size or self.pictures.size
        self.key_size = None if size else self.pictures.network.key_size
        self.project = None if size is None else nn.Linear(self.pictures.size, size)
        self.rows = self.columns = None
        if regions.places:
            height, width = self.pictures.grid
            self.rows, self.columns = (nn.Parameter(0.1 * torch.randn(count, self.size)) for count in (height, width))

    def forward(self, inputs: Tensor, captions: Tensor | None = None) -> Encoded:
        """Encode what the image encoder takes: cached maps `(P, places, size)` or prepared pictures `(P, 3, H, W)`.

        captions `(B,)`: which picture each caption is of, for a row a caption; None for a row a picture.
        """
        encoded: Encoded = self.pictures(inputs)
        states = encoded.states
        if self.project is not None:
            states = nn.functional.layer_norm(self.project(states), (self.size,))  # (B, h * w, K)
        if self.rows is not None and self.columns is not None:
            states = states + (self.rows[:, None] + self.columns).flatten(0, 1)
        mask = encoded.mask
        if captions is not None:
            states, mask = states[captions], mask[captions]
        share = self.dropout if self.training else 0.0
        states = dropped(states, random_mask(share, states, states.shape[0], 1, self.size))
        summary = states.mean(1)
        if self.first_alone:
            summary = nn.functional.layer_norm(summary, (self.size,))
        return Encoded(states, mask, summary, encoded.grid, self.key_size)
