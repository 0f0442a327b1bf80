"""Where the work is done: models, threads, and whoever waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from fastapi import Request

from jumok.studio.batching import Batcher, Gone
from jumok.studio.limits import Busy, Limits
from jumok.studio.shelf import Held, Shelf

T = TypeVar("T")


class Wanted(NamedTuple):
    """An input of a writer, and how words are searched for."""

    given: Any  # a text, or a picture
    prefix: str
    search: tuple[tuple[str, int], ...]


class Left(Exception):
    """Nobody waits for the answer any more."""


class Room:
    """The models of a shelf, each with those who wait for it; one pool of threads does the work."""

    def __init__(self, shelf: Shelf, limits: Limits | None = None) -> None:
        self.shelf, self.limits = shelf, limits or Limits()
        self.pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="jumok-studio")
        self._batchers: dict[str, Batcher[Wanted, list[Any]]] = {}
        self._streams = self._calls = 0

    @property
    def waiting(self) -> int:
        """How many inputs wait for some model."""
        return sum(batcher.waiting for batcher in self._batchers.values())

    def batcher(self, held: Held) -> Batcher[Wanted, list[Any]]:
        """Those who wait for a model."""
        if held.name not in self._batchers:
            self._batchers[held.name] = Batcher(partial(_written, held.model), self.pool, self.limits)
        return self._batchers[held.name]

    async def unless_left(self, request: Request, work: Coroutine[Any, Any, T]) -> T:
        """The result of some work; it is cancelled where its asker leaves, or it takes too long."""
        task, left = asyncio.create_task(work), asyncio.create_task(_left(request))
        try:
            await asyncio.wait({task, left}, timeout=self.limits.seconds, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            if left.done():
                raise Left
            raise TimeoutError
        finally:
            task.cancel()
            left.cancel()

    async def called(self, function: Callable[..., T], *given: Any, **named: Any) -> T:
        """A function, called in a thread; `Busy` where too many wait already."""
        if self._calls >= self.limits.calls:
            raise Busy
        work = asyncio.get_running_loop().run_in_executor(self.pool, partial(function, *given, **named))
        self._calls += 1
        work.add_done_callback(self._called)
        return await work

    async def stoppable(self, inputs: int, function: Callable[..., T], *given: Any, **named: Any) -> T:
        """The same for a function that asks `gone` which of its inputs nobody waits for any more."""
        left = threading.Event()
        try:
            return await self.called(function, *given, gone=lambda: range(inputs if left.is_set() else 0), **named)
        finally:
            left.set()

    def _called(self, _: Any) -> None:
        self._calls -= 1

    async def streamed(self, steps: Callable[[], Iterator[T]]) -> AsyncIterator[T]:
        """What a generator yields in a thread; it is stopped where nobody listens any more."""
        if self._streams >= self.limits.streams:
            raise Busy
        loop, stop = asyncio.get_running_loop(), threading.Event()
        queue: asyncio.Queue[Any] = asyncio.Queue()
        end, until = object(), loop.time() + self.limits.seconds

        def work() -> None:
            try:
                for step in steps():
                    if stop.is_set():
                        return
                    loop.call_soon_threadsafe(queue.put_nowait, step)
                loop.call_soon_threadsafe(queue.put_nowait, end)
            except Exception as error:
                loop.call_soon_threadsafe(queue.put_nowait, error)

        self._streams += 1
        running = loop.run_in_executor(self.pool, work)
        try:
            while (step := await asyncio.wait_for(queue.get(), max(until - loop.time(), 0))) is not end:
                if isinstance(step, Exception):
                    raise step
                yield step
        finally:
            stop.set()
            running.cancel()
            self._streams -= 1

    def close(self) -> None:
        """Stop working."""
        for batcher in self._batchers.values():
            batcher.close()
        self.pool.shutdown(wait=False, cancel_futures=True)


def _written(model: Any, wanted: Sequence[Wanted], gone: Gone) -> list[list[Any]]:
    """What a writer says of several inputs: those that are searched alike go together."""
    results: list[list[Any]] = [[] for _ in wanted]
    for search in dict.fromkeys(one.search for one in wanted):
        places = [place for place, one in enumerate(wanted) if one.search == search]

        def left(places: list[int] = places) -> list[int]:
            away = gone()
            return [number for number, place in enumerate(places) if place in away]

        given = [wanted[place].given for place in places]
        prefixes = [wanted[place].prefix for place in places]
        found = model.n_best(given, prefixes=prefixes if any(prefixes) else None, gone=left, **dict(search))
        for place, one in zip(places, found, strict=True):
            results[place] = one
    return results


async def _left(request: Request) -> None:
    """Ends when the asker is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
