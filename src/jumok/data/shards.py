"""A corpus as token ids on disk, mapped into memory, so that it may be larger than that."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jumok.data import mixing
from jumok.data.tokenization import BpeDropout, Tokenizer, Tokenizers

INDEX = "index.json"

Numbers = npt.NDArray[np.int64]


class Padded(NamedTuple):
    """Sentences as ids `(B, S)`, zeros after each; lengths `(B,)`, END included."""

    ids: Numbers
    lengths: Numbers


@dataclass(frozen=True)
class Side:
    """One language of a corpus: the ids of its sentences one after the other, each with its END.

    ends: where in `content` each sentence ends. lengths: the number of tokens of each, END included.
    """

    content: npt.NDArray[Any]
    ends: Numbers
    lengths: npt.NDArray[np.uint16]

    def padded(self, rows: Numbers, keys: mixing.Words | None = None) -> Padded:
        """These sentences. `keys` are for BPE dropout alone."""
        lengths = self.lengths[rows].astype(np.int64)
        starts = self.ends[rows] - lengths
        columns = np.arange(lengths.max(initial=0))
        inside = columns < lengths[:, None]  # (B, S)
        ids = np.full(inside.shape, Tokenizer.PAD, np.int64)
        ids[inside] = self.content[(starts[:, None] + columns)[inside]]
        return Padded(ids, lengths)


@dataclass(frozen=True)
class TextSide(Side):
    """One language of a corpus as text (UTF-8), segmented when it is asked for; `lengths` are those without dropout."""

    tokenizer: Tokenizer
    dropout: BpeDropout

    def padded(self, rows: Numbers, keys: mixing.Words | None = None) -> Padded:
        """These sentences, segmented with BPE dropout by one key each, or without where there are no keys."""
        texts = [self.text(row) for row in rows.tolist()]
        if keys is None:
            sentences = self.tokenizer.encode_batch(texts)
        else:
            sentences = [self.dropout.segment(text, key) for text, key in zip(texts, keys.tolist(), strict=True)]
        lengths = np.array([len(sentence) + 1 for sentence in sentences], np.int64)
        ids = np.full((len(rows), lengths.max(initial=0)), Tokenizer.PAD, np.int64)
        for row, sentence in enumerate(sentences):
            ids[row, : len(sentence) + 1] = [*sentence, Tokenizer.END]
        return Padded(ids, lengths)

    def text(self, row: int) -> str:
        """One sentence."""
        start = self.ends[row - 1] if row else 0
        return self.content[start : self.ends[row]].tobytes().decode()


@dataclass(frozen=True)
class Shards:
    """The pairs of a corpus that are not too long, as token ids.

    numbers: the number that each pair has in its corpus. too_long: how many were left out. notes: what was kept beside
    them when they were written.
    """

    folder: Path
    source: Side
    target: Side
    numbers: Numbers
    too_long: int
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def source_lengths(self) -> npt.NDArray[np.uint16]:
        """Tokens of each source sentence, END included."""
        return self.source.lengths

    @property
    def target_lengths(self) -> npt.NDArray[np.uint16]:
        """Tokens of each target sentence, END included."""
        return self.target.lengths


def open_shards(folder: Path, tokenizers: Tokenizers, dropout: float) -> Shards:
    """The shards in a folder that is whole; with `dropout` it is one that holds text."""
    index = read_index(folder)
    maps = {name: np.asarray(np.memmap(folder / name, dtype=kind, mode="r")) for name, kind in index["types"].items()}

    def side(name: str, tokenizer: Tokenizer) -> Side:
        arrays = maps[f"{name}.content"], maps[f"{name}.ends"], maps[f"{name}.lengths"]
        return TextSide(*arrays, tokenizer, BpeDropout(tokenizer, dropout)) if dropout else Side(*arrays)

    source, target = side("source", tokenizers.source), side("target", tokenizers.target)
    return Shards(folder, source, target, maps["numbers"], index["too_long"], tuple(index.get("notes", ())))


def is_whole(folder: Path, key: Mapping[str, Any]) -> bool:
    """Whether the folder holds what was written for `key`, each file as long as it was then."""
    try:
        index = read_index(folder)
        sizes = {name: (folder / name).stat().st_size for name in index["sizes"]}
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return bool(index["key"] == key and index["sizes"] == sizes)


def read_index(folder: Path) -> dict[str, Any]:
    """What the folder says about itself."""
    index: dict[str, Any] = json.loads((folder / INDEX).read_bytes())
    return index
