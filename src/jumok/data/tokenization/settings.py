"""The settings of a tokenizer."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from jumok.core.settings import Settings

Kind = Literal["bpe", "unigram", "word", "character"]


class TokenizerSettings(Settings):
    """How text becomes tokens."""

    kind: Kind = "bpe"
    """`bpe` and `unigram` cut rare words into pieces; `word` takes words and punctuation marks whole."""

    size: int = Field(default=8000, ge=16, le=1_000_000)
    """Number of tokens, the four special ones included; for `word` and `character` an upper limit."""

    joint: bool = True
    """Whether both languages share one tokenizer (good where they share words) or each has its own of this size."""

    dropout: float = Field(default=0.0, ge=0.0, lt=1.0)
    """BPE dropout (Provilkov et al. 2020): the chance that a merge is left out, so that words are cut in many ways."""

    @model_validator(mode="after")
    def _dropout_needs_merges(self) -> TokenizerSettings:
        if self.dropout and self.kind != "bpe":
            raise ValueError(f"dropout needs kind: bpe; leave it out for kind: {self.kind}")
        return self
