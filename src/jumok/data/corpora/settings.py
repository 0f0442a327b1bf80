"""What a recipe says about its text: which corpora there are, and how they are read."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import BeforeValidator, Field, Tag, model_validator

from jumok.core.settings import Settings
from jumok.data.corpora.splits import HeldOut, SplitData, told_by
from jumok.data.korean.sampling import LONGEST, SHORTEST

FileName = Annotated[str, Field(min_length=1)]


def _column(value: Any) -> int | str:
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise ValueError("expected a column's name, or its number counted from 0")


Column = Annotated[int | str, BeforeValidator(_column)]


class PairFiles(Settings):
    """Two plain files with one sentence a line: line 7 of one is the translation of line 7 of the other."""

    source: FileName
    """The file of the language to translate from; `.gz` is read as well."""

    target: FileName
    """The file of the language to translate into, with as many lines."""


class TableFile(Settings):
    """One file with a pair a row: `.tsv` and `.txt` (tabs), `.csv`, `.jsonl`, each also as `.gz`, or `.parquet`."""

    file: FileName
    """The file; its name's ending says what it is."""

    source: Column
    """The column to translate from. By name, the first row of a TSV or CSV file holds the names; by number (from 0)
    every row is a pair. In JSONL and Parquet, `translation.en` is the field `en` within `translation`."""

    target: Column
    """The column to translate into, told in the same way."""


class HubData(Settings):
    """A data set of the Hugging Face Hub, downloaded once; needs `pip install "jumok[hub]"`."""

    hub: FileName
    """The data set, as `owner/name`."""

    split: FileName
    """Its split, such as `train`, or a part of one, such as `train[:10%]`."""

    source: Column
    """The column to translate from; `translation.en` is the field `en` within `translation`."""

    target: Column
    """The column to translate into."""

    name: str | None = None
    """Its configuration, where it has several."""

    revision: str | None = None
    """A branch, tag or commit; name a commit, and the data never change."""


class PracticeData(Settings):
    """The practice language: generated Korean-English pairs, the same on every machine. No download."""

    practice: Literal["korean"]
    """Which practice language."""

    pairs: int = Field(ge=1)
    """How many pairs."""

    min_words: int = Field(default=SHORTEST, ge=SHORTEST, le=LONGEST)
    """The fewest English words of a sentence."""

    max_words: int = Field(default=20, ge=SHORTEST, le=LONGEST)
    """The most English words of a sentence; all lengths between come about equally often."""

    seed: int = 0
    """Another seed gives other sentences."""

    held_out: bool = False
    """Whether to take the one sentence in fifty that is never trained on: true for validation and test."""

    @model_validator(mode="after")
    def _lengths(self) -> PracticeData:
        if self.min_words > self.max_words:
            raise ValueError(f"min_words: {self.min_words} is more than max_words, {self.max_words}")
        return self


_KEYS: dict[str, type[Settings]] = {
    "practice": PracticeData,
    "hub": HubData,
    "file": TableFile,
    "share": HeldOut,
    "source": PairFiles,
    "target": PairFiles,
}
_EXPECTED = "{source: FILE, target: FILE}, {file: FILE, source: COLUMN, target: COLUMN}, {hub: NAME, split: ...}"

CorpusSettings = Annotated[
    Union[  # noqa: UP007 (a type alias that Python 3.10 can build from Annotated parts)
        Annotated[PairFiles, Tag("PairFiles")],
        Annotated[TableFile, Tag("TableFile")],
        Annotated[HubData, Tag("HubData")],
        Annotated[PracticeData, Tag("PracticeData")],
    ],
    told_by(_KEYS, f"{_EXPECTED} or {{practice: korean, pairs: NUMBER}}"),
]
"""Where the pairs of a corpus come from; which kind it is, its keys say."""

SplitSettings = Annotated[
    Union[  # noqa: UP007
        Annotated[PairFiles, Tag("PairFiles")],
        Annotated[TableFile, Tag("TableFile")],
        Annotated[HubData, Tag("HubData")],
        Annotated[PracticeData, Tag("PracticeData")],
        Annotated[HeldOut, Tag("HeldOut")],
    ],
    told_by(_KEYS, f"{_EXPECTED}, {{practice: korean, pairs: NUMBER}} or {{share: 0.02}}, a share of train"),
]
"""The same, or a share of the training corpus."""


class DataSettings(SplitData):
    """The corpora of a recipe, and how their text is read."""

    train: CorpusSettings
    """The pairs to learn from."""

    validation: SplitSettings
    """The pairs that tell how the training goes: a corpus, or `{share: 0.02}` of `train`, left out there."""

    test: SplitSettings | None = None
    """The pairs kept apart for scores after training, if any: a corpus, or a share of `train`."""

    max_length: int = Field(default=100, ge=1)
    """The most tokens a side; longer training pairs are left out, counted and reported."""
