"""The record of a look: what came out, what was looked at, and how much."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from jumok.viewing.text import SPACE

if TYPE_CHECKING:
    from jumok.viewing.terminal import Drawing

Weights = NDArray[np.float32]

KIND = "attention-map"
VERSION = 1
SPECIAL = -1
MARKS = frozenset(
    {"<start>", "<end>", "<s>", "</s>", "<bos>", "<eos>", "<sos>", "<pad>", "[CLS]", "[SEP]", "[PAD]", "[BOS]", "[EOS]"}
)
"""Labels that stand for no word."""


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """What was looked at: rows = what came out, columns = what was looked at.

    weights: `(layers, heads, rows, columns)`, float32, a copy that cannot be written to.
    rows, columns: the pieces as people read them; "▁" marks the space before a word, "<end>" the end of the sentence.
    row_words, column_words: the number of the word that each piece is a part of; -1 for special ones.
    row_name, column_name: the names of the axes.
    grid: rows and columns of the picture's regions, where columns are regions, from the top left, row by row.
    picture: that picture as PNG or JPEG bytes, of just what the regions cover.

    >>> look = AttentionMap.from_arrays([[0.9, 0.1], [0.2, 0.8]], ["I", "came"], ["나는", "왔다"])
    >>> look
    AttentionMap(target 2 x source 2)
    >>> look.links()
    [(0, 0), (1, 1)]
    """

    weights: Weights
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_words: tuple[int, ...]
    column_words: tuple[int, ...]
    row_name: str = "target"
    column_name: str = "source"
    title: str = ""
    grid: tuple[int, int] | None = None
    picture: bytes | None = None

    def __post_init__(self) -> None:
        weights = _numbers(self.weights)
        for name in ("rows", "columns"):
            _set(self, name, _labels(name, getattr(self, name)))
        for name, labels in (("row_words", self.rows), ("column_words", self.columns)):
            _set(self, name, _word_numbers(name, getattr(self, name), len(labels)))
        for name in ("row_name", "column_name", "title"):
            _labels(name, [getattr(self, name)])
        _check(weights, len(self.rows), len(self.columns))
        _set(self, "grid", _checked_grid(self.grid, len(self.columns)))
        if self.picture is not None and self.grid is None:
            raise ValueError("picture: goes with a grid, the rows and columns of its regions")
        weights.setflags(write=False)
        _set(self, "weights", weights)

    @classmethod
    def from_arrays(
        cls,
        weights: object,
        rows: Sequence[str],
        columns: Sequence[str],
        *,
        row_words: Sequence[int] | None = None,
        column_words: Sequence[int] | None = None,
        row_name: str = "target",
        column_name: str = "source",
        title: str = "",
        grid: tuple[int, int] | None = None,
        picture: bytes | None = None,
    ) -> AttentionMap:
        """A map of an array or tensor: `(rows, columns)`, with heads or with layers and heads before them.

        Without word numbers every label is a word of its own, but for the usual marks of start, end and padding
        (`<start>`, `<end>`, `<s>`, `</s>`, ...), which are special.
        """
        numbers = _numbers(weights)
        if numbers.ndim not in (2, 3, 4):
            raise ValueError(
                f"weights of shape {numbers.shape}: give (rows, columns), (heads, rows, columns)"
                " or (layers, heads, rows, columns)"
            )
        return cls(
            weights=numbers.reshape((1,) * (4 - numbers.ndim) + numbers.shape),
            rows=_labels("rows", rows),
            columns=_labels("columns", columns),
            row_words=_each_a_word(rows) if row_words is None else tuple(row_words),
            column_words=_each_a_word(columns) if column_words is None else tuple(column_words),
            row_name=row_name,
            column_name=column_name,
            title=title,
            grid=grid,
            picture=picture,
        )

    @classmethod
    def over_picture(
        cls,
        weights: object,
        rows: Sequence[str],
        grid: tuple[int, int],
        picture: bytes | None,
        *,
        row_words: Sequence[int] | None = None,
        title: str = "",
    ) -> AttentionMap:
        """A map whose columns are the regions of a picture, each called by its row and column, from 1."""
        places = [f"{row + 1},{column + 1}" for row in range(grid[0]) for column in range(grid[1])]
        return cls.from_arrays(
            weights,
            rows,
            places,
            row_words=row_words,
            row_name="caption",
            column_name="picture",
            title=title,
            grid=grid,
            picture=picture,
        )

    @property
    def layers(self) -> int:
        """How many layers there are."""
        return int(self.weights.shape[0])

    @property
    def heads(self) -> int:
        """How many heads each layer has."""
        return int(self.weights.shape[1])

    @property
    def matrix(self) -> Weights:
        """`(rows, columns)`: the mean over the heads of the last layer."""
        matrix: Weights = self.select().weights[0, 0]
        return matrix

    def select(self, layer: int | None = -1, head: int | None = None) -> AttentionMap:
        """The same map with one layer and one head; None is the mean over all of them."""
        weights = _chosen(_chosen(self.weights, 0, layer, "layer"), 1, head, "head")
        return replace(self, weights=weights)

    def words(self) -> AttentionMap:
        """Subwords merged to words: columns of one word are summed, rows of one word are averaged.

        The look of a full stop or a comma is not that of the word it stands at, and does not count there.
        """
        rows, columns = _groups(self.row_words), _groups(self.column_words)
        weights = _means(_sums(self.weights, columns, axis=3), [_told(self.rows, group) for group in rows], axis=2)
        return replace(
            self,
            weights=weights,
            rows=_joined(self.rows, rows),
            columns=_joined(self.columns, columns),
            row_words=tuple(self.row_words[group[0]] for group in rows),
            column_words=tuple(self.column_words[group[0]] for group in columns),
        )

    def without_special(self, renormalize: bool = True) -> AttentionMap:
        """Drop special rows and columns; the rows left sum to what they summed to, unless told not to.

        A row that looked at special columns only has nothing left and stays zero.
        """
        rows = [i for i, word in enumerate(self.row_words) if word != SPECIAL]
        columns = [i for i, word in enumerate(self.column_words) if word != SPECIAL]
        before = self.weights[:, :, rows]
        weights = before[:, :, :, columns]
        if renormalize:
            left = weights.sum(axis=3, keepdims=True, dtype=np.float64)
            wanted = before.sum(axis=3, keepdims=True, dtype=np.float64)
            weights = weights * np.divide(wanted, left, out=np.zeros_like(left), where=left > 0)
        return replace(
            self,
            weights=weights,
            rows=tuple(self.rows[i] for i in rows),
            columns=tuple(self.columns[i] for i in columns),
            row_words=tuple(self.row_words[i] for i in rows),
            column_words=tuple(self.column_words[i] for i in columns),
        )

    def links(self, threshold: float | None = None) -> list[tuple[int, int]]:
        """Hard alignment `[(row, column), ...]`: the largest weight of each row, or every one from `threshold` up.

        A row of zeros looks at nothing, and has no link.
        """
        matrix = self.matrix
        if threshold is None:
            found = [(row, int(weights.argmax())) for row, weights in enumerate(matrix) if weights.any()]
        else:
            found = [(int(row), int(column)) for row, column in np.argwhere(matrix >= threshold)]
        return found

    def to_dict(self, digits: int = 6) -> dict[str, Any]:
        """The map as plain values, versioned; weights have 6 significant digits, or as many as told."""
        rounded = [float(f"{weight:.{digits}g}") for weight in self.weights.ravel().tolist()]
        seen: dict[str, Any] = {} if self.grid is None else {"grid": list(self.grid)}
        if self.picture is not None:
            seen["picture"] = base64.b64encode(self.picture).decode()
        return {
            "jumok": KIND,
            "version": VERSION,
            "title": self.title,
            "row_name": self.row_name,
            "column_name": self.column_name,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "row_words": list(self.row_words),
            "column_words": list(self.column_words),
            **seen,
            "weights": np.array(rounded, np.float64).reshape(self.weights.shape).tolist(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> AttentionMap:
        """The map that `to_dict` gave."""
        if not isinstance(values, Mapping) or values.get("jumok") != KIND:
            raise ValueError(f'not an attention map: expected an object with "jumok": "{KIND}"')
        version = values.get("version")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            raise ValueError(f"attention map of version {version!r}: expected a number from 1 to {VERSION}")
        if version > VERSION:
            raise ValueError(f"attention map of version {version}: this jumok reads up to {VERSION}; use a newer jumok")
        names = ("weights", "rows", "columns", "row_words", "column_words", "row_name", "column_name", "title")
        missing = [name for name in names if name not in values]
        if missing:
            raise ValueError(f"damaged attention map: no {', '.join(missing)}")
        try:
            given = {name: values[name] for name in names}
            shape = (len(given["rows"]), len(given["columns"]))
            if 0 in shape:  # nested lists do not tell what comes after an axis of length 0
                given["weights"] = np.zeros(_leading(given["weights"]) + shape, np.float32)
            if values.get("picture") is not None:
                given["picture"] = base64.b64decode(values["picture"], validate=True)
            return cls(**given, grid=values.get("grid"))
        except (TypeError, ValueError, OverflowError, LookupError) as error:
            raise ValueError(f"damaged attention map: {error}") from None

    def to_json(self) -> str:
        """The map as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> AttentionMap:
        """The map that `to_json` gave."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"damaged attention map: not JSON ({error})") from None
        return cls.from_dict(values)

    @classmethod
    def load(cls, path: str | Path) -> AttentionMap:
        """Read a `.json` that `save` wrote."""
        path = Path(path)
        if path.suffix.lower() != ".json":
            raise ValueError(f"{path}: maps are read from .json; pictures cannot be read back")
        try:
            return cls.from_json(path.read_bytes())
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    def save(self, path: str | Path, *, form: str | None = None, rows: str = "target", palette: str = "blue") -> None:
        """Write the map; the ending says as what: .svg, .html, .png, .pdf, .gif (it follows the words) or .json.

        form: "matrix"; "lines" between the two sides; "heads", all layers and heads at once; "story", columns as lines
        of text with bars beside them; or "panels", a picture lit for each word. Without it, panels where there is a
        picture, else the matrix.
        rows: the side that stands at the left of a matrix, "target" (what came out) or "source".
        palette: "blue", "grey" (as in the paper), "viridis" or "cividis".
        """
        from jumok.viewing.saving import save

        save(self, Path(path), rows=rows, palette=palette, form=form)

    def draw(self, *, rows: str = "target") -> Drawing:
        """The map for the terminal: `rich.print(look.draw())`."""
        from jumok.viewing.grid import Grid
        from jumok.viewing.terminal import Drawing

        return Drawing(Grid.of(self, rows))

    def _repr_html_(self) -> str:
        if self.picture is not None:
            from jumok.viewing.panels import panels_svg

            return panels_svg([self])
        from jumok.viewing.grid import Grid
        from jumok.viewing.matrix import matrix_scene
        from jumok.viewing.svg import to_svg

        return to_svg(matrix_scene(Grid.of(self)))

    def __repr__(self) -> str:
        several = [f"{count} {name}" for count, name in ((self.layers, "layers"), (self.heads, "heads")) if count > 1]
        size = f"{self.row_name} {len(self.rows)} x {self.column_name} {len(self.columns)}"
        return f"AttentionMap({', '.join([size, *several])})"


def _set(record: object, name: str, value: object) -> None:
    object.__setattr__(record, name, value)


def _numbers(weights: Any) -> Weights:
    """A float32 copy of an array, nested lists or a tensor of any device and kind."""
    if hasattr(weights, "detach"):
        weights = weights.detach().cpu().float().numpy()
    try:
        return np.array(weights, dtype=np.float32)
    except (TypeError, ValueError):
        raise ValueError("weights must be numbers in rows of one length") from None


def _each_a_word(labels: Sequence[str]) -> tuple[int, ...]:
    return tuple(SPECIAL if label in MARKS else number for number, label in enumerate(labels))


def _labels(name: str, labels: Sequence[str]) -> tuple[str, ...]:
    if isinstance(labels, str):
        raise ValueError(f"{name} is one string; give a list of labels")
    for number, label in enumerate(labels):
        if not isinstance(label, str):
            raise ValueError(f"{name}[{number}] is {label!r}; a label is a string")
        try:
            label.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name}[{number}] is {label!r}, which is half of a character") from None
    return tuple(labels)


def _word_numbers(name: str, words: Sequence[int], count: int) -> tuple[int, ...]:
    if len(words) != count:
        raise ValueError(f"{name} has {len(words)} numbers for {count} labels; give one each")
    for number, word in enumerate(words):
        if isinstance(word, bool) or not isinstance(word, int | np.integer) or word < SPECIAL:
            raise ValueError(f"{name}[{number}] is {word!r}; give the number of a word, or -1 for a special piece")
    return tuple(int(word) for word in words)


def _checked_grid(grid: Sequence[int] | None, columns: int) -> tuple[int, int] | None:
    if grid is None:
        return None
    try:
        height, width = map(int, grid)
    except (TypeError, ValueError):
        raise ValueError(f"grid is {grid!r}; give the rows and the columns of the picture's regions") from None
    if height * width != columns:
        raise ValueError(f"a grid of {height} x {width} has {height * width} regions, but there are {columns} columns")
    return height, width


def _check(weights: Weights, rows: int, columns: int) -> None:
    if weights.ndim != 4 or 0 in weights.shape[:2]:
        raise ValueError(f"weights of shape {weights.shape}: expected (layers, heads, rows, columns)")
    if weights.shape[2:] != (rows, columns):
        raise ValueError(
            f"weights have {weights.shape[2]} rows and {weights.shape[3]} columns,"
            f" but there are {rows} row labels and {columns} column labels"
        )
    wrong = np.argwhere(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        layer, head, row, column = (int(number) for number in wrong[0])
        raise ValueError(
            f"the weight of row {row}, column {column} (layer {layer}, head {head}) is"
            f" {weights[layer, head, row, column]}; weights are finite and not negative"
        )


def _chosen(weights: Weights, axis: int, number: int | None, what: str) -> Weights:
    """One entry of an axis, or the mean over all; the axis stays."""
    count = weights.shape[axis]
    if number is None:
        return weights if count == 1 else weights.mean(axis=axis, keepdims=True)
    if not -count <= number < count:
        raise ValueError(f"there is no {what} {number}: this map has {count}, counted from 0 (-1 is the last)")
    return weights.take([number], axis=axis)


def _groups(words: Sequence[int]) -> list[list[int]]:
    """The places of each word's pieces, in the order of the words' first pieces; a special piece is alone."""
    groups: dict[object, list[int]] = {}
    for place, word in enumerate(words):
        groups.setdefault(("special", place) if word == SPECIAL else word, []).append(place)
    return list(groups.values())


def _told(labels: Sequence[str], group: Sequence[int]) -> Sequence[int]:
    """The pieces of a word that tell it: those with a letter or a digit, or all where none has one."""
    return [place for place in group if any(map(str.isalnum, labels[place]))] or group


def _joined(labels: Sequence[str], groups: Sequence[Sequence[int]]) -> tuple[str, ...]:
    pieces = ("".join(labels[place] for place in group) for group in groups)
    return tuple(word.replace(SPACE, "") or word for word in pieces)


def _sums(weights: Weights, groups: Sequence[Sequence[int]], axis: int) -> Weights:
    """Sums over groups of an axis."""
    membership = np.zeros((weights.shape[axis], len(groups)))
    for number, group in enumerate(groups):
        membership[list(group), number] = 1
    return np.moveaxis(np.moveaxis(weights, axis, -1) @ membership, -1, axis).astype(np.float32)


def _means(weights: Weights, groups: Sequence[Sequence[int]], axis: int) -> Weights:
    """Means over groups of an axis."""
    sizes = np.array([len(group) for group in groups], np.float64)
    shape = [1] * weights.ndim
    shape[axis] = len(groups)
    return (_sums(weights, groups, axis) / sizes.reshape(shape)).astype(np.float32)


def _leading(weights: Any) -> tuple[int, int]:
    """How many layers and heads nested lists have."""
    return len(weights), len(weights[0])
