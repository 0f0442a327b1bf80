"""Shards: what was written comes back, a second run reads it, and what is damaged is written again."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from jumok.data import sharding
from jumok.data.cache import cache_folder, fill_entry
from jumok.data.corpora.rows import Row
from jumok.data.korean import Korean
from jumok.data.sharding import build_shards
from jumok.data.shards import Shards, TextSide
from jumok.data.tokenization import Tokenizer, Tokenizers, TokenizerSettings, train_tokenizers

ROWS = [Row(3 * number + 1, pair.source, pair.target) for number, pair in enumerate(Korean(1).pairs(400, 3, 30))]


@pytest.fixture(scope="module")
def tokenizers() -> Tokenizers:
    return train_tokenizers(ROWS, TokenizerSettings(size=900, joint=False), "here")


def sentences(shards: Shards, side: str) -> list[list[int]]:
    padded = getattr(shards, side).padded(np.arange(len(shards)))
    return [ids[:length].tolist() for ids, length in zip(padded.ids, padded.lengths, strict=True)]


def forbidden() -> Iterator[Row]:
    raise AssertionError("the corpus was read again")
    yield ROWS[0]


@pytest.mark.parametrize("dropout", [0.0, 0.1])
def test_what_was_written_comes_back(
    dropout: float, tokenizers: Tokenizers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharding, "_CHUNK", 150)
    said: list[int] = []
    shards = build_shards(ROWS, "corpus", tokenizers, tmp_path, max_length=500, dropout=dropout, progress=said.append)
    assert len(shards) == len(ROWS)
    assert said == [150, 300, 400]
    assert shards.too_long == 0
    assert shards.numbers.tolist() == [row.number for row in ROWS]
    for side, tokenizer in zip(("source", "target"), tokenizers, strict=True):
        ids = [[*tokenizer.encode(getattr(row, side)), Tokenizer.END] for row in ROWS]
        assert sentences(shards, side) == ids
        assert getattr(shards, f"{side}_lengths").tolist() == [len(sentence) for sentence in ids]
        assert isinstance(getattr(shards, side), TextSide) == bool(dropout)


def test_pairs_that_are_too_long_are_counted_and_the_others_keep_their_numbers(
    tokenizers: Tokenizers, tmp_path: Path
) -> None:
    fits = [
        row.number
        for row in ROWS
        if len(tokenizers.source.encode(row.source)) <= 12 and len(tokenizers.target.encode(row.target)) <= 12
    ]
    assert 0 < len(fits) < len(ROWS)
    shards = build_shards(ROWS, "corpus", tokenizers, tmp_path, max_length=12)
    assert shards.numbers.tolist() == fits
    assert shards.too_long == len(ROWS) - len(fits)
    again = build_shards(forbidden(), "corpus", tokenizers, tmp_path, max_length=12)
    assert again.too_long == shards.too_long


def test_only_the_same_corpus_tokenizer_and_length_are_the_same_entry(tokenizers: Tokenizers, tmp_path: Path) -> None:
    first = build_shards(ROWS, "corpus", tokenizers, tmp_path, max_length=50)
    folders = {
        first.folder,
        build_shards(ROWS, "another", tokenizers, tmp_path, max_length=50).folder,
        build_shards(ROWS, "corpus", tokenizers, tmp_path, max_length=51).folder,
        build_shards(ROWS, "corpus", tokenizers, tmp_path, max_length=50, dropout=0.1).folder,
        build_shards(ROWS, "corpus", Tokenizers(*reversed(tokenizers)), tmp_path, max_length=50).folder,
    }
    assert len(folders) == 5
    assert build_shards(forbidden(), "corpus", tokenizers, tmp_path, max_length=50).folder == first.folder
    other_rate = build_shards(forbidden(), "corpus", tokenizers, tmp_path, max_length=50, dropout=0.2)
    assert other_rate.folder in folders


@pytest.mark.parametrize("harm", ["cut", "gone", "index", "empty index", "another index", "emptied"])
def test_what_is_damaged_is_written_again(harm: str, tokenizers: Tokenizers, tmp_path: Path) -> None:
    folder = build_shards(ROWS, "corpus", tokenizers, tmp_path, max_length=50).folder
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    content, index = folder / "target.content", folder / "index.json"
    if harm == "cut":
        content.write_bytes(content.read_bytes()[:-1])
    elif harm == "gone":
        content.unlink()
    elif harm == "index":
        index.write_text(index.read_text()[:-9])
    elif harm == "empty index":
        index.write_text("[]")
    elif harm == "another index":
        index.write_text(json.dumps({**json.loads(index.read_text()), "key": {}}))
    else:
        for path in folder.iterdir():
            path.unlink()
    shards = build_shards(ROWS, "corpus", tokenizers, tmp_path, max_length=50)
    assert len(shards) + shards.too_long == len(ROWS)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_reader_that_fails_leaves_nothing(tokenizers: Tokenizers, tmp_path: Path) -> None:
    def broken() -> Iterator[Row]:
        yield from ROWS
        raise ValueError("train.de:17: no pair")

    with pytest.raises(ValueError, match=r"train\.de:17"):
        build_shards(broken(), "corpus", tokenizers, tmp_path, max_length=50)
    assert list((tmp_path / "shards").iterdir()) == []


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    def fill(folder: Path) -> None:
        (folder / "half").write_bytes(b"x" * 1000)
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="the disk is full; make room, or set JUMOK_CACHE"):
        fill_entry(tmp_path / "entry", (tmp_path / "entry").exists, fill)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("rows", "max_length", "line"),
    [
        ([], 50, "the corpus has no pairs"),
        (ROWS, 1, r"each of the 400 pairs has more than 1 tokens on a side; raise data\.max_length"),
        (ROWS, 0, r"data\.max_length is 0; it has to be from 1 to 65534"),
        (ROWS, 65535, r"data\.max_length is 65535; it has to be from 1 to 65534"),
    ],
)
def test_a_corpus_of_nothing_is_one_line(
    rows: list[Row], max_length: int, line: str, tokenizers: Tokenizers, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=line):
        build_shards(rows, "corpus", tokenizers, tmp_path, max_length=max_length)


def test_two_that_build_at_once_end_with_one_entry(tokenizers: Tokenizers, tmp_path: Path) -> None:
    meet = threading.Barrier(2)

    def slow() -> Iterator[Row]:
        meet.wait(timeout=20)
        yield from ROWS

    results: list[Shards] = []
    threads = [
        threading.Thread(
            target=lambda: results.append(build_shards(slow(), "corpus", tokenizers, tmp_path, max_length=50))
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2
    assert sentences(results[0], "source") == sentences(results[1], "source")
    assert len(list((tmp_path / "shards").iterdir())) == 1


def test_what_a_killed_process_left_is_taken_away_when_it_is_old(tmp_path: Path) -> None:
    for name, age in ((".entry.old", 3 * 86400), (".entry.young", 60)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "numbers").write_bytes(b"x")
        os.utime(tmp_path / name, (time.time() - age, time.time() - age))
    fill_entry(tmp_path / "entry", lambda: False, lambda folder: None)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".entry.young", "entry"]


def test_a_vocabulary_of_more_than_two_bytes(tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(70_000)]
    rows = [Row(number, " ".join(words[number : number + 70]), "x") for number in range(0, 70_000, 70)]
    tokenizers = train_tokenizers(rows, TokenizerSettings(kind="word", size=100_000, joint=False), "here")
    shards = build_shards(rows, "corpus", tokenizers, tmp_path, max_length=100)
    assert (shards.source.content.dtype, shards.target.content.dtype) == (np.uint32, np.uint16)
    assert tokenizers.source.decode(sentences(shards, "source")[-1]) == rows[-1].source


def test_the_cache_is_where_the_system_keeps_caches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUMOK_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("JUMOK_CACHE")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "jumok"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == tmp_path / ".cache" / "jumok"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "jumok"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_folder() == tmp_path / "local" / "jumok"


MEMORY = """
import sys
from pathlib import Path
import numpy as np
from jumok.data.batching import Batches
from jumok.data.planning import BatchSettings
from jumok.data.shards import Shards, Side

def anonymous():
    line = next(line for line in open("/proc/self/status") if line.startswith("RssAnon"))
    return int(line.split()[1]) * 1024

folder, count = Path(sys.argv[1]), int(sys.argv[2])
content, ends, lengths, numbers = (
    np.asarray(np.memmap(folder / name, kind, "r"))
    for name, kind in (("content", "<u2"), ("ends", "<i8"), ("lengths", "<u2"), ("numbers", "<i8"))
)

def rows_of_every_tenth_batch(count):
    side = Side(content, ends[:count], lengths[:count])
    shards = Shards(folder, side, side, numbers[:count], 0)
    batches = Batches(shards, BatchSettings(size=4096, unit="tokens"), 1, 0)
    return sum(len(batches[number]) for number in range(0, len(batches), 10)), batches

rows_of_every_tenth_batch(1000)  # what Python, NumPy and torch need themselves
before = anonymous()
rows, held = rows_of_every_tenth_batch(count)
print((anonymous() - before) / count, rows)
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_an_epoch_takes_a_few_bytes_a_pair(tmp_path: Path) -> None:
    """The plan is held, the ids are not: 4 bytes a pair, and little else."""
    count = 1_000_000
    lengths = (np.arange(count) * 2_654_435_761 % 37 + 2).astype("<u2")
    lengths.tofile(tmp_path / "lengths")
    np.cumsum(lengths, dtype="<i8").tofile(tmp_path / "ends")
    np.arange(count, dtype="<i8").tofile(tmp_path / "numbers")
    np.full(int(lengths.sum(dtype=np.int64)), 5, "<u2").tofile(tmp_path / "content")
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(tmp_path), str(count)], capture_output=True, text=True, check=True
    )
    bytes_a_pair, rows = done.stdout.split()
    assert int(rows) > count / 10
    assert float(bytes_a_pair) < 16
