"""`Encoded`: what an encoder hands to a decoder, which does not know whether it was text or a picture."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class Encoded(NamedTuple):
    """A state for every place of the source, and one summary of the whole."""

    states: Tensor  # (B, S, K)
    mask: Tensor  # (B, S), True = a place of the source, not padding
    summary: Tensor  # (B, D)
    grid: tuple[int, int] | None = None  # rows and columns, where the places are regions of a picture

    def keep(self, sentences: Tensor) -> Encoded:
        """Only these sentences, by number `(B',)` or by a boolean for each `(B,)`."""
        return Encoded(self.states[sentences], self.mask[sentences], self.summary[sentences], self.grid)
