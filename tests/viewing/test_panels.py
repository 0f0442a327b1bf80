"""Maps over pictures: panels, animations, pages; the record keeps its picture."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from jumok.viewing import AttentionMap, save_html
from jumok.viewing.gif import save_gif
from jumok.viewing.overlay import lit, opened, packed
from jumok.viewing.panels import Panels, save_panels
from jumok.viewing.telling import Told

WORDS = ("▁A", "▁red", "▁ball", ".", "<end>")


def look(title: str = "", words: tuple[str, ...] = WORDS, grid: tuple[int, int] = (3, 4)) -> AttentionMap:
    """A caption over a picture that is red at the left and blue at the right; word n looks at region n."""
    picture = Image.new("RGB", (80, 60), (200, 30, 30))
    picture.paste((30, 30, 200), (40, 0, 80, 60))
    places = grid[0] * grid[1]
    weights = np.eye(places)[[number % places for number in range(len(words))]]
    numbers = [0, 1, 2, 2, -1] if words is WORDS else [*range(len(words) - 1), -1]
    return AttentionMap.over_picture(weights, words, grid, packed(picture), row_words=numbers, title=title)


def test_a_map_over_a_picture_is_written_and_read_with_it(tmp_path: Path) -> None:
    first = look("soft")
    first.save(tmp_path / "a.json")
    again = AttentionMap.load(tmp_path / "a.json")
    assert (again.grid, again.picture, again.columns[-1]) == ((3, 4), first.picture, "3,4")
    np.testing.assert_array_equal(again.weights, first.weights)
    assert first.words().grid == (3, 4)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"grid": [3, 5]}, "a grid of 3 x 5 has 15 regions"),
        ({"grid": "x"}, "grid is 'x'"),
        ({"picture": "%"}, "damaged"),
    ],
)
def test_a_damaged_one_is_one_line(change: dict[str, object], line: str) -> None:
    with pytest.raises(ValueError, match=line):
        AttentionMap.from_dict(look().to_dict() | change)


def test_a_picture_needs_a_grid_and_must_be_one() -> None:
    with pytest.raises(ValueError, match="goes with a grid"):
        AttentionMap.from_arrays([[1.0]], ["a"], ["b"], picture=b"x")
    with pytest.raises(ValueError, match="cannot be read"):
        opened(b"no picture")
    with pytest.raises(ValueError, match="not one over a picture"):
        save_panels(AttentionMap.from_arrays([[1.0]], ["a"], ["b"]), "x.png")


def test_the_picture_is_bright_where_the_look_rests_and_dark_elsewhere() -> None:
    picture = Image.new("RGB", (90, 60), (180, 180, 180))
    weights = np.zeros((2, 3), np.float32)
    weights[0, 0] = 1
    seen = np.asarray(lit(picture, weights), np.float32)
    assert seen[15, 15].min() > 170
    assert seen[45, 75].max() < 60
    even = np.asarray(lit(picture, np.full((2, 3), 1 / 6, np.float32)), np.float32)
    assert even.max() < 110  # a look at everything lights nothing


def test_pieces_are_joined_to_words_and_the_end_has_no_panel() -> None:
    told = Told.of(look())
    assert told.words == ("A", "red", "ball.")
    assert told.weights.shape == (3, 3, 4)
    assert told.weights[2].sum() == pytest.approx(1)
    lines = told.lines(3.0)
    assert [told.text(line) for line in lines] == ["A red", "ball."]
    assert told.around(lines[0], 1) == ("A ", "red", "")
    assert told.around(lines[1], 1) == ("ball.", "", "")


def test_one_panel_a_word_one_for_the_picture_and_models_under_each_other() -> None:
    laid = Panels.of([look("soft"), look("hard")])
    assert [panel.word for panel in laid.panels] == [-1, 0, 1, 2] * 2
    assert [title for title, _ in laid.titles] == ["soft", "hard"]
    tops = [panel.y for panel in laid.panels]
    assert max(tops[:4]) < min(tops[4:])
    assert all(panel.x + 150 <= laid.width and panel.y + panel.height <= laid.height for panel in laid.panels)


@pytest.mark.parametrize("words", [WORDS, ("▁빨간", "▁공", "▁하나가", "▁있다.", "<end>")], ids=["english", "korean"])
def test_all_forms_are_written(words: tuple[str, ...], tmp_path: Path) -> None:
    for ending in ("png", "svg", "pdf", "gif", "html", "json"):
        look(words=words).save(tmp_path / f"a.{ending}")
        assert (tmp_path / f"a.{ending}").stat().st_size > 500
    with Image.open(tmp_path / "a.png") as drawn:
        assert drawn.size[0] > 600
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    count = len(Told.of(look(words=words)).words)
    assert len(root.findall("{*}image")) == count + 1
    marked = [one.text for one in root.iter("{http://www.w3.org/2000/svg}tspan")]
    assert marked == list(Told.of(look(words=words)).words)


def test_an_animation_has_a_frame_a_word_and_the_whole_at_the_end(tmp_path: Path) -> None:
    save_gif([look(), look("hard")], tmp_path / "a.gif")
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 8
    with pytest.raises(ValueError, match=r"end it in \.gif"):
        save_gif(look(), tmp_path / "a.png")


def test_the_page_holds_each_picture_once_and_no_label_becomes_markup(tmp_path: Path) -> None:
    hostile = ("▁</script><b>x</b>", "▁{data}", '▁"&', "<end>")
    save_html([look("one"), look("two", hostile)], tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text("utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))  # type: ignore[union-attr]
    assert len(data["pictures"]) == 1
    assert [map["rows"] for map in data["maps"]] == [["A", "red", "ball."], ["</script><b>x</b>", "{data}", '"&']]
    assert [map["seen"] for map in data["maps"]] == [0, 0]
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(text)
    assert "b" not in tags
    assert tags.count("script") == 2


def test_maps_over_pictures_and_over_words_do_not_share_a_page() -> None:
    from jumok.viewing.html import page

    with pytest.raises(ValueError, match="do not share a page"):
        page([look(), AttentionMap.from_arrays([[1.0]], ["a"], ["b"])])


def test_in_a_notebook_it_draws_its_panels() -> None:
    assert look()._repr_html_().count("<image") == 4
