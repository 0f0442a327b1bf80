"""The recipes of readers: the reference names every field and its default; kinds of data never mix."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from jumok.core import schema
from jumok.data.labelled import LabelledData
from jumok.data.sums import SumsData
from jumok.recipes import find, load, parse_change
from jumok.recipes.chain import read_chain
from jumok.systems.reading import ReadingRecipe


def reading(name: str, *typed: str) -> ReadingRecipe:
    settings = load(name, [parse_change(one) for one in typed]).settings
    assert isinstance(settings, ReadingRecipe)
    return settings


def fields(kind: type[BaseModel], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every path of a field that a recipe may have."""
    for name, field in kind.model_fields.items():
        yield (*above, name)
        for inner in schema.kinds(field.annotation):
            yield from fields(inner, (*above, name))


def test_the_reference_names_every_field() -> None:
    named = set(re.findall(r"^[ #]*(\w+):", find("reading").path.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert [".".join(path) for path in fields(ReadingRecipe) if path[-1] not in named] == []


def test_the_reference_gives_the_defaults() -> None:
    said = read_chain("reading")[0].node.plain()
    least = {"data": {"train": said["data"]["train"]}, "training": {"updates": said["training"]["updates"]}}
    whole, alone = reading("reading").model_dump(), ReadingRecipe.model_validate(least).model_dump()
    for recipe in (whole, alone):
        recipe["data"].pop("root")
    assert whole == alone


@pytest.mark.parametrize("name", ["adding", "multiplication"])
def test_a_problem_takes_nothing_from_the_texts(name: str) -> None:
    data = reading(name, "data.length=500").data
    assert data == SumsData(problem=name, length=500)


def test_one_file_is_enough_for_texts_of_your_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for typed in ("data.train=mine.csv", "data.train.file=mine.csv"):
        data = reading("classify", typed).data
        assert isinstance(data, LabelledData)
        assert Path(data.root, data.train.file) == tmp_path / "mine.csv"  # type: ignore[union-attr]
        assert data.train.text == "text"  # type: ignore[union-attr]


def test_a_misspelt_kind_of_texts_is_told() -> None:
    recipe = {"system": "reading", "data": {"train": {"fil": "a.csv"}}, "training": {"updates": 1}}
    with pytest.raises(ValueError, match=r"data\.train: expected a file's name, \{file: FILE"):
        load(recipe)
