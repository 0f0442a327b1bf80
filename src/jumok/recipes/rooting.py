"""Folders and files in a recipe: relative ones start from its own folder; typed after --set, from the current one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from jumok.recipes.chain import Layer
from jumok.recipes.reading import Node

FOLDERS = (("data", "root"), ("data", "path"), ("data", "nodes"), ("init",))
CORPORA = ("train", "validation", "test")
NAMES = frozenset(("file", "folder", "flickr8k", "karpathy", "coco"))
"""The fields of a corpus that name a file or a folder."""


def place_folders(node: Node, folder: Path) -> Node:
    """`node` with its relative folders made absolute, seen from `folder`; `~` is the home folder."""
    for path in FOLDERS:
        found = node.at(*path)
        if found is not None and isinstance(found.value, str | Path):
            node = _replaced(node, path, os.path.abspath(folder / Path(found.value).expanduser()))
    return node


def with_root(node: Node, chain: Sequence[Layer]) -> Node:
    """`node` with a root for its corpora, where they are files and no root was named.

    It is the folder of the recipe that names the training files; ours take that of the recipe that inherits them.
    """
    data = node.at("data")
    if data is None or data.at("root") is not None or not any(_is_files(data.at(name)) for name in CORPORA):
        return node
    naming = (layer for layer in chain if layer.found and not layer.found.is_ours)
    own = next((layer for layer in naming if _is_files(layer.node.at("data", "train"))), chain[0])
    return _replaced(node, ("data", "root"), str(own.folder))


def _is_files(corpus: Node | None) -> bool:
    if corpus is None or not isinstance(corpus.value, dict):
        return False
    return bool(NAMES & corpus.value.keys()) or ("source" in corpus.value and "hub" not in corpus.value)


def _replaced(node: Node, path: tuple[str, ...], value: str) -> Node:
    """A copy of `node` with another value at `path`, whose last part may be new."""
    if not path:
        return Node(value, node.place)
    name, *rest = path
    inner = node.value.get(name, Node(None, node.place))
    return Node({**node.value, name: _replaced(inner, tuple(rest), value)}, node.place)
