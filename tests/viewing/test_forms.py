"""The other pictures of a map: lines, heads, stories, several on one sheet; they say what the map says."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from jumok.viewing import AttentionMap, save_together
from jumok.viewing.grid import Grid
from jumok.viewing.heads import heads_scene
from jumok.viewing.lines import LEAST, lines_scene
from jumok.viewing.matrix import matrix_scene
from jumok.viewing.scene import Cells, Scene, Shape, Words, together
from jumok.viewing.story import BAR, story_scene
from viewing.looks import hostile, look, simple
from viewing.test_pictures import quietly, texts


def links(scene: Scene) -> list[Shape]:
    return [item for item in scene.items if isinstance(item, Shape) and item.says]


def written(scene: Scene) -> list[str]:
    return [item.text for item in scene.items if isinstance(item, Words)]


@pytest.mark.parametrize("form", ["matrix", "lines", "heads", "story"])
@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "html"])
@pytest.mark.parametrize("shape", [(1, 1), (12, 9), (2, 3, 12, 70)])
def test_every_form_of_every_size_is_written(tmp_path: Path, form: str, ending: str, shape: tuple[int, ...]) -> None:
    quietly(look(*shape, title="나는 🍎"), tmp_path / f"look.{ending}", form=form)
    assert (tmp_path / f"look.{ending}").stat().st_size > 500


@pytest.mark.parametrize("form", ["lines", "heads", "story"])
def test_hostile_labels_and_empty_maps_are_drawn(tmp_path: Path, form: str) -> None:
    quietly(hostile(), tmp_path / "a.svg", form=form)
    assert "<" in "".join(texts((tmp_path / "a.svg").read_text("utf-8")))  # as text, in a file that is still XML
    AttentionMap.from_arrays(np.zeros((0, 0)), [], []).save(tmp_path / "b.svg", form=form)
    texts((tmp_path / "b.svg").read_text("utf-8"))
    AttentionMap.from_arrays(np.zeros((2, 3)), ["a", "b"], ["c", "d", "e"]).save(tmp_path / "c.svg", form=form)
    shown = set(texts((tmp_path / "c.svg").read_text("utf-8")))
    assert form == "heads" or {"c", "d", "e"} <= shown  # thumbnails of heads have no words


def test_lines_go_from_each_word_to_what_it_looked_at_and_thicker_where_more() -> None:
    full = simple("title")
    scene = lines_scene(full)
    assert {"I", "came", "to", "the", "school", "source", "target", "title"} == set(written(scene))
    found = {line.says: line for line in links(scene)}
    assert set(found) == {
        "I → to: 0.900",
        "I → the: 0.100",
        "came → to: 0.200",
        "came → the: 0.300",
        "came → school: 0.500",
    }
    by_weight = sorted(found.values(), key=lambda line: float(line.says[-5:]))
    assert all(a.width < b.width and a.opacity < b.opacity for a, b in pairwise(by_weight))
    at = {item.text: item for item in scene.items if isinstance(item, Words)}
    start, end = found["I → to: 0.900"].places[0], found["I → to: 0.900"].places[-1]
    assert (start[0], end[0]) == pytest.approx((at["to"].x, at["I"].x))
    assert at["to"].y < start[1] < end[1] < at["I"].y


def test_no_line_is_drawn_for_next_to_nothing() -> None:
    full = look(9, 12)
    assert len(links(lines_scene(full))) == int((full.matrix >= LEAST * Grid.of(full).top).sum())


def test_a_line_stays_between_its_ends_and_is_the_same_from_both() -> None:
    places = np.array(links(lines_scene(simple()))[-1].places)
    middle = places.mean(0)
    np.testing.assert_allclose(places + places[::-1], np.broadcast_to(2 * middle, places.shape), atol=1e-6)


def test_long_sentences_stand_side_by_side_on_narrow_paper() -> None:
    labels = [f"word{number}" for number in range(45)]
    scene = lines_scene(AttentionMap.from_arrays(np.eye(45), labels, labels))
    assert scene.width < 700 < scene.height
    ys = [item.y for item in scene.items if isinstance(item, Words) and item.text == "word7"]
    assert ys[0] == ys[1]


def test_following_a_row_makes_the_others_faint_and_what_it_looked_at_bold() -> None:
    whole, scene = (lines_scene(simple(), row) for row in (None, 1))
    strength = {line.says: line.opacity for line in links(whole)}
    for line in links(scene):
        faint = line.says.startswith("I ")
        assert line.opacity == pytest.approx(strength[line.says] * (0.1 if faint else 1), abs=1e-3)
    assert {item.text for item in scene.items if isinstance(item, Words) and item.bold} == {
        "came",
        "to",
        "the",
        "school",
    }


def test_the_film_of_a_sentence_has_a_frame_for_each_word_and_one_of_all(tmp_path: Path) -> None:
    simple().save(tmp_path / "follow.gif")
    with Image.open(tmp_path / "follow.gif") as film:
        assert getattr(film, "n_frames", 1) == 3


def test_heads_have_one_small_matrix_each_on_one_scale() -> None:
    weights = np.zeros((2, 3, 2, 2))
    weights[1, 2, 0, 1], weights[0, 0, 0, 1] = 1.0, 0.5
    full = AttentionMap.from_arrays(weights, ["a", "b"], ["c", "d"])
    cells = [item for item in heads_scene(full).items if isinstance(item, Cells)][:-1]  # the last is the scale
    assert len(cells) == 6
    assert cells[5].shades[0, 1] == 255
    assert cells[0].shades[0, 1] == 128
    assert cells[0].says is not None
    assert cells[5].says(0, 1) == "layer 1, head 2: a → d: 1.000"
    assert {"head 2", "layer 1"} <= set(written(heads_scene(full)))


def test_a_story_has_its_sentences_as_lines_and_bars_as_long_as_the_looks() -> None:
    story = ["Nora went to the attic.", "Owen went to the cellar.", "Nora took the map."]
    full = AttentionMap.from_arrays([[0.75, 0.0, 0.25]], ["1"], story, row_name="hop", column_name="sentence")
    scene = story_scene(full)
    assert {*story, "hop 1", "sentence ↓", "0.75", "0.25"} == set(written(scene))
    long = [line.places[1][0] - line.places[0][0] for line in links(scene)]
    assert long == pytest.approx([0.75 * BAR, 0.25 * BAR])


def test_scenes_on_one_sheet_keep_their_size_and_never_overlap() -> None:
    scenes = [matrix_scene(Grid.of(look(rows, 4))) for rows in (3, 8, 5)]
    sheet = together(scenes, across=2)
    assert sheet.width == scenes[0].width + scenes[1].width
    assert sheet.height == scenes[1].height + scenes[2].height
    blocks = [item for item in sheet.items if isinstance(item, Cells) and item.says]
    assert [block.shades.shape for block in blocks] == [(3, 4), (8, 4), (5, 4)]
    assert blocks[1].x > blocks[0].x + blocks[0].width
    assert blocks[2].y > blocks[1].y + blocks[1].height


def test_several_models_stand_in_one_picture_by_name(tmp_path: Path) -> None:
    for ending in ("svg", "png", "pdf", "html"):
        save_together([simple("a"), simple("b")], tmp_path / f"two.{ending}", names=["soft", "hard"])
    assert {"soft", "hard"} <= set(texts((tmp_path / "two.svg").read_text("utf-8")))
    with pytest.raises(ValueError, match=r"end the name in \.svg, \.png, \.pdf"):
        save_together([simple()], tmp_path / "two.gif")
    with pytest.raises(ValueError, match="give at least one"):
        save_together([], tmp_path / "none.svg")
    with pytest.raises(ValueError, match="did you mean 'lines'"):
        save_together([simple()], tmp_path / "x.svg", form="line")


def test_forms_that_do_not_fit_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="did you mean 'heads'"):
        simple().save(tmp_path / "a.json", form="head")
    with pytest.raises(ValueError, match="not over a picture"):
        simple().save(tmp_path / "a.svg", form="panels")
    assert list(tmp_path.iterdir()) == []


def test_the_page_begins_with_the_lines_where_told(tmp_path: Path) -> None:
    simple().save(tmp_path / "a.html", form="lines")
    simple().save(tmp_path / "b.html")
    assert '"lines":true' in (tmp_path / "a.html").read_text("utf-8")
    assert '"lines":false' in (tmp_path / "b.html").read_text("utf-8")
