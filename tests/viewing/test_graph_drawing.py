"""Graphs as pictures: near in the graph is near on paper, thick where a node looks, the same every time."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from jumok.viewing.graph_drawing import THICKEST, scene_of
from jumok.viewing.graph_layout import distances, laid_out
from jumok.viewing.graph_look import MOST_NODES, GraphLook, LayerLook
from jumok.viewing.scene import Shape, Words
from jumok.viewing.svg import to_svg
from jumok.viewing.text import ems


def path_look(names: tuple[str, ...] = ("a", "b", "c")) -> GraphLook:
    """a - b - c in two layers; b looks mostly at a."""
    edges = np.array([[0, 1], [1, 2]])
    first = LayerLook(np.full((2, 2), 0.5, np.float32), np.full((2, 2), 0.25, np.float32), np.zeros((3, 2), np.float32))
    forth, back, own = [[0.7], [0.6]], [[0.9], [0.2]], [[0.1], [0.1], [0.4]]
    last = LayerLook(*(np.array(weights, np.float32) for weights in (forth, back, own)))
    return GraphLook(names, edges, (first, last), ("left", "left", "right"), "A path")


def test_ways_are_counted_in_edges() -> None:
    lengths = distances(5, np.array([[0, 1], [1, 2], [2, 3]]))
    assert lengths[0].tolist() == [0, 1, 2, 3, 4]  # node 4 is not joined
    assert (lengths == lengths.T).all()


def test_a_path_is_laid_out_as_a_line() -> None:
    count = 6
    places = laid_out(count, np.array([[node, node + 1] for node in range(count - 1)]))
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert steps == pytest.approx(1, abs=0.2)
    assert np.linalg.norm(places[0] - places[-1]) == pytest.approx(count - 1, rel=0.1)


def test_two_groups_stay_apart_and_come_out_the_same_again() -> None:
    one = [(a, b) for a in range(5) for b in range(a)]
    edges = np.array([*one, *((a + 5, b + 5) for a, b in one), (4, 5)])
    places = laid_out(10, edges)
    assert (places == laid_out(10, edges)).all()
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
    assert apart[:4, 6:].min() > apart[:4, :4].max()


def test_the_half_beside_a_node_is_as_thick_as_its_look() -> None:
    widths = {item.says: item.width for item in scene_of(path_look()).items if isinstance(item, Shape) and item.says}
    for said, weight in (("b looks at a", 0.7), ("a looks at b", 0.9), ("c looks at b", 0.6), ("b looks at c", 0.2)):
        assert widths[f"{said}: {weight:.3f}"] == pytest.approx(THICKEST * weight)


def test_the_first_layer_shows_the_mean_of_its_heads() -> None:
    said = [item.says for item in scene_of(path_look(), layer=0).items if isinstance(item, Shape)]
    assert "b looks at a: 0.500" in said
    assert "a looks at b: 0.250" in said


def test_labels_have_colours_and_the_picture_is_valid() -> None:
    text = to_svg(scene_of(path_look(("<a>", "철수", "c & d"))))
    root = ET.fromstring(text)
    written = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")]
    assert {"<a>", "left", "right", "A path"} <= set(written)
    fills = re.findall(r'fill="(#[0-9a-f]{6})" stroke="#ffffff"', text)
    assert fills[0] == fills[1] != fills[2]


def test_two_labels_never_share_a_colour() -> None:
    count = 20
    labels = ("often", "often", *(f"label {number}" for number in range(count - 2)))
    layer = LayerLook(np.ones((1, 1), np.float32), None, None)
    look = GraphLook(tuple(map(str, range(count))), np.array([[0, 1]]), (layer,), labels)
    scene = scene_of(look)
    fills = [item.fill for item in scene.items if isinstance(item, Shape) and item.stroke == "paper"]
    assert len(fills) == count
    assert fills[0] == fills[1]
    grey = max(set(fills), key=fills.count)
    coloured = [fill for fill in fills[1:] if fill != grey]
    assert len(set(coloured)) == len(coloured) == 6
    written = [item for item in scene.items if isinstance(item, Words)]
    assert "others" in [item.text for item in written]
    assert all(item.x + ems(item.text) * item.size < scene.width for item in written if item.anchor == "start")


def test_a_map_has_a_row_for_each_node_and_columns_for_what_it_saw() -> None:
    look = path_look().map([1])
    assert (look.rows, look.columns) == (("b",), ("a", "b", "c"))
    assert look.matrix[0].tolist() == pytest.approx([0.7, 0.1, 0.2])
    assert path_look().map(layer=0).heads == 2


def test_what_lies_around_a_node() -> None:
    around = path_look().around(0)
    assert (around.nodes, around.labels, around.edges.tolist()) == (("a", "b"), ("left", "left"), [[0, 1]])
    assert around.layers[1].weights.tolist() == [[pytest.approx(0.7)]]
    assert path_look().around(0, steps=2).nodes == ("a", "b", "c")


def test_edges_that_go_one_way_have_one_look() -> None:
    one_way = LayerLook(np.array([[1.0], [1.0]], np.float32), None, None)
    look = GraphLook(("a", "b", "c"), np.array([[0, 1], [1, 2]]), (one_way,))
    said = [item.says for item in scene_of(look).items if isinstance(item, Shape) and "looks" in item.says]
    assert said == ["b looks at a: 1.000", "c looks at b: 1.000"]
    assert look.map([0]).columns == ()


@pytest.mark.parametrize("ending", ["svg", "html", "png", "pdf", "json"])
def test_every_ending_is_written(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"look.{ending}"
    path_look().save(path)
    assert path.stat().st_size > 200


def test_what_cannot_be_drawn_is_one_line(tmp_path: Path) -> None:
    count = MOST_NODES + 1
    many = GraphLook(tuple(map(str, range(count))), np.array([[0, 1]]), (LayerLook(np.ones((1, 1)), None, None),))
    with pytest.raises(ValueError, match="too many to draw: name a node"):
        many.save(tmp_path / "many.svg")
    with pytest.raises(ValueError, match="too many for one table"):
        many.map()
    with pytest.raises(ValueError, match="there is no layer 2"):
        path_look().map(layer=2)
    with pytest.raises(ValueError, match="there is no node 3"):
        path_look().around(3)
    with pytest.raises(ValueError, match="end the name in"):
        path_look().save(tmp_path / "look.gif")
