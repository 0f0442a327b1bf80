r"""The lines of a text file, cut at `\n` and nowhere else, each decoded on its own: a broken one spoils no other."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from jumok.data.corpora.encodings import codec_of, guess
from jumok.data.corpora.files import opened
from jumok.data.corpora.marks import MARKS, settled_codec
from jumok.data.corpora.rows import MEND, Fault

LONGEST_LINE = 1 << 20
"""Bytes of a line; more is no sentence, and would not fit into memory in the end."""


def text_lines(path: Path, encoding: str) -> Iterator[str | Fault]:
    """Yields every line with its end, or what is wrong with it; a byte-order mark is taken off."""
    with opened(path) as file:
        codec = settled_codec(path, file.peek(1 << 12), codec_of(encoding))
        mark = MARKS.get(codec, b"")
        if mark and file.peek(len(mark)).startswith(mark):
            file.read(len(mark))
        newline = "\n".encode(codec)
        broken = None
        for number, line in enumerate(_cut(file) if newline == b"\n" else _cut_at(file, newline), start=1):
            if len(line) > LONGEST_LINE:
                detail = f"more than {LONGEST_LINE:,} bytes"
                yield Fault(f"{path}:{number}", "the line is too long to be a sentence", detail)
                continue
            try:
                text = line.decode(codec)
            except UnicodeDecodeError as error:
                broken = broken or _broken(path, encoding)
                column = len(line[: error.start].decode(codec, "replace")) + 1
                detail = f"byte 0x{line[error.start]:02x} at column {column}"
                text = line.decode(codec, "replace")
                yield broken._replace(place=f"{path}:{number}", detail=detail, text=text)
                continue
            yield text


def _cut(file: io.BufferedReader) -> Iterator[bytes]:
    r"""Yields the bytes up to each `\n`; of a line that is too long, the beginning only."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE + 1)


def _cut_at(file: io.BufferedReader, newline: bytes) -> Iterator[bytes]:
    r"""The same where `\n` is other bytes: several, and not those that happen to stand between two letters."""
    width, rest, whole = len(newline), b"", True
    while piece := file.read(1 << 16):
        rest += piece
        start = at = 0
        while (at := rest.find(newline, at)) >= 0:
            if at % width:
                at += 1
                continue
            at += width
            if whole:
                yield rest[start:at]
            start, whole = at, True
        rest = rest[start:]
        if len(rest) > LONGEST_LINE:
            if whole:
                yield rest
            rest, whole = rest[len(rest) - len(rest) % width :], False
    if rest and whole:
        yield rest


def _broken(path: Path, encoding: str) -> Fault:
    """What is wrong with lines that are not in the encoding; it depends on what the others like them are in."""
    with opened(path) as file:
        found = guess(b"".join(islice((line for line in _cut(file) if not line.isascii()), 200)))
    if found is None or found == codec_of(encoding):
        return Fault("", f"not {encoding}", advice=MEND)
    return Fault("", f"not {encoding} but {found}, as it seems", advice=f"set data.encoding={found}")
