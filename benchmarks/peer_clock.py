"""How a worker counts the CPU time of its training alone; by the standard library, to run in every environment."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Clock:
    """The CPU time of this process, all its threads together, from `start` on and without what `stopped` takes.

    Its reports are lines on standard output; what the toolkit prints itself goes to standard error.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self.start()

    def start(self) -> None:
        """Count from now on: the data are read, the model is made."""
        self.started = time.process_time()
        self.left_out = 0.0

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """A block that does not count."""
        began = self.began = time.process_time()
        yield
        self.left_out += time.process_time() - began

    def tell(self, update: int, sentences: list[str]) -> None:
        """Report an update within a stopped block, with what was translated at it."""
        path = self.folder / f"{update}.translated"
        path.write_text("".join(" ".join(sentence.split()) + "\n" for sentence in sentences), encoding="utf-8")
        seconds = self.began - self.started - self.left_out
        line = {"update": update, "cpu_seconds": round(seconds, 1), "translated": str(path)}
        print(json.dumps(line), file=self.answers, flush=True)
