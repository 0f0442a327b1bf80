"""How words are searched for."""

from __future__ import annotations

from typing import TypeVar

from pydantic import Field, model_validator
from torch import Tensor

from jumok.core.settings import Settings

Length = TypeVar("Length", Tensor, float)


class DrawSettings(Settings):
    """Words are drawn by their probability, not searched for."""

    temperature: float = Field(default=1.0, gt=0)
    """Below 1 the likely words come more often, above 1 less."""
    top_k: int | None = Field(default=None, ge=1)
    """Draw from so many of the likeliest words only."""
    top_p: float = Field(default=1.0, gt=0, le=1)
    """Draw from the fewest words that have this share of the probability together (Holtzman et al. 2020)."""
    seed: int = 0
    """What is drawn follows from it and the sentence's number, whatever else is in the batch."""


class SearchSettings(Settings):
    """How words are searched for: a beam, greedily (`beam: 1`), or by drawing."""

    beam: int = Field(default=5, ge=1)
    """How many hypotheses of a sentence are followed at once; 1 is greedy."""
    n_best: int = Field(default=1, ge=1)
    """How many to return, the best first; at most `beam`, unless they are drawn."""
    length_penalty: float = Field(default=1.0, ge=0)
    """Hypotheses are ranked by `score / ((5 + length) / 6) ** length_penalty` (Wu et al. 2016, eq. 14); 0: by score."""
    coverage_penalty: float = Field(default=0.0, ge=0)
    """Times the sum over the source of `log(min(all weights on a place, 1))`, added to the rank (the same)."""
    block_ngrams: int = Field(default=0, ge=0)
    """No sequence of so many tokens comes twice; 0: anything may."""
    min_length: int = Field(default=0, ge=0)
    """No end before so many tokens."""
    max_length: int | None = Field(default=None, ge=1)
    """The end after so many tokens, come what may; by default twice those of the source and ten."""
    draw: DrawSettings | None = None
    """Draw `n_best` hypotheses instead of searching, each for itself: what is likely may come more than once."""

    @model_validator(mode="after")
    def _fits(self) -> SearchSettings:
        if self.draw is None and self.n_best > self.beam:
            raise ValueError(f"n_best: {self.n_best} hypotheses cannot come from a beam of {self.beam}; raise beam")
        if self.max_length is not None and self.min_length > self.max_length:
            raise ValueError(f"min_length: {self.min_length} is more than max_length {self.max_length}")
        return self

    @property
    def width(self) -> int:
        """How many hypotheses of a sentence are followed at once."""
        return self.n_best if self.draw else self.beam

    def limits(self, lengths: Tensor) -> Tensor:
        """How long the target of each source `(B,)` may become."""
        if self.max_length is not None:
            return lengths.new_full(lengths.shape, self.max_length)
        return (2 * lengths + 10).clamp_min(self.min_length)

    def divisor(self, length: Length) -> Length:
        """What the score of a hypothesis of this length is divided by."""
        divisor: Length = ((length + 5) / 6) ** self.length_penalty
        return divisor
