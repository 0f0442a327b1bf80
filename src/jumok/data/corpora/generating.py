"""A process of its own that makes pairs of the practice language and writes them to its output, a line a pair.

`practice.py` starts it. It knows nothing but the language, so that it starts in a moment.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import NamedTuple

from jumok.data.korean import Korean, Pair

BLOCK = 32
"""Pairs at a time from each process; a pipe holds some of these, so that all can work while one is read."""


class Share(NamedTuple):
    """What one of several processes makes: of the pairs from 0 to `pairs`, the blocks whose turn is its own."""

    seed: int
    min_words: int
    max_words: int
    held_out: bool
    pairs: int
    process: int
    processes: int

    def write(self) -> None:
        """Write the pairs in order."""
        grammar = Korean(self.seed)
        for first in range(self.process * BLOCK, self.pairs, self.processes * BLOCK):
            numbers = range(first, min(first + BLOCK, self.pairs))
            pairs = (grammar.pair(number, self.min_words, self.max_words, self.held_out) for number in numbers)
            sys.stdout.buffer.write("".join(map(line_of, pairs)).encode())
            sys.stdout.buffer.flush()


def line_of(pair: Pair) -> str:
    """A pair as a line: source, target, and its gold links, `1-2` where they are sure and `1?2` where possible."""
    links = [*(f"{i}-{j}" for i, j in pair.sure), *(f"{i}?{j}" for i, j in pair.possible)]
    return f"{pair.source}\t{pair.target}\t{' '.join(links)}\n"


def main(share: str) -> None:
    """Write the pairs of a share, told in JSON; stop in silence when nobody reads on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that reads
    try:
        Share(*json.loads(share)).write()
    except OSError:  # the pipe is closed; Windows has another name for it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
