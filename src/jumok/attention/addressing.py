"""Content and location addressing together."""

from __future__ import annotations

from jumok.attention.attention import Attention
from jumok.attention.scores import Content
from jumok.attention.windows import Shift


class Addressing(Attention):
    """How a Neural Turing Machine's head finds its place (Graves et al. 2014, section 3.3): by content
    (`softmax(beta cos)`), then interpolated with the last weights, shifted and sharpened.

    The controller's state is the query, the rows of the memory are the keys and the values. The memory changes
    between steps, so each is prepared anew: `head.step(state, head.prepare(rows), addressed)`.
    """

    def __init__(self, query_size: int, key_size: int, reach: int = 1) -> None:
        super().__init__(Content(query_size, key_size), window=Shift(query_size, reach))
