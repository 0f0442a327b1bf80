"""The image encoder: from a picture to a state for every region of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from jumok.core.memory import keep_freed_memory
from jumok.core.names import unknown
from jumok.data.pictures import FeatureMaps, PictureCorpus, View, cached_features
from jumok.models.encoded import Encoded
from jumok.models.pictures.efficientnet_lite import LITES, efficientnet_lite
from jumok.models.pictures.lite_weights import folded, packaged_weights, read_weights
from jumok.models.pictures.network import Network, side_by_side
from jumok.models.pictures.settings import PictureEncoderSettings, lites
from jumok.models.pictures.small_cnn import small_cnn
from jumok.models.pictures.timm_network import load_timm_weights, timm_network

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

_AT_ONCE = 4  # pictures; more of them no longer fit into a processor's own memory
_HELD_MEMORY = 1 << 28  # bytes; else the system clears the same pages for every few pictures, a fifth of the time
_LARGEST = float(torch.finfo(torch.float16).max)


class PictureEncoder(nn.Module):
    """A network cut in two: the part that is frozen, whose maps can be cached, and the part that learns.

    Built from settings it has the weights that chance gave it; `pretrained` gives it those of its kind, and a model's
    folder holds all of them, so that loading it needs no package of weights (but timm where it is of timm).
    size: numbers for each region. summary_size: of the summary, the mean of the regions. grid: rows and columns.
    pixels: width and height of a prepared picture. map_shape: places and size of a map to be cached.
    """

    mean: Tensor
    std: Tensor

    def __init__(self, settings: PictureEncoderSettings, network: Network | None = None) -> None:
        super().__init__()
        self.settings = settings
        self.network = network or _network(settings, pretrained=False)
        self.cut = _cut(settings, self.network.names)
        self.patches = settings.patches or 1
        self.pixels = (settings.size or self.network.size) * self.patches
        self.size = self.summary_size = self.network.channels
        self.learning_rate_factor = 1.0 if settings.kind == "cnn" else settings.learning_rate_factor
        self.register_buffer("mean", torch.tensor(self.network.mean).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(self.network.std).view(3, 1, 1))
        for block in self.network.blocks[: self.cut]:
            block.requires_grad_(False)
        self.train()
        self._shape = self._measured()
        self.grid = self._grid()

    @classmethod
    def pretrained(cls, settings: PictureEncoderSettings, root: Path | None = None) -> PictureEncoder:
        """The encoder with the weights of its kind, or of the file that the settings name (from the folder `root`)."""
        path = (root or Path()) / Path(settings.weights).expanduser() if settings.weights else None
        if _is_lite(settings):
            networks = _lites(settings)
            for name, lite in zip(lites(settings.kind), networks, strict=True):
                _load_lite(lite, path or packaged_weights(name))
            return cls(settings, side_by_side(networks))
        network = _network(settings, pretrained=path is None)
        if path is not None:
            load_timm_weights(network, read_weights(path), path)
        return cls(settings, network)

    @property
    def frozen_whole(self) -> bool:
        """Whether nothing of it learns."""
        return self.cut == len(self.network.names)

    @property
    def map_shape(self) -> tuple[int, int]:
        """Places and size of a map as it is cached."""
        channels, rows, columns = self._shape
        return rows * columns, channels

    @property
    def map_type(self) -> str:
        """The kind of numbers of a map as it is cached: bytes, where nothing is frozen and it is the picture."""
        return "float16" if self.cut else "uint8"

    def train(self, mode: bool = True) -> PictureEncoder:
        """Set the part that learns to training; normalisation by batches keeps its statistics, frozen or not."""
        super().train(mode)
        for number, block in enumerate(self.network.blocks):
            for module in block.modules():
                if number < self.cut or isinstance(module, nn.modules.batchnorm._BatchNorm):
                    module.training = False
        return self

    def seen(self, size: tuple[int, int]) -> tuple[float, float, float, float]:
        """The part of a picture of so many pixels that the regions cover: left, top, right and bottom, in pixels."""
        width, height = size
        side = min(size)
        return (width - side) / 2, (height - side) / 2, (width + side) / 2, (height + side) / 2

    def prepare(self, image: Image) -> Tensor:
        """The middle square of a picture in RGB, `(3, pixels, pixels)`, values from 0 to 255."""
        from PIL.Image import Resampling

        if image.size == (self.pixels, self.pixels):
            middle = image
        else:
            middle = image.resize((self.pixels, self.pixels), Resampling.BICUBIC, box=self.seen(image.size))
        return torch.from_numpy(np.array(middle)).permute(2, 0, 1)

    @torch.no_grad()
    def frozen(self, pictures: Tensor) -> Tensor:
        """Prepared pictures `(B, 3, H, W)` through the part that is frozen, `(B, K, h, w)` in half precision.

        So maps that come from the cache and maps that do not are equal. Where nothing is frozen, the pictures.
        """
        if not self.cut:
            return pictures
        with torch.autocast(pictures.device.type, enabled=False):
            found = [self._run(self._scaled(some), 0, self.cut) for some in pictures.split(_AT_ONCE)]
            return torch.cat([maps.clamp(-_LARGEST, _LARGEST).half() for maps in found])

    def maps(self, prepared: Sequence[Tensor]) -> npt.NDArray[Any]:
        """What the cache holds of prepared pictures, `(B, places, size)`."""
        found = self.frozen(torch.stack(list(prepared)).to(self.mean.device))
        return found.flatten(2).transpose(1, 2).contiguous().cpu().numpy()

    def cached(
        self,
        corpus: PictureCorpus,
        folder: Path,
        progress: Callable[[int], None] | None = None,
        view: View | None = None,
    ) -> FeatureMaps:
        """The maps of a corpus, kept in the cache `folder`; see `jumok.data.pictures.cached_features`."""
        if self.mean.device.type == "cpu":
            keep_freed_memory(_HELD_MEMORY)
        shape, dtype = self.map_shape, self.map_type
        return cached_features(
            corpus, self.prepare, self.maps, self.fingerprint(), shape, folder, progress, dtype, view
        )

    def forward(self, inputs: Tensor) -> Encoded:
        """Encode cached maps `(B, places, size)`, or prepared pictures `(B, 3, H, W)`: a state for every region."""
        maps = self.frozen(inputs) if inputs.ndim == 4 else inputs.transpose(1, 2).unflatten(2, self._shape[1:])
        if self.cut < len(self.network.names):
            maps = self._run(maps.float() if self.cut else self._scaled(maps), self.cut, len(self.network.names))
        states = maps.float().flatten(2).transpose(1, 2)  # (B, h * w, K)
        mask = torch.ones(states.shape[:2], dtype=torch.bool, device=states.device)
        return Encoded(states, mask, states.mean(1), self.grid)

    def fingerprint(self) -> str:
        """A hash of all that decides the cached maps: the settings, and the weights that are frozen."""
        settings = self.settings.model_dump(include={"kind", "stride", "patches"})
        told = [settings, self.cut, self.pixels, self.network.mean, self.network.std]
        digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode())
        for name, tensor in self.network.blocks[: self.cut].state_dict().items():
            digest.update(name.encode())
            digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
        return digest.hexdigest()

    def _scaled(self, pictures: Tensor) -> Tensor:
        scaled: Tensor = (pictures.float() - self.mean) / self.std
        return scaled.contiguous(memory_format=torch.channels_last)

    def _run(self, maps: Tensor, start: int, end: int) -> Tensor:
        """Maps through some blocks; where the picture is cut into parts, each part by itself."""
        n = self.patches
        if n > 1:
            maps = maps.unflatten(3, (n, -1)).unflatten(2, (n, -1))  # (B, K, n, h, n, w)
            maps = maps.permute(0, 2, 4, 1, 3, 5).flatten(0, 2)  # (B * n * n, K, h, w)
        maps = self.network.run(maps, start, end)
        if n > 1:
            if end == len(self.network.names):
                maps = maps.mean((2, 3), keepdim=True)
            maps = maps.unflatten(0, (-1, n, n)).permute(0, 3, 1, 4, 2, 5)  # (B, K, n, h, n, w)
            maps = maps.flatten(4, 5).flatten(2, 3)
        return maps

    @torch.no_grad()
    def _measured(self) -> tuple[int, int, int]:
        """The shape of the maps of the frozen part."""
        shape = self.frozen(torch.zeros(1, 3, self.pixels, self.pixels, dtype=torch.uint8)).shape
        return shape[1], shape[2], shape[3]

    @torch.no_grad()
    def _grid(self) -> tuple[int, int]:
        if self.frozen_whole:
            return self._shape[1:]
        maps = torch.zeros(1, *self._shape)
        shape = self._run(maps, self.cut, len(self.network.names)).shape
        return shape[2], shape[3]


def _network(settings: PictureEncoderSettings, pretrained: bool) -> Network:
    if settings.kind == "cnn":
        return small_cnn(settings.stride)
    if _is_lite(settings):
        return side_by_side(_lites(settings))
    return timm_network(settings.kind.removeprefix("timm/"), settings.stride, settings.size, pretrained)


def _is_lite(settings: PictureEncoderSettings) -> bool:
    return lites(settings.kind)[0] in LITES


def _lites(settings: PictureEncoderSettings) -> list[Network]:
    return [efficientnet_lite(name, settings.stride) for name in lites(settings.kind)]


def _cut(settings: PictureEncoderSettings, names: tuple[str, ...]) -> int:
    """The number of the first block that learns."""
    if settings.kind == "cnn":
        return 0
    start = settings.trainable_from
    if start is None:
        return len(names)
    if isinstance(start, str):
        if start not in names:
            raise ValueError(f"model.encoder.trainable_from: {unknown('block', start, names)}")
        return names.index(start)
    if not 0 <= start < len(names):
        raise ValueError(f"model.encoder.trainable_from: {start}; its blocks have the numbers 0 to {len(names) - 1}")
    return start


def _load_lite(network: Network, path: Path) -> None:
    weights = read_weights(path)
    try:
        network.load_state_dict(folded(weights, network.names))
    except (KeyError, RuntimeError):
        raise ValueError(f"{path}: these are not the weights of this network of EfficientNet-Lite") from None
