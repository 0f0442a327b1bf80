"""Graphs: what their files say, the karate club, dictionaries, and one line for what is wrong."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from jumok.data.graphs import (
    UNKNOWN,
    Graph,
    GraphFile,
    LookupData,
    Rows,
    karate,
    links_of,
    lookup,
    open_graphs,
    read_graph,
    read_npz,
    save_npz,
)
from jumok.data.graphs.lookup import HELD_OUT, dictionary
from jumok.data.mixing import key


def small(**more: object) -> Graph:
    features = [[1, 0], [0, 2], [0, 0], [3, 4]]
    return Graph.of(features, [(0, 1), (1, 2)], ["a", "b", "", "a"], **more)


def arrays(path: Path, **more: object) -> Path:
    values = {"edges": np.array([[0, 1], [1, 2]]), "features": np.eye(3), "labels": np.array([0, 1, 1]), **more}
    np.savez(path, **{name: value for name, value in values.items() if value is not None})  # type: ignore[arg-type]
    return path


def tables(folder: Path, edges: str, nodes: str) -> tuple[Path, Path]:
    (folder / "edges.csv").write_text(edges, encoding="utf-8")
    (folder / "nodes.csv").write_text(nodes, encoding="utf-8")
    return folder / "edges.csv", folder / "nodes.csv"


SPLIT = {"train": np.array([0, 1]), "validation": np.array([2])}

NODES = "name,label,split,age,height\nann,x,train,1,2\nbob,y,train,0,0\n철수,x,validation,4,0.5\neve,,,7,1\n"


def test_sparse_rows_are_the_dense_table() -> None:
    table = np.array([[0, 1.5, 0], [0, 0, 0], [2, 0, -3]], np.float32)
    rows = Rows.of(table)
    assert (rows.dense() == table).all()
    assert len(rows.values) == 3
    assert np.abs(rows.normalized().dense()).sum(1).tolist() == pytest.approx([1, 0, 1])


def test_a_graph_is_written_and_read_back(tmp_path: Path) -> None:
    graph = small(names=["p", "q", "r", "s"], feature_names=["f", "g"], train=[0], validation=[1], test=[3])
    save_npz(graph, tmp_path / "graph.npz")
    again = read_npz(tmp_path / "graph.npz")
    assert (again.features.dense() == graph.features.dense()).all()
    assert (again.edges == graph.edges).all()
    assert (again.labels == graph.labels).all()
    assert (again.classes, again.names, again.feature_names) == (graph.classes, graph.names, graph.feature_names)
    assert {name: nodes.tolist() for name, nodes in again.splits.items()} == {
        "train": [0],
        "validation": [1],
        "test": [3],
    }


def test_masks_and_numbers_are_the_same_split(tmp_path: Path) -> None:
    path = arrays(tmp_path / "g.npz", train=np.array([True, False, True]), validation=np.array([1]))
    graph = read_npz(path)
    assert graph.splits["train"].tolist() == [0, 2]
    assert graph.splits["validation"].tolist() == [1]


def test_planetoids_split_is_the_first_the_next_500_and_the_index(tmp_path: Path) -> None:
    count = 700
    path = arrays(
        tmp_path / "p.npz",
        features=np.ones((count, 1)),
        labels=np.zeros(count, int),
        n_train=np.array(140),
        test_index=np.arange(650, 700),
    )
    splits = read_npz(path).splits
    assert splits["train"].tolist() == list(range(140))
    assert splits["validation"].tolist() == list(range(140, 640))
    assert splits["test"].tolist() == list(range(650, 700))


def test_edges_may_lie_on_their_side() -> None:
    edges = [(0, 1), (1, 2), (2, 3)]
    lying = Graph.of(np.eye(4), np.array(edges).T)
    assert lying.edges.tolist() == [list(edge) for edge in edges]


def test_tables_name_their_nodes(tmp_path: Path) -> None:
    graph = read_graph(*tables(tmp_path, "source,target\nann,bob\n철수,ann\n", NODES))
    assert graph.names == ("ann", "bob", "철수", "eve")
    assert graph.edges.tolist() == [[0, 1], [2, 0]]
    assert [graph.label(node) for node in range(4)] == ["x", "y", "x", None]
    assert graph.feature_names == ("age", "height")
    assert graph.features.dense()[2].tolist() == [4, 0.5]
    assert graph.splits["train"].tolist() == [0, 1]
    assert graph.number("철수") == 2


def test_without_features_each_node_is_one(tmp_path: Path) -> None:
    graph = read_graph(*tables(tmp_path, "a,b\n", "name,label\na,x\nb,y\n"))
    assert (graph.features.dense() == np.eye(2)).all()


@pytest.mark.parametrize(
    ("edges", "nodes", "said"),
    [
        ("ann,bob\nann,zoe\n", NODES, "edges.csv:2: there is no node 'zoe'"),
        ("ann\n", NODES, "edges.csv:1: expected a source and a target"),
        ("ann,bob\n", "name,label,age\nann,x,old\n", "nodes.csv:2: 'age' is 'old'; features are finite numbers"),
        ("ann,bob\n", "name,label,age\nann,x,nan\n", "nodes.csv:2: 'age' is 'nan'"),
        ("ann,bob\n", "name,label,age\nann,x,1e300\n", "nodes.csv:2: 'age' is '1e300'"),
        ("", NODES, "edges.csv: is empty"),
        ("ann,bob\n", "name,label\n,x\n", "nodes.csv:2: the node has no name"),
        ("ann,bob\n", "name,label\nann,x\nann,y\n", "nodes.csv:3: node 'ann' is there twice"),
        ("ann,bob\n", "name,label\nann\n", "nodes.csv:2: 1 fields, but the header has 2"),
        ("ann,bob\n", "name,split\nann,dev\nbob,\n", "there is no split 'dev'; known: train, validation, test"),
        ("ann,bob\n", "name,label,split\nann,,train\nbob,,\n", "node 0 has no label"),
        ("ann,bob\n", "name\n", "no nodes"),
        ("ann,bob\n", 'name\n"ann\n', "not a valid table"),
    ],
)
def test_a_wrong_table_is_one_line(tmp_path: Path, edges: str, nodes: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"nodes\.csv|edges\.csv") as caught:
        read_graph(*tables(tmp_path, edges, nodes))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_list_of_edges_may_have_spaces_between_names(tmp_path: Path) -> None:
    _, nodes = tables(tmp_path, "", NODES)
    edges = tmp_path / "edges.txt"
    edges.write_text("# from a web page\nann bob\n철수  ann\n", "utf-8")
    assert read_graph(edges, nodes).edges.tolist() == [[0, 1], [2, 0]]
    edges.write_text("# two names each\nann bob\n철수\n", "utf-8")
    with pytest.raises(ValueError, match=r"edges\.txt:3: expected a source and a target, got only '철수'"):
        read_graph(edges, nodes)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"edges": None}, "there is no array 'edges'"),
        ({"edges": np.array([[0, 1], [1, 3]])}, "number 1 (from 0) goes to node 3, which is not there"),
        ({"edges": np.array([[-1, 1]])}, "goes from node -1"),
        ({"edges": np.array([[0.5, 1]])}, "expected whole numbers"),
        ({"labels": np.array([0, 1])}, "there are 2 for 3 nodes"),
        ({"features": np.array([[1.0], [np.inf], [0.0]])}, "node 1 has inf"),
        ({"train": np.array([5])}, "train: node 5 is not there"),
        ({"train": np.array([0, 0])}, "train: a node is named twice"),
        ({"train": np.array([0]), "test": np.array([0])}, "node 0 is in train and in test"),
        ({"features": None, "feat_indptr": np.array([0, 1])}, "there is no array 'feat_indices'"),
        ({"features": np.array([{}], dtype=object)}, "pickled objects are never read"),
        ({"features": np.full((3, 1), 1e300)}, "node 0 has inf"),
        ({"features": np.full((3, 1), 1j)}, "expected a row of numbers"),
        ({"features": None, "labels": None, "edges": np.array([["a", "b"]])}, "edges: expected whole numbers"),
        ({"n_train": np.array([1, 2]), "test_index": np.array([2])}, "n_train: expected a number from 0, got [1, 2]"),
        ({"names": np.array(["a", "b", "a"])}, "names: 'a' is there twice"),
        ({"feature_names": np.array(["a", "b"])}, "feature_names: there are 2 for 3 features"),
    ],
)
def test_a_wrong_npz_is_one_line(tmp_path: Path, more: dict[str, object], said: str) -> None:
    path = arrays(tmp_path / "wrong.npz", **more)
    with pytest.raises(ValueError, match=r"wrong\.npz") as caught:
        read_npz(path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def sparse(shape: object) -> dict[str, np.ndarray]:
    lists = {"feat_indptr": np.arange(4), "feat_indices": np.arange(3), "feat_data": np.ones(3)}
    return {**lists, "shape": np.array(shape)}


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        (3, "shape: expected the numbers of rows and columns"),
        (["3", "3"], "shape: expected a number from 0"),
        ([3, -3], "shape: expected a number from 0"),
        ([4, 3], "features: 3 rows, but shape says 4"),
        ([3, 2], "features: column 2 of a table of 2 columns"),
    ],
)
def test_a_sparse_table_that_does_not_fit_its_shape_is_one_line(tmp_path: Path, shape: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_npz(arrays(tmp_path / "wrong.npz", features=None, **sparse(shape)))
    assert read_npz(arrays(tmp_path / "right.npz", features=None, **sparse([3, 3]))).features.width == 3


def damaged(whole: bytes) -> dict[str, bytes]:
    head = b"{'descr': '<i8', 'fortran_order': False, 'shape': (1000000000000, 2), }".ljust(117) + b"\n"
    npy, packed, greedy = io.BytesIO(), io.BytesIO(), io.BytesIO()
    np.save(npy, np.eye(2))
    np.savez_compressed(packed, edges=np.random.default_rng(0).integers(0, 9, (999, 2)))
    flipped = bytearray(packed.getvalue())
    for place in range(len(flipped) // 2, len(flipped) // 2 + 300):
        flipped[place] ^= 0x55
    with zipfile.ZipFile(greedy, "w") as archive:  # its head asks for 16 TB
        archive.writestr("edges.npy", b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + bytes(64))
    cut = {"half": whole[: len(whole) // 2], "without its end": whole[:-10], "nothing": b""}
    return cut | {"one array": npy.getvalue(), "flipped bits": bytes(flipped), "greedy": greedy.getvalue()}


def test_a_damaged_npz_is_one_line(tmp_path: Path) -> None:
    path = arrays(tmp_path / "g.npz")
    for what, content in damaged(path.read_bytes()).items():
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"g\.npz: not an \.npz file of plain arrays, or damaged") as caught:
            read_npz(path)
        assert "\n" not in str(caught.value), what


def test_files_of_other_kinds_are_named(tmp_path: Path) -> None:
    for name, said in (("ind.cora.x", "pickles"), ("g.json", "cannot tell"), ("g.csv", "needs the table of its nodes")):
        with pytest.raises(ValueError, match=said):
            read_graph(tmp_path / name)
    with pytest.raises(FileNotFoundError, match=r"none\.npz: there is no such file"):
        read_graph(tmp_path / "none.npz")
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(IsADirectoryError, match=r"folder\.npz: is a folder, not a file"):
        read_graph(tmp_path / "folder.npz")
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(ValueError, match=r"not an \.npz file"):
        read_graph(tmp_path / "text.npz")


def test_an_edge_given_twice_or_both_ways_is_one_way_each() -> None:
    graph = Graph.of(np.eye(3), [(0, 1), (1, 0), (0, 1), (2, 2)])
    links = links_of(graph, directed=False)
    assert sorted(zip(*links.pairs.tolist(), strict=True)) == [(0, 1), (1, 0), (2, 2)]
    assert links.back is not None
    for edge, (source, target) in enumerate(graph.edges.tolist()):
        assert links.pairs[:, links.along[edge]].tolist() == [source, target]
        assert links.pairs[:, links.back[edge]].tolist() == [target, source]
    one_way = links_of(graph, directed=True)
    assert one_way.back is None
    assert one_way.pairs.shape[1] == 3


def test_the_club_is_zacharys() -> None:
    club = karate()
    degrees = np.bincount(club.edges.reshape(-1), minlength=34)
    assert len({tuple(sorted(edge)) for edge in club.edges.tolist()}) == 78
    assert sorted(degrees.tolist(), reverse=True)[:5] == [17, 16, 12, 10, 9]
    assert (degrees[0], degrees[33], degrees[11]) == (16, 17, 1)
    assert np.bincount(club.labels).tolist() == [17, 17]
    assert sum(len(nodes) for nodes in club.splits.values()) == 34


def test_a_split_follows_from_its_seed_and_leaves_no_class_out(tmp_path: Path) -> None:
    labels = np.array([0] * 40 + [1] * 9 + [2])
    np.savez(tmp_path / "g.npz", edges=np.array([[0, 1]]), features=np.ones((50, 1)), labels=labels)
    path = str(tmp_path / "g.npz")
    first, again, other = (open_graphs(GraphFile(path=path, split_seed=seed)).example for seed in (0, 0, 1))
    parts = [nodes.tolist() for nodes in first.splits.values()]
    assert parts == [nodes.tolist() for nodes in again.splits.values()]
    assert parts != [nodes.tolist() for nodes in other.splits.values()]
    assert sorted(node for part in parts for node in part) == list(range(50))
    assert set(labels[first.splits["train"]].tolist()) == {0, 1, 2}
    assert len(first.splits["train"]) == 24 + 5 + 1


@pytest.mark.parametrize("size", [4, 5, 30])
def test_dictionaries_are_permutations_and_some_are_never_trained_on(size: int) -> None:
    for number in range(20):
        for held_out in (False, True):
            values = dictionary(size, number, held_out=held_out, seed=3)
            assert sorted(values.tolist()) == list(range(size))
            assert (key(*values.tolist()) % HELD_OUT == 0) == held_out


def test_a_lookup_asks_for_the_value_of_each_key() -> None:
    size = 6
    graph = lookup(size, range(2))
    features = graph.features.dense().reshape(2, 2 * size, 2 * size + 1)
    for one in range(2):
        keys, queries = features[one, :size], features[one, size:]
        assert (keys[:, :size] == np.eye(size)).all()
        assert (queries[:, :size] == np.eye(size)).all()
        assert (queries[:, 2 * size] == 1).all()
        labels = graph.labels.reshape(2, 2 * size)[one]
        assert (labels[:size] == UNKNOWN).all()
        assert (labels[size:] == keys[:, size:].argmax(1)).all()
    own = graph.edges // (2 * size)
    assert (own[:, 0] == own[:, 1]).all()
    assert len(graph.edges) == 2 * size * size


def test_epochs_have_other_dictionaries_and_always_the_same() -> None:
    source, again = (open_graphs(LookupData(practice="lookup", size=8, graphs=5, batch=2)) for _ in range(2))
    first, second = source.training(0), source.training(1)
    assert [len(part.nodes) for part in first] == [16, 16, 8]
    assert (first[0].graph.labels == again.training(0)[0].graph.labels).all()
    assert (first[0].graph.labels != second[0].graph.labels).any()
    assert first[0].links is second[1].links


def test_a_graph_without_labels_teaches_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no labels, so there is nothing to learn"):
        open_graphs(GraphFile(path=str(arrays(tmp_path / "g.npz", labels=None))))
    with pytest.raises(ValueError, match="no node is in the split 'validation'"):
        open_graphs(GraphFile(path=str(arrays(tmp_path / "h.npz", train=np.array([0])))))
    with pytest.raises(ValueError, match="all nodes to learn from have the label '1'; give two labels at least"):
        open_graphs(GraphFile(path=str(arrays(tmp_path / "i.npz", train=np.array([1]), validation=np.array([2])))))
    with pytest.raises(ValueError, match="the nodes have no features"):
        open_graphs(GraphFile(path=str(arrays(tmp_path / "j.npz", features=np.zeros((3, 0)), **SPLIT))))
