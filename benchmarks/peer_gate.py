"""The gate through which a toolkit's own training loop draws its batches, so that another process can time it.

A worker trains with its own loop and its own batches, but each batch passes the gate. Between two segments the loop
waits there for an order on standard input (a number of updates), and so costs nothing while another one is measured.
The time of a segment runs from the order until the loop asks for the batch after the last: batching, forward,
backward, clipping and the optimiser are all in it. Needs the standard library only: it runs in every environment.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

BatchType = TypeVar("BatchType")


@dataclass
class Work:
    """What a segment of training went through, padding left out."""

    seconds: float = 0.0
    updates: int = 0
    sentences: int = 0
    source: int = 0  # tokens that the encoder reads
    target: int = 0  # tokens that the loss is taken over, the end of each sentence among them
    products: int = 0  # sum over sentences of source tokens x target tokens: what attention looks at

    def add(self, source_lengths: Iterable[int], target_lengths: Iterable[int]) -> None:
        """Counts one batch, which is one update."""
        self.updates += 1
        for source, target in zip(source_lengths, target_lengths, strict=True):
            self.sentences += 1
            self.source += source
            self.target += target
            self.products += source * target


class Gate(Generic[BatchType]):
    """Lets batches through as they are ordered; `count` adds a batch to the work."""

    def __init__(self, count: Callable[[Work, BatchType], None]) -> None:
        self.count = count
        self.answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)  # what the toolkit prints goes with its log; standard output is for answers
        self.ordered = 0
        self.work = Work()
        self.started = 0.0

    def ready(self, **facts: object) -> None:
        """Says that the loop stands at the gate, and something about what it trains."""
        print(json.dumps(facts), file=self.answers, flush=True)

    def wait(self) -> None:
        """Closes the segment that is done and waits for the next; ends the process when nobody orders any more."""
        if self.work.updates < self.ordered:
            return
        if self.ordered:
            self.work.seconds = time.perf_counter() - self.started
            print(json.dumps(asdict(self.work)), file=self.answers, flush=True)
        order = sys.stdin.readline()
        if not order.strip():
            os._exit(0)  # the loop has no other way out that would not save a checkpoint first
        self.ordered, self.work = int(order), Work()
        self.started = time.perf_counter()

    def one(self, make: Callable[[], BatchType]) -> BatchType:
        """One batch, made when it is ordered."""
        self.wait()
        batch = make()
        self.count(self.work, batch)
        return batch

    def through(self, batches: Iterable[BatchType]) -> Iterator[BatchType]:
        """The same batches, each behind the gate; the next epoch may come through the same gate."""
        stream = iter(batches)
        while True:
            try:
                batch = self.one(lambda: next(stream))
            except StopIteration:
                return
            yield batch
