"""What an image encoder is made of: blocks with names, one after the other, from pixels to a map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn


class Network(nn.Module):
    """Blocks in a row; a picture `(B, 3, H, W)` goes through all of them.

    channels: numbers for each region of the last map. size: its own pixels. mean, std: its own preprocessing,
    `(x - mean) / std` of values from 0 to 255, for each colour. key_size: how many of a region's last numbers are there
    for it to be found by; None: it is found by all of them.
    """

    def __init__(
        self,
        blocks: Mapping[str, nn.Module],
        channels: int,
        size: int,
        mean: Sequence[float] = (127.5, 127.5, 127.5),
        std: Sequence[float] = (127.5, 127.5, 127.5),
        key_size: int | None = None,
    ) -> None:
        super().__init__()
        self.names = tuple(blocks)
        self.blocks = nn.ModuleList(blocks.values())
        self.channels, self.size, self.mean, self.std = channels, size, tuple(mean), tuple(std)
        self.key_size = key_size

    def run(self, maps: Tensor, start: int, end: int) -> Tensor:
        """Maps through the blocks `start` up to, not including, `end`."""
        for block in self.blocks[start:end]:
            maps = block(maps)
        return maps

    def forward(self, pictures: Tensor) -> Tensor:
        """The last map."""
        return self.run(pictures, 0, len(self.blocks))


class SideBySide(nn.Module):
    """Networks that see the same picture; each region has the numbers of all of them, one after the other."""

    def __init__(self, networks: Sequence[Network]) -> None:
        super().__init__()
        self.networks = nn.ModuleList(networks)

    def forward(self, pictures: Tensor) -> Tensor:
        """Prepared pictures `(B, 3, H, W)` to the joined maps `(B, K, h, w)`."""
        return torch.cat([network(pictures) for network in self.networks], dim=1)


def side_by_side(networks: Sequence[Network]) -> Network:
    """Several networks of the same preprocessing as one, of a single block; its own pixels are those of the largest.

    One network alone stays as it is, with all its blocks.
    """
    if len(networks) == 1:
        return networks[0]
    channels, size = sum(network.channels for network in networks), max(network.size for network in networks)
    return Network({"together": SideBySide(networks)}, channels, size, networks[0].mean, networks[0].std)
