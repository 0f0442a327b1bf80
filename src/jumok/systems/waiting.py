"""What is said while data is prepared: lines that stay, and on a terminal a live one; nothing where it is quiet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Waiting:
    """Says on stderr what is being waited for."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def say(self, line: str) -> None:
        """A line that stays."""
        if not self._quiet:
            print(line, file=sys.stderr, flush=True)

    @contextmanager
    def __call__(self, what: str) -> Iterator[Callable[[int], None] | None]:
        """While the block runs, `what` is shown on a terminal; yields a function that takes how much is done."""
        if self._quiet or not sys.stderr.isatty():
            yield None
            return
        from rich.console import Console

        with Console(stderr=True).status(what) as status:
            yield lambda done: status.update(f"{what} ({done:,})")
