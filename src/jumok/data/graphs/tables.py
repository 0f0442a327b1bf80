"""Graphs in two tables: a list of edges, and the nodes with their labels and features."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jumok.core.files import check_file
from jumok.data.graphs.graph import SPLITS, Graph, Rows

ENDINGS = (".tsv", ".csv", ".txt")
_HINT = "; in a .csv commas are between them, in a .tsv tabs, in a .txt tabs or spaces"
HEADERS = frozenset({("source", "target"), ("from", "to")})


class Line(NamedTuple):
    """The fields of a row, and the line on which it ends."""

    number: int
    fields: list[str]


def read_tables(edges: Path, nodes: Path) -> Graph:
    """The graph of two tables, .csv, or .tsv and .txt with tabs.

    edges: a source and a target in each row, by name; a first row 'source, target' is a header. A .txt without tabs is
    read as edge lists often are: spaces between the names, and lines that begin with '#' say something else.
    nodes: a header, then a node in each row. The first column is its name, `label` its label ('' where none is known),
    `split` one of train, validation, test ('' for none); every other column is a feature. Without any, each node is
    one.
    """
    header, *lines = _lines(nodes) or [Line(1, [])]
    if len(set(header.fields)) < len(header.fields):
        raise ValueError(f"{nodes}: two columns have the same name")
    if not lines:
        raise ValueError(f"{nodes}: no nodes; give a header, then a row for each node")
    numbers: dict[str, int] = {}
    for line in lines:
        if len(line.fields) != len(header.fields):
            told = f"{len(line.fields)} fields, but the header has {len(header.fields)}"
            raise ValueError(f"{nodes}:{line.number}: {told}; give every row as many")
        if not line.fields[0]:
            raise ValueError(f"{nodes}:{line.number}: the node has no name; write it in the first column")
        if line.fields[0] in numbers:
            raise ValueError(f"{nodes}:{line.number}: node {line.fields[0]!r} is there twice; leave one out")
        numbers[line.fields[0]] = len(numbers)
    names = list(numbers)
    columns = [place for place, name in enumerate(header.fields) if place and name not in ("label", "split")]
    features = _features(nodes, lines, columns, header.fields) if columns else Rows.identity(len(names))
    try:
        return Graph.of(
            features,
            _edges(edges, numbers, nodes),
            _column(lines, header.fields, "label"),
            names=names,
            feature_names=[header.fields[place] for place in columns] if columns else None,
            **_splits(nodes, lines, header.fields),
        )
    except ValueError as error:
        if str(error).startswith((str(nodes), str(edges))):
            raise
        raise ValueError(f"{nodes}: {error}") from None


def _lines(path: Path) -> list[Line]:
    """All rows that are not empty."""
    check_file(path, "name a .csv, .tsv or .txt")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            delimiter = "," if path.suffix.lower() == ".csv" else "\t"
            rows = csv.reader(file, delimiter=delimiter, strict=True)
            return [Line(rows.line_num, [text.strip() for text in row]) for row in rows if any(map(str.strip, row))]
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 ({error.reason}); convert it first") from None
    except csv.Error as error:
        raise ValueError(f"{path}: not a valid table ({error})") from None


def _edges(path: Path, numbers: dict[str, int], nodes: Path) -> list[tuple[int, int]]:
    lines = _lines(path)
    if path.suffix.lower() == ".txt" and all(len(line.fields) == 1 for line in lines):
        lines = [Line(line.number, line.fields[0].split()) for line in lines if not line.fields[0].startswith("#")]
    if not lines:
        raise ValueError(f"{path}: is empty; give a source and a target in each row, or only a header for no edges")
    if tuple(map(str.lower, lines[0].fields[:2])) in HEADERS:
        lines = lines[1:]
    pairs = []
    for line in lines:
        if len(line.fields) < 2:
            raise ValueError(
                f"{path}:{line.number}: expected a source and a target, got only {line.fields[0]!r}{_HINT}"
            )
        strange = next((name for name in line.fields[:2] if name not in numbers), None)
        if strange is not None:
            raise ValueError(f"{path}:{line.number}: there is no node {strange!r} in {nodes}; add it there")
        pairs.append((numbers[line.fields[0]], numbers[line.fields[1]]))
    return pairs


def _features(path: Path, lines: Sequence[Line], columns: Sequence[int], header: Sequence[str]) -> Rows:
    table = np.zeros((len(lines), len(columns)), np.float32)
    for row, line in enumerate(lines):
        for column, place in enumerate(columns):
            table[row, column] = _number(line.fields[place])
            if not np.isfinite(table[row, column]):
                what = f"{header[place]!r} is {line.fields[place]!r}"
                raise ValueError(f"{path}:{line.number}: {what}; features are finite numbers")
    return Rows.of(table)


def _number(text: str) -> np.float32:
    """A number; NaN for what is none, infinity for what is too large."""
    try:
        with np.errstate(over="ignore"):
            return np.float32(float(text))
    except ValueError:
        return np.float32("nan")


def _column(lines: Sequence[Line], header: Sequence[str], name: str) -> list[str] | None:
    return [line.fields[header.index(name)] for line in lines] if name in header[1:] else None


def _splits(path: Path, lines: Sequence[Line], header: Sequence[str]) -> dict[str, Any]:
    told = _column(lines, header, "split")
    if told is None:
        return {}
    for line, name in zip(lines, told, strict=True):
        if name and name not in SPLITS:
            raise ValueError(f"{path}:{line.number}: there is no split {name!r}; known: {', '.join(SPLITS)}")
    return {split: [number for number, name in enumerate(told) if name == split] for split in SPLITS}
