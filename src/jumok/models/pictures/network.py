"""What an image encoder is made of: blocks with names, one after the other, from pixels to a map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torch import Tensor, nn


class Network(nn.Module):
    """Blocks in a row; a picture `(B, 3, H, W)` goes through all of them.

    channels: numbers for each region of the last map. size: its own pixels. mean, std: its own preprocessing,
    `(x - mean) / std` of values from 0 to 255, for each colour.
    """

    def __init__(
        self,
        blocks: Mapping[str, nn.Module],
        channels: int,
        size: int,
        mean: Sequence[float] = (127.5, 127.5, 127.5),
        std: Sequence[float] = (127.5, 127.5, 127.5),
    ) -> None:
        super().__init__()
        self.names = tuple(blocks)
        self.blocks = nn.ModuleList(blocks.values())
        self.channels, self.size, self.mean, self.std = channels, size, tuple(mean), tuple(std)

    def run(self, maps: Tensor, start: int, end: int) -> Tensor:
        """Maps through the blocks `start` up to, not including, `end`."""
        for block in self.blocks[start:end]:
            maps = block(maps)
        return maps

    def forward(self, pictures: Tensor) -> Tensor:
        """The last map."""
        return self.run(pictures, 0, len(self.blocks))
