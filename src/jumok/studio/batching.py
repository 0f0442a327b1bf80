"""Requests of many users go through a model together.

While one batch is decoded the next one gathers, so a busy server makes few large products, and a free one waits no more
than a few milliseconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor
from typing import Generic, NamedTuple, TypeVar

from jumok.studio.limits import Busy, Limits

Item = TypeVar("Item")
Result = TypeVar("Result")

Gone = Callable[[], Collection[int]]
"""The places of those that nobody waits for any more."""


class _Asked(NamedTuple, Generic[Item, Result]):
    item: Item
    answer: asyncio.Future[Result]


class Batcher(Generic[Item, Result]):
    """Gathers items, and lets `run` answer them together, in a thread of `pool`.

    run: takes the items and a function that tells whose askers have left, and gives an answer for each.
    """

    def __init__(
        self, run: Callable[[Sequence[Item], Gone], Sequence[Result]], pool: Executor, limits: Limits | None = None
    ) -> None:
        self._run, self._pool, self._limits = run, pool, limits or Limits()
        self._queue: asyncio.Queue[_Asked[Item, Result]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.sizes: list[int] = []
        """How many went together, of the last batches."""

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._queue.qsize()

    async def ask(self, items: Sequence[Item]) -> list[Result]:
        """The answers to some items; `Busy` where too many wait already. Whoever is cancelled is not decoded on."""
        if self._queue.qsize() + len(items) > self._limits.waiting:
            raise Busy
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        loop = asyncio.get_running_loop()
        asked = [_Asked[Item, Result](item, loop.create_future()) for item in items]
        for one in asked:
            self._queue.put_nowait(one)
        try:
            return await asyncio.gather(*(one.answer for one in asked))
        finally:
            for one in asked:
                one.answer.cancel()

    def close(self) -> None:
        """Stop gathering."""
        if self._task is not None:
            self._task.cancel()

    async def _work(self) -> None:
        while True:
            batch = await self._gathered()
            batch = [one for one in batch if not one.answer.done()]
            if batch:
                self.sizes = [*self.sizes[-99:], len(batch)]
                await self._answer(batch)

    async def _gathered(self) -> list[_Asked[Item, Result]]:
        """The first that comes, and whoever is there a moment later."""
        batch = [await self._queue.get()]
        if self._queue.empty():
            await asyncio.sleep(self._limits.pause)
        while len(batch) < self._limits.together and not self._queue.empty():
            batch.append(self._queue.get_nowait())
        return batch

    async def _answer(self, batch: Sequence[_Asked[Item, Result]]) -> None:
        loop = asyncio.get_running_loop()

        def gone() -> Collection[int]:
            return {place for place, one in enumerate(batch) if one.answer.done()}

        try:
            answers = await loop.run_in_executor(self._pool, self._run, [one.item for one in batch], gone)
        except Exception as error:
            if len(batch) > 1:  # one of them is at fault: let each speak for itself
                for one in batch:
                    await self._answer([one])
                return
            if not batch[0].answer.done():
                batch[0].answer.set_exception(error)
            return
        for one, answer in zip(batch, answers, strict=True):
            if not one.answer.done():
                one.answer.set_result(answer)
