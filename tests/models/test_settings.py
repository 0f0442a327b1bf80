"""Settings of models: presets, and one clear line for what does not fit."""

from __future__ import annotations

import re
from typing import Any

import pytest

from jumok.core.settings import read_settings
from jumok.models import PRESETS, EncoderDecoder, ModelSettings


@pytest.mark.parametrize("preset", PRESETS)
def test_written_out_and_read_again_they_are_the_same(preset: str) -> None:
    settings = ModelSettings(preset=preset)
    assert ModelSettings(**settings.model_dump(mode="json")) == settings


def test_fields_beside_a_preset_change_it() -> None:
    settings = ModelSettings(preset="luong-general", decoder={"input_feeding": False})  # type: ignore[arg-type]
    assert settings.decoder.attention == {"score": "general"}  # type: ignore[union-attr]
    assert not settings.decoder.input_feeding  # type: ignore[union-attr]


def test_a_part_of_another_kind_takes_nothing_from_the_preset() -> None:
    settings = ModelSettings(preset="bahdanau", encoder={"kind": "transformer", "layers": 1})  # type: ignore[arg-type]
    assert settings.encoder.kind == "transformer"


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"preset": "bahdanua"}, "did you mean 'bahdanau'?"),
        ({"dropuot": 0.1}, "r.yaml: dropuot: no such field; did you mean 'dropout'?"),
        (
            {"preset": "luong-dot", "decoder": {"query": "between"}},
            "decoder.query: unknown 'between'; known: before, after",
        ),
        ({"decoder": {"attention": {"normalize": "softmax"}}}, "give it a score"),
        (
            {"decoder": {"attention": {"score": "dot"}, "input_feeding": True, "output": "deep"}},
            "needs output: attentional",
        ),
        ({"decoder": {"attention": {"score": "dot"}, "summary": "every"}}, "for decoders without attention"),
        ({"decoder": {"gate": True}}, "no context to scale"),
        ({"decoder": {"tells": "before"}}, "take output: maxout"),
        (
            {"decoder": {"attention": {"score": "adittive"}}},
            "decoder.attention: unknown score 'adittive': did you mean",
        ),
        ({"decoder": {"attention": {"score": "dot", "hidden_size": 3}}}, "score 'dot' takes no settings"),
        ({"preset": "luong-dot", "encoder": {"hidden_size": 20}}, "their sizes are 512 (decoder.hidden_size) and 40"),
        ({"preset": "transformer", "scheduled_sampling": {}}, "scheduled_sampling: goes by stepping"),
        ({"preset": "transformer", "embedding_size": 30}, "does not divide embedding_size 30"),
    ],
)
def test_what_does_not_fit_is_one_line(values: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(line)) as caught:
        read_settings(ModelSettings, values, "r.yaml")
    assert "\n" not in str(caught.value)


def test_tying_all_needs_one_vocabulary() -> None:
    with pytest.raises(ValueError, match=r"set tokenizer\.joint=true"):
        EncoderDecoder(ModelSettings(tie="all"), 10, 11)
