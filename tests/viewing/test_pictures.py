"""Every writer, over Korean, English and emoji: whole files that say what the map says."""

from __future__ import annotations

import base64
import io
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from jumok.viewing import AttentionMap, save_film, save_html
from jumok.viewing.grid import Grid
from jumok.viewing.heads import heads_scene
from jumok.viewing.layout import laid_out
from jumok.viewing.matrix import matrix_scene
from jumok.viewing.palettes import PALETTES, shades
from jumok.viewing.scene import Cells
from jumok.viewing.svg import to_svg
from jumok.viewing.text import ems, shown
from viewing.looks import HOSTILE, hostile, look, simple

SVG = "{http://www.w3.org/2000/svg}"
ENDINGS = ("svg", "html", "png", "pdf", "gif", "json")


def svg(grid: Grid, palette: str = "blue") -> str:
    return to_svg(matrix_scene(grid, palette))


def texts(picture: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def titles(picture: str) -> list[str]:
    return [title.text or "" for title in ElementTree.fromstring(picture).iter(f"{SVG}title")]


def quietly(full: AttentionMap, path: Path, **how: Any) -> None:
    """Save where fonts may lack letters; which ones do is not what is tested."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no font here has")
        full.save(path, **how)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (11, 10), (2, 3, 12, 25)])
def test_every_writer_takes_every_size(tmp_path: Path, ending: str, shape: tuple[int, ...]) -> None:
    path = tmp_path / f"look.{ending}"
    quietly(look(*shape, title="나는 school 🍎"), path)
    begins = {
        "svg": b"<svg",
        "html": b"<!DOCTYPE html>",
        "png": b"\x89PNG",
        "pdf": b"%PDF",
        "gif": b"GIF8",
        "json": b"{",
    }
    assert path.read_bytes().startswith(begins[ending])
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("ending", ["svg", "html", "png"])
def test_every_palette_is_drawn(tmp_path: Path, ending: str, palette: str) -> None:
    simple().save(tmp_path / f"a.{ending}", palette=palette)
    simple().save(tmp_path / f"b.{ending}", palette="blue")
    same = (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    assert same == (palette == "blue")


def test_palettes_run_from_their_first_stop_to_their_last() -> None:
    assert shades("blue")[0].tolist() == [255, 255, 255]
    assert [shades("grey")[place].tolist() for place in (0, 255)] == [[0, 0, 0], [255, 255, 255]]
    for palette in PALETTES:
        light = shades(palette) @ np.array([0.2126, 0.7152, 0.0722])
        steps = np.diff(light if palette != "blue" else -light)
        assert (steps > -1.0).all(), palette  # lightness alone tells the order, as colour-blind readers need


def test_the_svg_holds_its_labels_as_text_and_a_number_for_each_cell() -> None:
    full = look(6, 5, title="제목")
    picture = svg(Grid.of(full))
    assert {"나", "-는", "app", "-le", "학교", "<end>", "제목", "target ↓", "source →"} <= set(texts(picture))
    assert f"app → -le: {full.matrix[2, 3]:.3f}" in titles(picture)
    assert len(titles(picture)) == 30


def test_the_sides_swap_and_the_cells_say_the_same() -> None:
    down, across = Grid.of(simple()), Grid.of(simple(), rows="source")
    assert (across.down, across.across) == (down.across, down.down)
    assert (across.down_name, across.across_name) == ("source", "target")
    np.testing.assert_array_equal(across.weights, down.weights.T)
    assert sorted(titles(svg(across))) == sorted(titles(svg(down)))
    assert "source ↓" in texts(svg(across))


def test_hostile_labels_are_text_in_the_svg() -> None:
    picture = svg(Grid.of(hostile()))
    assert {shown(label) for label in HOSTILE} <= set(texts(picture))
    root = ElementTree.fromstring(picture)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} == {"svg", "g", "rect", "text", "title"}


def test_two_notebook_outputs_share_no_ids_and_need_nothing_else() -> None:
    output = look(5, 5)._repr_html_()
    assert " id=" not in output
    assert "url(" not in output
    assert "http" not in output.replace("http://www.w3.org/2000/svg", "")
    ElementTree.fromstring(output)


@pytest.mark.parametrize("count", [3, 9, 20, 45, 60, 150])
@pytest.mark.parametrize("label", ["나", "도서관에서부터", "incomprehensibilities", "🍎🍎"])
def test_labels_across_the_top_never_overlap(count: int, label: str) -> None:
    grid = Grid.of(AttentionMap.from_arrays(np.eye(count), [label] * count, [label] * count))
    layout = laid_out(grid)
    places = [label.place for label in layout.across]
    apart = min(np.diff(places))
    if layout.slant:
        assert apart * np.sin(np.radians(layout.slant)) >= 1.1 * layout.letters
    else:
        assert apart >= ems(label) * layout.letters
    assert min(np.diff([label.place for label in layout.down])) >= 1.1 * layout.letters


def test_the_paper_is_wide_enough_for_its_longest_labels() -> None:
    long = "도서관에서부터는요"
    layout = laid_out(Grid.of(AttentionMap.from_arrays(np.eye(8), [long] * 8, [long] * 8)))
    last = layout.across[-1]
    assert layout.left >= ems(long) * layout.letters
    assert layout.sheet_width >= layout.left + last.place + ems(last.text) * layout.letters * 0.7


def test_a_long_label_is_shortened_and_whole_when_pointed_at() -> None:
    long = "가" * 40
    picture = svg(Grid.of(AttentionMap.from_arrays([[1.0]], [long], ["b"])))
    assert long not in texts(picture)
    assert long in titles(picture)


def test_a_large_map_stays_small_and_quick(tmp_path: Path) -> None:
    labels = [f"단어{place}" for place in range(1000)]
    noise = np.random.default_rng(0).random((1000, 1000))
    full = AttentionMap.from_arrays(noise / noise.sum(1, keepdims=True), labels, labels)
    start = time.perf_counter()
    full.save(tmp_path / "large.svg")
    assert time.perf_counter() - start < 3
    assert (tmp_path / "large.svg").stat().st_size < 5_000_000
    picture = (tmp_path / "large.svg").read_text("utf-8")
    assert len(texts(picture)) < 200
    image = next(ElementTree.fromstring(picture).iter(f"{SVG}image")).get("href", "")
    assert pixels(base64.b64decode(image.removeprefix("data:image/png;base64,"))).shape == (1000, 1000, 3)


def pixels(content: bytes) -> np.ndarray[Any, Any]:
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def test_the_image_of_a_large_map_has_the_colours_of_its_weights() -> None:
    weights = np.random.default_rng(0).random((120, 110))
    full = AttentionMap.from_arrays(weights, ["r"] * 120, ["c"] * 110)
    picture = svg(Grid.of(full), "viridis")
    image = next(ElementTree.fromstring(picture).iter(f"{SVG}image")).get("href", "")
    drawn = pixels(base64.b64decode(image.removeprefix("data:image/png;base64,")))
    np.testing.assert_array_equal(drawn, shades("viridis")[(full.matrix * 255).round().astype(int)])


def test_the_png_shows_the_weights(tmp_path: Path) -> None:
    full = AttentionMap.from_arrays([[1.0, 0.0], [0.0, 1.0]], ["a", "b"], ["c", "d"])
    full.save(tmp_path / "look.png", palette="grey")
    drawn = pixels((tmp_path / "look.png").read_bytes())
    layout = laid_out(Grid.of(full))
    for row in range(2):
        for column in range(2):
            x, y = (2 * (layout.left + 40 * column + 10), 2 * (layout.top + 40 * row + 10))
            assert drawn[int(y), int(x)].tolist() == [255 * (row == column)] * 3


def test_in_grey_white_is_one_as_in_the_paper(tmp_path: Path) -> None:
    """However small the largest weight is; other palettes end there."""
    full = AttentionMap.from_arrays([[[0.2, 0.1]] * 2] * 2, ["a", "b"], ["c", "d"])
    for draw in (lambda palette: matrix_scene(Grid.of(full), palette), lambda palette: heads_scene(full, palette)):
        for palette, largest in (("grey", round(0.2 * 255)), ("blue", 255)):
            cells = next(item for item in draw(palette).items if isinstance(item, Cells))
            assert cells.shades.max() == largest, palette
    save_html(full, tmp_path / "grey.html", palette="grey")
    assert '"top":1.0' in (tmp_path / "grey.html").read_text("utf-8")
    layout = laid_out(Grid.of(full))
    full.save(tmp_path / "look.png", palette="grey")
    save_film([full], tmp_path / "film.gif", palette="grey")
    for name in ("look.png", "film.gif"):
        drawn = pixels((tmp_path / name).read_bytes())
        sheet = drawn.shape[1] / layout.sheet_width
        assert abs(int(drawn[int(sheet * (layout.top + 10)), int(sheet * (layout.left + 10)), 0]) - 51) < 4, name


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_map_gives_the_same_file(tmp_path: Path, ending: str) -> None:
    for name in ("a", "b"):
        simple("title").save(tmp_path / f"{name}.{ending}")
    assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


def test_matplotlib_keeps_its_settings_and_loads_no_pyplot(tmp_path: Path) -> None:
    code = f"""
import matplotlib, sys
from jumok.viewing import AttentionMap

def settings():  # reading the backend would load pyplot
    return {{name: matplotlib.rcParams[name] for name in matplotlib.rcParams if name != "backend"}}

before = settings()
AttentionMap.from_arrays([[1.0]], ["a"], ["b"]).save({str(tmp_path / "a.png")!r})
print(before == settings(), "matplotlib.pyplot" in sys.modules)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "True False"


@pytest.mark.parametrize("name", ["look.gift", "look", "look.jpg"])
def test_an_unknown_ending_lists_those_known(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"end the name in \.svg, \.html, \.png, \.pdf, \.gif, \.json"):
        simple().save(tmp_path / name)


def test_unknown_names_are_one_clear_line(tmp_path: Path) -> None:
    for ending in ENDINGS:
        with pytest.raises(ValueError, match="unknown palette 'blu': did you mean 'blue'"):
            simple().save(tmp_path / f"a.{ending}", palette="blu")
        with pytest.raises(ValueError, match="unknown side 'targets': did you mean 'target'"):
            simple().save(tmp_path / f"a.{ending}", rows="targets")
    assert list(tmp_path.iterdir()) == []


def test_an_ending_may_be_written_large(tmp_path: Path) -> None:
    simple().save(tmp_path / "LOOK.SVG")
    assert (tmp_path / "LOOK.SVG").read_bytes().startswith(b"<svg")


@pytest.mark.parametrize(("weights", "top"), [([[0.9]], 1.0), ([[0.03]], 0.05), ([[1.7]], 2.0), ([[0.0]], 1.0)])
def test_the_scale_ends_at_a_round_number(weights: list[list[float]], top: float) -> None:
    grid = Grid.of(AttentionMap.from_arrays(weights, ["a"], ["b"]))
    assert grid.top == top
    assert f"{top:g}" in texts(svg(grid))
