"""The page: one file, harmless whatever the labels say, and its script steps like the Python it mirrors."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jumok.viewing import AttentionMap, save_html
from jumok.viewing.html import page
from viewing.looks import HOSTILE, hostile, look, simple


class Parsed(HTMLParser):
    """What a browser would see: the elements in order, and the text inside scripts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, str] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        self.open = [*self.open, str(attributes.get("id") or tag)]

    def handle_endtag(self, tag: str) -> None:
        self.open = self.open[:-1]

    def handle_data(self, data: str) -> None:
        if self.open:
            self.inside[self.open[-1]] = self.inside.get(self.open[-1], "") + data


def data_of(text: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(Parsed(text).inside["data"])
    return values


def test_the_page_holds_its_maps_as_json() -> None:
    full = look(2, 3, 5, 6, title="제목")
    (kept,) = data_of(page([full]))["maps"]
    again = AttentionMap.from_dict(kept)
    assert (again.rows, again.columns, again.title) == (full.rows, full.columns, full.title)
    np.testing.assert_allclose(again.weights, full.weights, rtol=1e-3)


def test_hostile_labels_change_no_element() -> None:
    harmless = AttentionMap.from_arrays(np.eye(6), list("abcdef"), list("abcdef"), title="x")
    text = page([hostile()])
    assert Parsed(text).tags == Parsed(page([harmless])).tags
    assert data_of(text)["maps"][0]["rows"] == list(HOSTILE)
    assert Parsed(text).inside["title"].startswith("</script><b>bold</b>")
    assert "</script><b>" not in text


def test_the_page_fetches_nothing() -> None:
    text = page([look(4, 4)])
    parsed = Parsed(text)
    assert not [tag for tag, attributes in parsed.tags if {"src", "href"} & set(attributes)]
    policy = next(a["content"] for tag, a in parsed.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    outside = set(re.findall(r"https?://[^\"' ]+", text))
    assert outside == {"http://www.w3.org/2000/svg"}


def test_no_user_string_is_inserted_as_markup() -> None:
    scripts = "".join((files("jumok.viewing") / "page" / name).read_text("utf-8") for name in ("drawing.js", "page.js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", scripts)


def test_several_maps_share_a_page(tmp_path: Path) -> None:
    save_html([simple("one"), look(3, 3, title="two")], tmp_path / "maps.html", rows="source", palette="viridis")
    values = data_of((tmp_path / "maps.html").read_text("utf-8"))
    assert [each["title"] for each in values["maps"]] == ["one", "two"]
    assert values["swap"] is True
    assert values["light"][0] == "#440154"
    save_html(simple("alone"), tmp_path / "map.html")
    assert len(data_of((tmp_path / "map.html").read_text("utf-8"))["maps"]) == 1


def test_a_page_needs_a_map(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no map to show"):
        save_html([], tmp_path / "none.html")
    assert list(tmp_path.iterdir()) == []


def test_every_part_that_the_script_names_is_in_the_page() -> None:
    parsed = Parsed(page([simple()]))
    ids = {attributes["id"] for _, attributes in parsed.tags if "id" in attributes}
    script = (files("jumok.viewing") / "page" / "page.js").read_text("utf-8")
    assert set(re.findall(r'part\("(\w+)"\)', script)) <= ids
    assert len(ids) == len([1 for _, attributes in parsed.tags if "id" in attributes])


def stepped(code: str, given: object) -> Any:
    """What the page's script makes of `given`, as JSON."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = (files("jumok.viewing") / "page" / "model.js").read_text("utf-8")
    program = (
        f"{script}\nconst given = JSON.parse(require('fs').readFileSync(0));\nconsole.log(JSON.stringify({code}));"
    )
    told = subprocess.run([node, "-e", program], input=json.dumps(given), capture_output=True, text=True, check=True)
    return json.loads(told.stdout)


@pytest.mark.parametrize("layer", [0, 1, None])
@pytest.mark.parametrize("head", [0, 2, None])
def test_the_script_selects_merges_and_drops_like_python(layer: int | None, head: int | None) -> None:
    full = look(2, 3, 7, 8)
    given = {"map": full.to_dict(), "choice": {"layer": layer, "head": head, "words": True, "special": False}}
    view = stepped("viewOf(given.map, given.choice)", given)
    wanted = full.select(layer, head).words().without_special()
    assert (tuple(view["rows"]), tuple(view["columns"])) == (wanted.rows, wanted.columns)
    assert (tuple(view["rowWords"]), tuple(view["columnWords"])) == (wanted.row_words, wanted.column_words)
    np.testing.assert_allclose(view["weights"], wanted.matrix, atol=1e-5)


def test_the_script_leaves_out_the_look_of_a_mark_like_python() -> None:
    full = AttentionMap.from_arrays(
        np.eye(4), ["▁집", "에", "!", "▁—"], ["▁a", "▁b", "▁c", "▁d"], row_words=[0, 0, 0, 1]
    )
    given = {"map": full.to_dict(), "choice": {"layer": 0, "head": 0, "words": True, "special": False}}
    view = stepped("viewOf(given.map, given.choice)", given)
    assert tuple(view["rows"]) == full.words().rows == ("집에!", "—")
    np.testing.assert_allclose(view["weights"], [[0.5, 0.5, 0, 0], [0, 0, 0, 1]])
    np.testing.assert_allclose(view["weights"], full.words().matrix)


def test_the_script_keeps_pieces_and_special_ones_when_asked() -> None:
    full = look(7, 8)
    given = {"map": full.to_dict(), "choice": {"layer": 0, "head": 0, "words": False, "special": True}}
    view = stepped("viewOf(given.map, given.choice)", given)
    assert tuple(view["rows"]) == full.rows
    np.testing.assert_allclose(view["weights"], full.matrix, atol=1e-5)


def test_the_script_scales_and_colours_like_python() -> None:
    from jumok.viewing.grid import ceiling
    from jumok.viewing.palettes import PALETTES, shades

    values = [0, 0.004, 0.05, 0.0501, 0.2, 0.93, 1, 1.3, 40]
    assert stepped("given.map(ceiling)", values) == [ceiling(value) for value in values]
    for stops in PALETTES.values():
        colours = stepped("[...Array(256).keys()].map((i) => colourAt(given, i / 255))", list(stops))
        name = next(name for name, known in PALETTES.items() if known == stops)
        assert np.abs(np.array(colours) - shades(name).astype(int)).max() <= 1


def test_the_script_is_valid_javascript(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    parts = (
        (files("jumok.viewing") / "page" / name).read_text("utf-8") for name in ("model.js", "drawing.js", "page.js")
    )
    (tmp_path / "whole.js").write_text("".join(parts), "utf-8")
    checked = subprocess.run([node, "--check", tmp_path / "whole.js"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
