"""The recipes that come with jumok: they are read, they are explained, and they say the truth about defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from pydantic import BaseModel

from jumok.core import schema
from jumok.data.corpora.opening import open_splits
from jumok.data.pictures import open_picture_split
from jumok.models import PRESETS, EncoderDecoder
from jumok.recipes import dump, find, load, names, parse_change
from jumok.recipes.chain import read_chain
from jumok.recipes.listing import listed
from jumok.systems import SYSTEMS, CaptioningRecipe, TranslationRecipe


def translation(name: str, *typed: str) -> TranslationRecipe:
    settings = load(name, [parse_change(one) for one in typed]).settings
    assert isinstance(settings, TranslationRecipe)
    return settings


@pytest.mark.parametrize("name", names())
def test_every_recipe_fits_its_system_and_says_what_it_is(name: str) -> None:
    recipe = load(name)
    assert isinstance(recipe.settings, SYSTEMS[recipe.system].recipe)
    assert recipe.name == name
    assert recipe.about.what
    assert recipe.about.needs


@pytest.mark.parametrize("name", names())
def test_every_recipe_is_written_to_be_read(name: str) -> None:
    lines = find(name).path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert max(map(len, lines)) <= 120
    assert not any("\t" in line or line != line.rstrip() for line in lines)


@pytest.mark.parametrize("name", names())
def test_a_resolved_recipe_is_the_same_recipe(name: str, tmp_path: Path) -> None:
    settings = load(name).settings
    (tmp_path / "recipe.yaml").write_text(dump(settings), encoding="utf-8")
    assert load(tmp_path / "recipe.yaml").settings == settings


@pytest.mark.parametrize("preset", PRESETS)
def test_korean_takes_every_preset(preset: str) -> None:
    recipe = translation("korean", f"model.preset={preset}")
    with torch.device("meta"):
        model = EncoderDecoder(recipe.model, 100, 100)
    assert model.settings.preset == preset
    assert (model.decoder.output.weight.shape[0], model.encoder.embedding.num_embeddings) == (100, 100)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ["multi30k", "multi30k-plain", "multi30k-transformer", "korean"])
def test_another_preset_is_that_preset_in_the_sizes_of_the_recipe(name: str, preset: str) -> None:
    before = translation(name).model
    model = translation(name, f"model.preset={preset}").model
    if preset == before.preset:
        assert model == before
        return
    told: Mapping[str, Any] = PRESETS[preset]["decoder"]
    decoder = model.decoder.model_dump()
    assert {field: decoder[field] for field in told} == told
    assert (model.dropout, model.embedding_size) == (before.dropout, before.embedding_size)
    if decoder["kind"] == before.decoder.kind == "recurrent":
        assert decoder["hidden_size"] == before.decoder.hidden_size


def test_korean_holds_out_what_it_scores() -> None:
    data = translation("korean", "data.train.pairs=300", "data.validation.pairs=50", "data.test.pairs=50").data
    splits = {name: {pair.source for pair in corpus} for name, corpus in open_splits(data, Path()).items()}
    assert not splits["train"] & (splits["validation"] | splits["test"])
    assert splits["validation"] != splits["test"]


def test_the_benchmark_model_is_the_one_that_peers_are_measured_with() -> None:
    recipe = translation("multi30k")
    with torch.device("meta"):
        model = EncoderDecoder(recipe.model, 8000, 8000)
    assert sum(weights.numel() for weights in model.parameters()) == pytest.approx(13.2e6, rel=0.03)


REFERENCE = "translation"


def fields(kind: type[BaseModel], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every path of a field that a recipe may have."""
    for name, field in kind.model_fields.items():
        yield (*above, name)
        for inner in schema.kinds(field.annotation):
            yield from fields(inner, (*above, name))


def test_the_reference_names_every_field() -> None:
    text = find(REFERENCE).path.read_text(encoding="utf-8")
    named = set(re.findall(r"^[ #]*(\w+):", text, flags=re.MULTILINE))
    missing = [".".join(path) for path in fields(TranslationRecipe) if path[-1] not in named]
    assert missing == []


def test_the_reference_names_every_preset() -> None:
    text = find(REFERENCE).path.read_text(encoding="utf-8")
    assert [preset for preset in PRESETS if not re.search(rf"\b{preset}\b", text)] == []


def test_the_reference_explains_every_value_that_it_gives() -> None:
    for line in find(REFERENCE).path.read_text(encoding="utf-8").splitlines():
        if re.match(r" *\w+: +[^ #]", line) and not line.startswith(("  what:", "  needs:")):
            assert "#" in line, line


def test_the_reference_gives_the_defaults() -> None:
    """All but what has none, and the corpora: a recipe without it would be the same."""
    said = read_chain(REFERENCE)[0].node.plain()
    whole = translation(REFERENCE)
    least = {
        "data": {name: said["data"][name] for name in ("train", "validation")},
        "training": {"updates": said["training"]["updates"]},
    }
    alone = TranslationRecipe.model_validate(least)
    assert _without_root(whole) == _without_root(alone)


def _without_root(recipe: TranslationRecipe) -> dict[str, Any]:
    values = recipe.model_dump()
    values["data"].pop("root")
    return values


def test_the_list_has_them_all() -> None:
    assert [one.name for one in listed()] == names()
    assert {"korean", "korean-transformer", "multi30k", "tatoeba", "translation"} <= set(names())


CAPTIONING = "captioning"


def captioning(name: str, *typed: str) -> CaptioningRecipe:
    settings = load(name, [parse_change(one) for one in typed]).settings
    assert isinstance(settings, CaptioningRecipe)
    return settings


def test_the_captioning_reference_names_every_field_and_preset() -> None:
    text = find(CAPTIONING).path.read_text(encoding="utf-8")
    named = set(re.findall(r"^[ #]*(\w+):", text, flags=re.MULTILINE))
    assert [".".join(path) for path in fields(CaptioningRecipe) if path[-1] not in named] == []
    assert [preset for preset in PRESETS if not re.search(rf"\b{preset}\b", text)] == []


def test_the_captioning_reference_gives_the_defaults() -> None:
    said = read_chain(CAPTIONING)[0].node.plain()
    least = {
        "data": {name: said["data"][name] for name in ("train", "validation")},
        "training": {"updates": said["training"]["updates"]},
    }
    whole, alone = captioning(CAPTIONING).model_dump(), CaptioningRecipe.model_validate(least).model_dump()
    whole["data"].pop("root")
    alone["data"].pop("root")
    assert whole == alone


@pytest.mark.parametrize("preset", [name for name in PRESETS if name not in ("luong-dot", "transformer")])
def test_scenes_takes_every_preset(preset: str) -> None:
    assert captioning("scenes", f"model.preset={preset}").model.preset == preset


def test_scenes_tests_on_colours_that_it_never_trained_on() -> None:
    for name in ("scenes", "scenes-korean"):
        data = captioning(name, "data.train.pictures=60", "data.test.pictures=20").data
        corpora = {split: open_picture_split(split, data, Path()) for split in ("train", "test")}
        scenes = {split: [entry.picture.scene() for entry in corpus] for split, corpus in corpora.items()}  # type: ignore[union-attr]
        assert not any(scene.held_out for scene in scenes["train"])
        assert all(scene.held_out for scene in scenes["test"])
