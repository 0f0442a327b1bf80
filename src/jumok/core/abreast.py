"""Several parts of a work at once, each in a Python thread of its own that has its share of torch's threads.

Where a work is a row of small steps, torch's threads wait for each other at every one of them; parts that go on
side by side do not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import TypeVar

import torch

MOST = 4
"""Parts at once, at most: each needs memory of its own."""

P = TypeVar("P")
R = TypeVar("R")
Stopped = Callable[[], bool]


def lanes() -> int:
    """How many parts go side by side."""
    return max(1, min(MOST, torch.get_num_threads()))


def abreast(work: Callable[[P, Stopped], R], parts: Sequence[P], lanes: int) -> Iterator[R]:
    """What `work` makes of each part, in their order, so many `lanes` at once.

    The second argument of `work` says whether nobody waits for it any more; it should then come to an end.
    """
    lanes = min(lanes, len(parts))
    if lanes < 2:
        yield from (work(part, lambda: False) for part in parts)
        return
    threads, stopped = torch.get_num_threads(), Event()
    share = max(1, threads // lanes)
    waiting: deque[Future[R]] = deque()
    pool = ThreadPoolExecutor(lanes, initializer=torch.set_num_threads, initargs=(share,))
    try:
        for part in parts:
            waiting.append(pool.submit(work, part, stopped.is_set))
            if len(waiting) > lanes:  # one is ready to begin when another ends
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        stopped.set()
        pool.shutdown(cancel_futures=True)
        torch.set_num_threads(threads)  # a thread that sets its own number sets that of threads to come, too
