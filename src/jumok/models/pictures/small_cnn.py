"""The small CNN of our own, for the practice pictures: it learns from nothing."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from jumok.models.pictures.convolutions import SameConvolution
from jumok.models.pictures.network import Network

_CHANNELS = (48, 96, 160, 256)
_ADDING = 3


def small_cnn(stride: int = 8) -> Network:
    """A map of a quarter of the width, halved until a region is `stride` pixels wide; then three layers that add to it.

    Nothing is normalised: over a batch, a picture would depend on its company; within a picture, the colour of a thing
    on that of what is behind it. So few layers learn without, if those that add begin small.
    """
    first, *others = _CHANNELS[: stride.bit_length() - 2]
    blocks: dict[str, nn.Module] = {"quarter": _layer(3, first, 6, 4)}
    inputs = first
    for number, channels in enumerate(others, start=1):
        blocks[f"half{number}"] = _layer(inputs, channels, 3, 2)
        inputs = channels
    for number in range(1, _ADDING + 1):
        blocks[f"adding{number}"] = _Adding(inputs)
    return Network(blocks, inputs, size=96)


class _Adding(nn.Module):
    """A layer that adds to what it sees (He et al. 2016), at first a little."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layer = _layer(channels, channels, 3, 1)
        with torch.no_grad():
            next(self.layer.parameters()).mul_(0.5)

    def forward(self, maps: Tensor) -> Tensor:
        added: Tensor = self.layer(maps)
        return maps + added


def _layer(inputs: int, channels: int, kernel: int, stride: int) -> nn.Sequential:
    convolution = SameConvolution(inputs, channels, kernel, stride)
    nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu")
    assert convolution.bias is not None
    nn.init.zeros_(convolution.bias)
    return nn.Sequential(convolution, nn.ReLU())
