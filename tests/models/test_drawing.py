"""A model as a diagram: what its settings say is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jumok.models.drawing import HEIGHT, SOURCE, STEPS, WIDTH, diagram
from jumok.models.settings import PRESETS, ModelSettings
from jumok.viewing.palettes import ACCENT
from jumok.viewing.saving import write_scene
from jumok.viewing.scene import Cells, Scene, Shape, Words


def written(scene: Scene) -> list[str]:
    return [item.text for item in scene.items if isinstance(item, Words)]


def places(scene: Scene) -> list[tuple[float, float]]:
    shapes = [item for item in scene.items if isinstance(item, Shape)]
    assert not any(isinstance(item, Cells) for item in scene.items)
    return [place for shape in shapes for place in shape.places]


def asking(scene: Scene) -> float:
    """Where the dashed line, the query, starts."""
    (line,) = [item for item in scene.items if isinstance(item, Shape) and item.dashes]
    return line.places[0][0]


def changed(**decoder: Any) -> Scene:
    return diagram(ModelSettings.model_validate({"preset": "luong-general", "decoder": decoder}))


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_drawn_within_its_paper(tmp_path: Path, preset: str, language: str) -> None:
    scene = diagram(ModelSettings(preset=preset), language=language)
    assert preset in written(scene)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places(scene))
    write_scene(scene, tmp_path / "model.svg")
    looks = any(("어텐션" if language == "ko" else "attention") in text for text in written(scene))
    assert looks == (not preset.startswith("plain"))


def test_presets_that_differ_look_different() -> None:
    drawn = {preset: diagram(ModelSettings(preset=preset), title="x") for preset in PRESETS}
    same = [(a, b) for a in drawn for b in drawn if a < b and drawn[a] == drawn[b]]
    assert same == [("bahdanau", "soft")]


def test_the_state_that_asks_is_the_one_that_the_settings_name() -> None:
    assert asking(changed(query="before")) == pytest.approx(STEPS[0], abs=30)
    assert asking(changed(query="after")) == pytest.approx(STEPS[1], abs=30)


def test_what_feeds_what_follows_the_settings() -> None:
    def arrows(scene: Scene) -> int:
        return sum(isinstance(item, Shape) and item.fill == ACCENT and len(item.places) == 3 for item in scene.items)

    both, output = changed(context="both"), changed(context="output")
    assert arrows(both) == arrows(output) + 1
    assert "õₜ₋₁" in written(changed())
    assert "õₜ₋₁" not in written(changed(input_feeding=False))
    assert "yₜ₋₂" not in written(changed(feed_word=False))
    hard = changed(attention={"score": "dot", "select": "hard", "window": "local_m"})
    assert "attention: dot, softmax, local-m, draws one" in written(hard)
    one_way = ModelSettings.model_validate({"preset": "bahdanau", "encoder": {"bidirectional": False, "layers": 2}})
    assert "encoder: GRU, 2 layers" in written(diagram(one_way))
    assert len(SOURCE) == sum(text.startswith("h") and len(text) == 2 for text in written(diagram(one_way)))


def test_an_unknown_language_is_one_clear_line() -> None:
    with pytest.raises(ValueError, match="give en or ko"):
        diagram(ModelSettings(preset="hard"), language="de")
