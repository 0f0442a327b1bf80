"""What a recipe says about its stories."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from pydantic import Field, Tag, field_validator, model_validator

from jumok.core.names import unknown
from jumok.core.settings import Settings
from jumok.data.corpora.settings import FileName
from jumok.data.corpora.splits import told_by
from jumok.data.stories.practice import KINDS


class StoryFiles(Settings):
    """Files in the format of the bAbI tasks."""

    file: FileName
    """A file, or a pattern for several, such as `qa*_train.txt`; each is a task, learned together with the others."""


class PracticeStories(Settings):
    """Generated stories, the same on every machine. No download."""

    practice: tuple[str, ...] = Field(min_length=1)
    """Which kinds: where, before, who, yes-no, count, list."""

    questions: int = Field(ge=1)
    """How many of each kind."""

    language: Literal["en", "ko"] = "en"
    """English or Korean."""

    min_sentences: int = Field(default=4, ge=4)
    """The fewest sentences of a story."""

    max_sentences: int = Field(default=12, ge=4)
    """The most sentences of a story."""

    seed: int = 0
    """Another seed gives other stories."""

    @field_validator("practice")
    @classmethod
    def _known(cls, kinds: tuple[str, ...]) -> tuple[str, ...]:
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(unknown("kind of story", kind, KINDS))
        return kinds

    @model_validator(mode="after")
    def _lengths(self) -> PracticeStories:
        if self.min_sentences > self.max_sentences:
            raise ValueError(f"min_sentences: {self.min_sentences} is more than max_sentences, {self.max_sentences}")
        return self


class HeldOutStories(Settings):
    """A share of the training stories, which training then leaves out; questions about one story stay together."""

    share: float = Field(gt=0, lt=1)
    """About how many of each task: 0.1 is one in ten."""


_KEYS: dict[str, type[Settings]] = {"practice": PracticeStories, "file": StoryFiles, "share": HeldOutStories}
_EXPECTED = "{file: PATTERN}, {practice: [where, ...], questions: NUMBER}"

StorySettings = Annotated[
    Union[  # noqa: UP007 (a type alias that Python 3.10 can build from Annotated parts)
        Annotated[StoryFiles, Tag("StoryFiles")],
        Annotated[PracticeStories, Tag("PracticeStories")],
    ],
    told_by(_KEYS, _EXPECTED),
]
"""Where stories come from; which kind it is, its keys say."""

StorySplitSettings = Annotated[
    Union[  # noqa: UP007
        Annotated[StoryFiles, Tag("StoryFiles")],
        Annotated[PracticeStories, Tag("PracticeStories")],
        Annotated[HeldOutStories, Tag("HeldOutStories")],
    ],
    told_by(_KEYS, f"{_EXPECTED} or {{share: 0.1}}, a share of train"),
]
"""The same, or a share of the training stories."""


class StoryDataSettings(Settings):
    """The stories of a recipe."""

    root: str = "."
    """The folder that the files are in; it starts itself from the recipe's folder."""

    train: StorySettings
    """The questions to learn from."""

    validation: StorySplitSettings = HeldOutStories(share=0.1)
    """The questions that tell how the training goes: stories of their own, or a share of `train`, left out there."""

    test: StorySettings | None = None
    """The questions kept apart for figures after training, if any."""
