"""One pass over a corpus that keeps of every pair a few numbers: hashes, lengths, scripts; the text is let go."""

from __future__ import annotations

from array import array
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jumok.data.corpora.corpus import Corpus
from jumok.data.corpora.parts import sentence_key, text_key
from jumok.data.corpora.report import CorpusReport
from jumok.data.corpora.scripts import SCRIPTS, letters, main_script

_AT_ONCE = 2000

Hashes = NDArray[np.uint64]


class Side(NamedTuple):
    """One side of all pairs.

    texts: a hash of each text as it is. keys: the same whatever the case and the punctuation. sizes: in characters.
    scripts: the number of the script of most of its letters. script: that of most letters of the side. words: in all.
    """

    texts: Hashes
    keys: Hashes
    sizes: NDArray[np.int32]
    scripts: NDArray[np.uint8]
    script: str
    words: int


class Measures(NamedTuple):
    """A corpus in numbers: of each pair its row's number, its sides, and whether text was lost in it before."""

    corpus: Corpus
    report: CorpusReport
    numbers: NDArray[np.int64]
    source: Side
    target: Side
    damaged: NDArray[np.bool_]

    @property
    def pairs(self) -> int:
        """How many there are."""
        return len(self.numbers)

    def place(self, row: int) -> str:
        """Where the pair is, as people say it."""
        return self.corpus.place(int(self.numbers[row]))


class _Tally:
    """Collects one side."""

    def __init__(self) -> None:
        self.texts, self.keys, self.sizes = array("Q"), array("Q"), array("i")
        self.scripts = bytearray()
        self.total = np.zeros(len(SCRIPTS), dtype=np.int64)
        self.words = 0

    def add(self, texts: list[str]) -> None:
        self.texts.extend(map(text_key, texts))
        self.keys.extend(map(sentence_key, texts))
        self.sizes.extend(map(len, texts))
        counts = letters(texts)
        self.scripts += counts.argmax(1).astype(np.uint8).tobytes()
        self.total += counts.sum(0)
        self.words += sum(text.count(" ") + 1 for text in texts)

    def side(self) -> Side:
        return Side(
            np.frombuffer(self.texts, dtype=np.uint64),
            np.frombuffer(self.keys, dtype=np.uint64),
            np.frombuffer(self.sizes, dtype=np.int32),
            np.frombuffer(self.scripts, dtype=np.uint8),
            main_script(self.total),
            self.words,
        )


def measure(corpus: Corpus) -> Measures:
    """Read a corpus once; rows that are no pairs are in the report."""
    corpus = corpus.skipping()
    numbers, damaged = array("q"), bytearray()
    source, target = _Tally(), _Tally()
    rows = corpus.rows()
    while batch := list(islice(rows, _AT_ONCE)):
        numbers.extend(row.number for row in batch)
        damaged += bytes("\ufffd" in row.source or "\ufffd" in row.target for row in batch)
        source.add([row.source for row in batch])
        target.add([row.target for row in batch])
    return Measures(
        corpus,
        corpus.report,
        np.frombuffer(numbers, dtype=np.int64),
        source.side(),
        target.side(),
        np.frombuffer(damaged, dtype=np.bool_),
    )
