"""Writing a corpus as token ids, once, in constant memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from jumok.data.cache import entry_name, fill_entry
from jumok.data.corpora.rows import Row
from jumok.data.shards import INDEX, Shards, is_whole, open_shards
from jumok.data.tokenization import Tokenizer, Tokenizers

FORMAT = 1
LONGEST = np.iinfo(np.uint16).max - 1  # tokens of a sentence, without END
_CHUNK = 10_000  # pairs held in memory while they are written


def build_shards(
    rows: Iterable[Row],
    fingerprint: str,
    tokenizers: Tokenizers,
    cache: Path,
    *,
    max_length: int,
    dropout: float = 0.0,
    progress: Callable[[int], None] | None = None,
    notes: Callable[[], Sequence[str]] | None = None,
) -> Shards:
    """The token ids of a corpus: those in the cache, else they are written to it.

    fingerprint: says what is in `rows`. max_length: pairs with more tokens on a side (without END) are left out.
    progress: is told, now and then, how many pairs were written so far.
    notes: asked when all rows were read for what is to be kept beside them (which rows were skipped), so that a later
        run can say it again.
    Processes that build the same at once do each other no harm; what is damaged is built anew.
    """
    if not 0 < max_length <= LONGEST:
        raise ValueError(f"data.max_length is {max_length}; it has to be from 1 to {LONGEST}")
    key = {
        "format": FORMAT,
        "corpus": fingerprint,
        "source": tokenizers.source.fingerprint(),
        "target": tokenizers.target.fingerprint(),
        "max_length": max_length,
        "holds": "text" if dropout else "ids",
    }
    folder = cache / "shards" / entry_name(key)
    fill_entry(
        folder, lambda: is_whole(folder, key), lambda beside: _write(beside, rows, key, tokenizers, progress, notes)
    )
    return open_shards(folder, tokenizers, dropout)


def _write(
    folder: Path,
    rows: Iterable[Row],
    key: dict[str, Any],
    tokenizers: Tokenizers,
    progress: Callable[[int], None] | None,
    notes: Callable[[], Sequence[str]] | None,
) -> None:
    max_length, as_text = key["max_length"], key["holds"] == "text"
    written = seen = 0
    with ExitStack() as stack:
        numbers = _File(stack, folder / "numbers", "<i8")
        source = _SideFiles(stack, folder, "source", tokenizers.source, as_text)
        target = _SideFiles(stack, folder, "target", tokenizers.target, as_text)
        for chunk in _chunks(rows):
            sources = tokenizers.source.encode_batch([row.source for row in chunk])
            targets = tokenizers.target.encode_batch([row.target for row in chunk])
            kept = [
                place
                for place, (left, right) in enumerate(zip(sources, targets, strict=True))
                if len(left) <= max_length and len(right) <= max_length
            ]
            numbers.append([chunk[place].number for place in kept])
            source.append([chunk[place].source for place in kept], [sources[place] for place in kept])
            target.append([chunk[place].target for place in kept], [targets[place] for place in kept])
            seen += len(chunk)
            written += len(kept)
            if progress is not None:
                progress(written)
        files = [numbers, *source.files, *target.files]
    if not seen:
        raise ValueError("the corpus has no pairs")
    if not written:
        raise ValueError(f"each of the {seen} pairs has more than {max_length} tokens on a side; raise data.max_length")
    index = {
        "key": key,
        "pairs": written,
        "too_long": seen - written,
        "notes": list(notes()) if notes is not None else [],
        "types": {file.path.name: file.kind for file in files},
        "sizes": {file.path.name: file.path.stat().st_size for file in files},
    }
    (folder / INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


class _File:
    """Numbers of one kind, one after the other."""

    def __init__(self, stack: ExitStack, path: Path, kind: str) -> None:
        self.path, self.kind = path, kind
        self._file: BinaryIO = stack.enter_context(path.open("wb"))

    def append(self, values: Sequence[int] | npt.NDArray[Any] | bytes) -> None:
        self._file.write(values if isinstance(values, bytes) else np.asarray(values, self.kind).tobytes())


class _SideFiles:
    """The three files of one language."""

    def __init__(self, stack: ExitStack, folder: Path, side: str, tokenizer: Tokenizer, as_text: bool) -> None:
        self._as_text = as_text
        self._end = 0
        self._content = _File(stack, folder / f"{side}.content", "|u1" if as_text else _id_kind(tokenizer))
        self._ends = _File(stack, folder / f"{side}.ends", "<i8")
        self._lengths = _File(stack, folder / f"{side}.lengths", "<u2")
        self.files = (self._content, self._ends, self._lengths)

    def append(self, texts: Sequence[str], sentences: Sequence[list[int]]) -> None:
        lengths = np.array([len(ids) + 1 for ids in sentences], np.int64)
        if self._as_text:
            letters = [text.encode() for text in texts]
            self._content.append(b"".join(letters))
            sizes = np.array([len(text) for text in letters], np.int64)
        else:
            flat: list[int] = []
            for ids in sentences:
                flat += ids
                flat.append(Tokenizer.END)
            self._content.append(flat)
            sizes = lengths
        ends = self._end + np.cumsum(sizes)
        self._end = int(ends[-1]) if len(ends) else self._end
        self._ends.append(ends)
        self._lengths.append(lengths)


def _id_kind(tokenizer: Tokenizer) -> str:
    return "<u2" if tokenizer.size <= 1 << 16 else "<u4"


def _chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while chunk := list(islice(left, _CHUNK)):
        yield chunk
