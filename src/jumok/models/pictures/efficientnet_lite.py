"""EfficientNet-Lite 0, 1 and 2: EfficientNet (Tan and Le 2019) without squeeze-and-excitation, with ReLU6."""

from __future__ import annotations

import math
from typing import NamedTuple

from torch import Tensor, nn

from jumok.models.pictures.convolutions import SameConvolution
from jumok.models.pictures.network import Network


class Lite(NamedTuple):
    """How a network differs from the first: wider, deeper, and made for larger pictures."""

    width: float
    depth: float
    size: int


LITES = {
    "efficientnet-lite0": Lite(1.0, 1.0, 224),
    "efficientnet-lite1": Lite(1.0, 1.1, 240),
    "efficientnet-lite2": Lite(1.1, 1.2, 260),
}
"""The networks by name."""

_STEM, _HEAD = 32, 1280


class _Stage(NamedTuple):
    repeats: int
    kernel: int
    stride: int
    widening: int
    channels: int


_STAGES = (
    _Stage(1, 3, 1, 1, 16),
    _Stage(2, 3, 2, 6, 24),
    _Stage(2, 5, 2, 6, 40),
    _Stage(3, 3, 2, 6, 80),
    _Stage(3, 5, 1, 6, 112),
    _Stage(4, 5, 2, 6, 192),
    _Stage(1, 3, 1, 6, 320),
)


class InvertedResidual(nn.Module):
    """Widen, look around in every channel by itself, narrow; what came in is added where it fits (Sandler et al. 2018).

    Batch normalisation has no module here: it is folded into the convolutions (see `lite_weights`).
    """

    def __init__(self, inputs: int, stage: _Stage, channels: int, stride: int, dilation: int) -> None:
        super().__init__()
        wide = inputs * stage.widening
        self.expand = SameConvolution(inputs, wide, 1, capped=True) if stage.widening > 1 else None
        self.depthwise = SameConvolution(wide, wide, stage.kernel, stride, dilation, groups=wide, capped=True)
        self.project = SameConvolution(wide, channels, 1)
        self.added = inputs == channels and stage.stride == 1

    def forward(self, maps: Tensor) -> Tensor:
        """Maps `(B, inputs, H, W)` to `(B, channels, H / stride, W / stride)`."""
        found: Tensor = self.project(self.depthwise(maps if self.expand is None else self.expand(maps)))
        return maps + found if self.added else found


def efficientnet_lite(name: str, stride: int = 32) -> Network:
    """The network `name`, without its classifier; its blocks are `stem`, `block1` ... and `head`.

    With a stride of 16 the last halving is left out, and what comes after it looks twice as far (Yu and Koltun 2016).
    The same weights then give four times the regions, and every second one, both ways, is one of stride 32.
    """
    lite = LITES[name]
    blocks: dict[str, nn.Module] = {"stem": SameConvolution(3, _STEM, 3, 2, capped=True)}
    inputs, reached, dilation = _STEM, 2, 1
    for number, stage in enumerate(_STAGES):
        channels = _rounded(stage.channels * lite.width)
        fixed = number in (0, len(_STAGES) - 1)
        for repeat in range(stage.repeats if fixed else math.ceil(stage.repeats * lite.depth)):
            step, look = (stage.stride, dilation) if repeat == 0 else (1, dilation)
            if step > 1 and reached * step > stride:
                dilation *= step
                step = 1
            reached *= step
            again = stage if repeat == 0 else stage._replace(stride=1)
            blocks[f"block{len(blocks)}"] = InvertedResidual(inputs, again, channels, step, look)
            inputs = channels
    blocks["head"] = SameConvolution(inputs, _HEAD, 1, capped=True)
    return Network(blocks, _HEAD, lite.size)


def _rounded(channels: float) -> int:
    """The nearest multiple of 8, but not less than nine tenths of what was asked for."""
    near = max(8, int(channels + 4) // 8 * 8)
    return near + 8 if near < 0.9 * channels else near
