"""The small CNN of our own, for the practice pictures: it learns from nothing."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from jumok.models.pictures.network import Network

_CHANNELS = (24, 48, 96, 160, 256)
_ADDING = 3
_WAVES = (0.5, 1.0, 2.0)


def small_cnn(stride: int = 8) -> Network:
    """Layers that halve the picture until a region is `stride` pixels wide; then three that add to the regions.

    The three know where in the picture they are, so that even the mean of all regions tells what is where.
    Nothing is normalised: over a batch, a picture would depend on its company; within a picture, the colour of a thing
    on that of what is behind it. So few layers learn without, if those that add begin small.
    """
    layers: list[nn.Module] = []
    channels = 3
    for wider in _CHANNELS[: stride.bit_length() - 1]:
        layers.append(_layer(channels, wider, 4, 2))
        channels = wider
    layers += [_Places(channels), *(_Adding(channels) for _ in range(_ADDING))]
    blocks = {"regions": _Regions(nn.Sequential(*layers), channels, stride)}
    return Network(blocks, 2 * channels, size=96, key_size=channels)


class _Regions(nn.Module):
    """What each region is among its neighbours, and behind it what it is found by, of the same size.

    A region is found by its own pixels, in the light of the whole picture. If all that is known of it were used, a
    thing would be told wherever there is room, mostly just below it, and looks would rest there; if what is around
    were, looks would spread over all of that.
    """

    def __init__(self, layers: nn.Module, channels: int, stride: int) -> None:
        super().__init__()
        self.layers = layers
        self.alone = _layer(3, channels, stride, stride)
        self.own, self.whole = (nn.Conv2d(channels, channels, 1) for _ in range(2))
        for layer in (self.own, self.whole):
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")

    def forward(self, pictures: Tensor) -> Tensor:
        states: Tensor = self.layers(pictures)
        whole = self.whole(states.mean((2, 3), keepdim=True))
        keys = (self.own(self.alone(pictures)) + whole).relu()
        return torch.cat([states, keys], dim=1)


class _Places(nn.Module):
    """Adds what the row and the column tell, by waves of three lengths (after Liu et al. 2018)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layer = nn.Conv2d(4 * len(_WAVES), channels, 1, bias=False)
        nn.init.normal_(self.layer.weight, std=0.1)

    def forward(self, maps: Tensor) -> Tensor:
        height, width = maps.shape[-2:]
        rows, columns = (_waves(size).to(maps) for size in (height, width))
        rows, columns = rows[:, :, None].expand(-1, -1, width), columns[:, None].expand(-1, height, -1)
        told: Tensor = self.layer(torch.cat([rows, columns]).unsqueeze(0))
        return maps + told


def _waves(size: int) -> Tensor:
    """Sine and cosine of so many places, `(2 * waves, size)`; a length of 1 is half a turn from side to side."""
    turns = torch.tensor(_WAVES)[:, None] * torch.pi * (torch.arange(size) + 0.5) / size
    return torch.cat([turns.sin(), turns.cos()])


class _Adding(nn.Module):
    """A layer that adds to what it sees (He et al. 2016), at first a little."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layer = _layer(channels, channels, 3)
        with torch.no_grad():
            next(self.layer.parameters()).mul_(0.5)

    def forward(self, maps: Tensor) -> Tensor:
        added: Tensor = self.layer(maps)
        return maps + added


def _layer(inputs: int, channels: int, kernel: int, stride: int = 1) -> nn.Sequential:
    """A convolution that sees as much to the left as to the right, `kernel - stride` pixels beyond its own in all."""
    convolution = nn.Conv2d(inputs, channels, kernel, stride, padding=(kernel - stride) // 2)
    nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu")
    assert convolution.bias is not None
    nn.init.zeros_(convolution.bias)
    return nn.Sequential(convolution, nn.ReLU())
