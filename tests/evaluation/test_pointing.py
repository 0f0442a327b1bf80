"""Pointing at gold regions, and captions of practice pictures that are right."""

from __future__ import annotations

import numpy as np
import pytest

from jumok.data.scenes import Scenes
from jumok.evaluation import contents, pointing
from jumok.evaluation.gold_regions import cells
from jumok.viewing import AttentionMap


def looks_at(*places: int, grid: tuple[int, int] = (4, 4)) -> AttentionMap:
    """A map whose words look at one region each; the end looks at the first."""
    weights = np.eye(grid[0] * grid[1])[[*places, 0]]
    rows = [f"▁w{number}" for number in range(len(places))]
    return AttentionMap.over_picture(weights, [*rows, "<end>"], grid, None, row_words=[*range(len(places)), -1])


def test_a_look_inside_its_box_is_a_hit() -> None:
    top_left, right = [(0.0, 0.0, 0.5, 0.5)], [(0.5, 0.0, 1.0, 1.0)]
    found = pointing([looks_at(0, 5, 5, 3)], [[top_left, top_left, right, None]])
    assert found is not None
    assert (found.words, found.accuracy, found.inside) == (3, pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert found.even == pytest.approx((4 + 4 + 8) / 16 / 3)


def test_a_box_that_holds_no_middle_is_the_cell_of_its_own() -> None:
    assert np.argwhere(cells([(0.26, 0.51, 0.3, 0.55)], (4, 4))).tolist() == [[2, 1]]
    assert cells([(0.0, 0.0, 1.0, 1.0)], (3, 5)).all()


def test_words_without_a_region_tell_nothing() -> None:
    assert pointing([looks_at(1)], [[None]]) is None
    with pytest.raises(ValueError, match="a map of 1 words with regions for 2"):
        pointing([looks_at(1)], [[None, None]])


@pytest.mark.parametrize("language", ["english", "korean"])
def test_the_gold_captions_are_right_and_another_picture_s_are_not(language: str) -> None:
    scenes = list(Scenes(seed=4).scenes(60))
    gold = [getattr(scene, language) for scene in scenes]
    found = contents(gold, scenes, language)
    assert (found.objects, found.colours, found.relations, found.right) == (1, 1, 1, 1)
    assert set(found.by_objects) == {1, 2, 3, 4}
    moved = contents(gold[1:] + gold[:1], scenes, language)
    assert moved.right == 0
    assert moved.objects < 0.2


def test_each_part_is_counted_by_itself() -> None:
    scene = Scenes(seed=0).scene(149, objects=(3, 4))
    said = scene.english
    assert said.startswith("A small gray duck is to the left of a small blue flower")

    def parts(caption: str) -> tuple[float, ...]:
        found = contents([caption], [scene], "english")
        return found.objects, found.colours, found.relations, found.right

    assert parts(said.replace("A small", "the small")) == (1, 1, 1, 1)
    assert parts(said.replace("gray", "blue", 1)) == (1, 0, 1, 0)
    assert parts(said.replace("left", "below")) == (1, 1, 0, 0)
    assert parts(said.replace("two", "")) == (0, 1, 1, 0)
