"""The settings of a recipe's data: what is meant is told by the keys, and what is wrong is named."""

from __future__ import annotations

import re
from typing import Any

import pytest

from jumok.core.settings import read_settings
from jumok.data.corpora import DataSettings, HeldOut, HubData, PairFiles, PracticeData, TableFile

FILES = {"source": "a.en", "target": "a.de"}


def read(**values: Any) -> DataSettings:
    return read_settings(DataSettings, {"train": FILES, "validation": FILES, **values}, "my.yaml")


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (FILES, PairFiles),
        ({"file": "a.tsv", "source": 0, "target": "de"}, TableFile),
        ({"hub": "a/b", "split": "train", "source": "x", "target": "y"}, HubData),
        ({"practice": "korean", "pairs": 10}, PracticeData),
        ({"share": 0.1}, HeldOut),
    ],
)
def test_the_keys_say_which_kind_it_is(values: dict[str, Any], kind: type) -> None:
    data = read(validation=values, test=values)
    assert type(data.validation) is type(data.test) is kind
    assert read_settings(DataSettings, data.model_dump(), "again") == data


def test_every_field_is_documented() -> None:
    for kind in (DataSettings, PairFiles, TableFile, HubData, PracticeData, HeldOut):
        assert [name for name, field in kind.model_fields.items() if not field.description] == []


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"train": {"sorce": "a", "target": "b"}}, "train.sorce: no such field; did you mean 'source'? Known: "),
        ({"train": {"file": "a.tsv", "source": 0}}, "train.target: is missing, and has no default"),
        ({"train": {"file": "a.tsv", "source": -1, "target": 1}}, "train.source: expected a column's name"),
        ({"train": {"file": "a.tsv", "source": True, "target": 1}}, "train.source: expected a column's name"),
        ({"train": "train.tsv"}, "train: expected {source: FILE, target: FILE}, {file: FILE, source: COLUMN"),
        ({"train": {"share": 0.1}}, "train: expected {source: FILE, target: FILE}, {file: FILE, source: COLUMN"),
        ({"validation": {}}, "validation: expected {source: FILE, target: FILE}, {file: FILE, source: COLUMN"),
        ({"validation": {"share": 1.5}}, "validation.share: should be less than 1 (it is 1.5)"),
        ({"validation": {"share": 0.5}, "test": {"share": 0.5}}, "validation and test: their shares add up"),
        ({"train": {"practice": "klingon", "pairs": 5}}, "train.practice: unknown 'klingon'; known: korean"),
        ({"train": {"practice": "korean", "pairs": 0}}, "train.pairs: should be greater than or equal to 1 (it is 0)"),
        (
            {"train": {"practice": "korean", "pairs": 5, "min_words": 9, "max_words": 8}},
            "train: min_words: 9 is more than max_words, 8",
        ),
        ({"encoding": "cp949x"}, "encoding: expected the name of a text encoding; did you mean 'cp949'?"),
        ({"encoding": "hex"}, "encoding: expected the name of a text encoding"),
        ({"on_error": "ignore"}, "on_error: unknown 'ignore'; known: stop, skip"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(values: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'my.yaml: {line}')}[^\n]*$"):
        read(**values)
