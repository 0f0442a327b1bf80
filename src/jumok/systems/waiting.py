"""What is said while data is prepared: a live line on a terminal, else now and then one; nothing where it is quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Waiting:
    """Says on stderr what is being waited for."""

    def __init__(self, quiet: bool, every: float = 10.0) -> None:
        self._quiet = quiet
        self._every = every

    def say(self, line: str) -> None:
        """A line that stays."""
        if not self._quiet:
            print(line, file=sys.stderr, flush=True)

    @contextmanager
    def __call__(self, what: str) -> Iterator[Callable[[int], None] | None]:
        """While the block runs, `what` is shown; yields a function that takes how much is done.

        Where nobody watches it is a line every so many seconds, so a short wait says nothing.
        """
        if self._quiet:
            yield None
            return
        if not sys.stderr.isatty():
            yield self._lines(what)
            return
        from rich.console import Console

        with Console(stderr=True).status(what) as status:
            yield lambda done: status.update(f"{what} ({done:,})")

    def _lines(self, what: str) -> Callable[[int], None]:
        following = time.monotonic() + self._every

        def progress(done: int) -> None:
            nonlocal following
            if time.monotonic() >= following:
                following = time.monotonic() + self._every
                self.say(f"{what} ({done:,})")

        return progress
