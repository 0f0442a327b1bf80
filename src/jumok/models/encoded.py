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
    key_size: int | None = None  # how many of a state's last numbers it is found by; None: all of them

    @property
    def keys(self) -> Tensor:
        """What places are found by, `(B, S, key_size)`; the states are what is then seen there."""
        return self.states if self.key_size is None else self.states[..., -self.key_size :]

    def keep(self, sentences: Tensor) -> Encoded:
        """Only these sentences, by number `(B',)` or by a boolean for each `(B,)`."""
        states, mask, summary = (rows[sentences] for rows in (self.states, self.mask, self.summary))
        return self._replace(states=states, mask=mask, summary=summary)
