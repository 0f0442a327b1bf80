"""The practice language as a corpus: made by as many processes as there are cores, in the order of the numbers, and
kept in the cache, since it is read more than once (for the tokenizer, for the token ids, in the next run)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from jumok.data.cache import cache_folder, entry_name, fill_entry
from jumok.data.corpora.generating import BLOCK, Share, line_of
from jumok.data.corpora.rows import Fault, Row, Side
from jumok.data.corpora.settings import PracticeData
from jumok.data.korean import VERSION, Korean
from jumok.data.korean.sampling import HELD_OUT_OF

_TRIES_WORTH_A_PROCESS = 2000
_WORTH_KEEPING = 200
_MOST_PROCESSES = 16
_START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from jumok.data.corpora.generating import main
main(sys.argv[2])
"""


class PracticeReader(NamedTuple):
    """Makes the pairs; the number of processes changes nothing but the time."""

    settings: PracticeData
    processes: int | None = None

    @property
    def name(self) -> str:
        """The language."""
        return f"practice {self.settings.practice}"

    def rows(self) -> Iterator[Row | Fault]:
        """Yields the pairs by number, the first being 0."""
        for number, line in enumerate(self._lines()):
            source, target, _ = line.split("\t")
            yield Row(number, source, target)

    def alignments(self) -> Iterator[str]:
        """Yields the gold links of each pair, in Pharaoh's format."""
        return (line.split("\t")[2] for line in self._lines())

    def _lines(self) -> Iterator[str]:
        """Yields the pairs as `line_of` writes them, from the cache where they are worth to be kept."""
        if self.settings.pairs < _WORTH_KEEPING:
            yield from self.made()
            return
        folder = cache_folder() / "practice" / entry_name({"aligned": f"{VERSION} {self.settings.model_dump_json()}"})
        text, size = folder / "pairs.tsv", folder / "size"

        def whole() -> bool:
            return text.is_file() and size.is_file() and size.read_text("ascii") == str(text.stat().st_size)

        def fill(beside: Path) -> None:
            with (beside / text.name).open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in self.made())
            (beside / size.name).write_text(str((beside / text.name).stat().st_size), "ascii")

        fill_entry(folder, whole, fill)
        with text.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line.rstrip("\n")

    def made(self) -> Iterator[str]:
        """Yields the same, made now."""
        wanted = self.settings
        tries = wanted.pairs * (HELD_OUT_OF if wanted.held_out else 1)
        processes = self.processes or min(_cores(), tries // _TRIES_WORTH_A_PROCESS, _MOST_PROCESSES)
        if processes > 1 and sys.executable:
            yield from self._made_by(processes)
            return
        pairs = Korean(wanted.seed).pairs(wanted.pairs, wanted.min_words, wanted.max_words, wanted.held_out)
        yield from (line_of(pair).rstrip("\n") for pair in pairs)

    def place(self, number: int, side: Side) -> str:
        """The language and the number of the pair."""
        return f"{self.name}:{number}"

    def content(self) -> Iterator[bytes]:
        """Yields the version and the settings, from which the pairs follow."""
        yield f"{VERSION} {self.settings.model_dump_json()}".encode()

    def _made_by(self, processes: int) -> Iterator[str]:
        """Yields the same, a block from each process in turn."""
        with ExitStack() as stack:
            workers = [stack.enter_context(self._worker(process, processes)) for process in range(processes)]
            stack.callback(_stop, workers)
            number = 0
            for worker in cycle(workers):
                end = min(number + BLOCK, self.settings.pairs)
                assert worker.stdout is not None
                for line in islice(worker.stdout, end - number):
                    yield line.decode().rstrip("\n")
                    number += 1
                if number < end:
                    raise OSError(f"{self.name}: a process that makes pairs stopped with code {worker.wait()}")
                if number == self.settings.pairs:
                    return

    def _worker(self, process: int, processes: int) -> subprocess.Popen[bytes]:
        """A process that makes its share of the blocks.

        It is a plain command, so it works in notebooks and scripts alike, and it looks for modules where this process
        does, not in the folder in which it is started.
        """
        asked = self.settings
        lengths = asked.min_words, asked.max_words
        share = Share(asked.seed, *lengths, asked.held_out, asked.pairs, process, processes)
        command = [sys.executable, "-I", "-c", _START, json.dumps(sys.path), json.dumps(share)]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)


def _stop(workers: list[subprocess.Popen[bytes]]) -> None:
    for worker in workers:
        worker.terminate()


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
