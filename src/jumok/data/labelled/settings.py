"""What a recipe says about its labelled texts."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal, Union

from pydantic import Field, Tag, model_validator

from jumok.core.settings import Settings
from jumok.data.corpora.settings import Column, FileName
from jumok.data.corpora.splits import HeldOut, SplitData, told_by
from jumok.data.korean.sampling import LONGEST, SHORTEST
from jumok.data.tokenization.settings import Kind, TokenizerSettings


class TextFile(Settings):
    """One file with a text and its label a row: `.tsv` and `.txt` (tabs), `.csv`, `.jsonl`, each also as `.gz`."""

    file: FileName
    """The file; its name's ending says what it is."""

    text: Column = "text"
    """The column of the text. By name, the first row of a TSV or CSV file holds the names; by number (from 0) every row
    is a text. In JSONL, `review.body` is the field `body` within `review`."""

    label: Column = "label"
    """The column of the label, or of the number, told in the same way."""


class PracticeTexts(Settings):
    """Sentences of the Korean practice language, labelled past, present or future. No download."""

    practice: Literal["tense"]
    """What to tell of a sentence: when what it says happens."""

    texts: int = Field(ge=1)
    """How many sentences."""

    min_words: int = Field(default=SHORTEST, ge=SHORTEST, le=LONGEST)
    """The fewest words of a sentence, as its English translation has them."""

    max_words: int = Field(default=14, ge=SHORTEST, le=LONGEST)
    """The most."""

    seed: int = 0
    """Another seed gives other sentences."""

    @model_validator(mode="after")
    def _lengths(self) -> PracticeTexts:
        if self.min_words > self.max_words:
            raise ValueError(f"min_words: {self.min_words} is more than max_words, {self.max_words}")
        return self


_KEYS: dict[str, type[Settings]] = {"practice": PracticeTexts, "file": TextFile, "share": HeldOut}
_EXPECTED = "a file's name, {file: FILE, text: COLUMN, label: COLUMN}"

TextSettings = Annotated[
    Union[  # noqa: UP007 (a type alias that Python 3.10 can build from Annotated parts)
        Annotated[TextFile, Tag("TextFile")],
        Annotated[PracticeTexts, Tag("PracticeTexts")],
    ],
    told_by(_KEYS, f"{_EXPECTED} or {{practice: tense, texts: NUMBER}}"),
]
"""Where labelled texts come from; which kind it is, the keys say."""

TextSplitSettings = Annotated[
    Union[  # noqa: UP007
        Annotated[TextFile, Tag("TextFile")],
        Annotated[PracticeTexts, Tag("PracticeTexts")],
        Annotated[HeldOut, Tag("HeldOut")],
    ],
    told_by(_KEYS, f"{_EXPECTED}, {{practice: tense, texts: NUMBER}} or {{share: 0.1}}, a share of train"),
]
"""The same, or a share of the texts to learn from."""


class LabelledData(SplitData):
    """The labelled texts of a recipe, and how they are read."""

    train: TextSettings
    """The texts to learn from. A bare name is a file with the columns `text` and `label`, in the current folder."""

    validation: TextSplitSettings = HeldOut(share=0.1)
    """The texts that tell how the training goes: other ones, or `{share: 0.1}` of `train`, left out there."""

    test: TextSplitSettings | None = None
    """The texts kept apart for scores after training, if any."""

    target: Literal["label", "number"] = "label"
    """What is told of a text: one of some labels, or a number."""

    max_length: int = Field(default=1000, ge=1)
    """The most tokens; longer texts are left out of training, counted and reported."""

    @model_validator(mode="before")
    @classmethod
    def _bare_names(cls, values: Any) -> Any:
        """A bare name becomes the settings of a file, in the current folder where no root is told."""
        if not isinstance(values, dict):
            return values
        splits = {name: values[name] for name in ("train", "validation", "test") if isinstance(values.get(name), str)}
        rooted = "root" in values
        return values | {name: {"file": file if rooted else os.path.abspath(file)} for name, file in splits.items()}

    @model_validator(mode="after")
    def _fits(self) -> LabelledData:
        if self.target == "number" and isinstance(self.train, PracticeTexts):
            raise ValueError("target: the practice sentences have labels, not numbers; leave it out")
        return self


class PieceSettings(Settings):
    """How text becomes tokens."""

    kind: Kind = "word"
    """`word` takes words and punctuation marks whole; `bpe` and `unigram` cut rare words into pieces."""

    size: int = Field(default=8000, ge=16, le=1_000_000)
    """Number of tokens, the four special ones included, at most: a small text has fewer."""

    def settings(self) -> TokenizerSettings:
        """The same for the tokenizer."""
        return TokenizerSettings(kind=self.kind, size=self.size)
