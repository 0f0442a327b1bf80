"""`jumok demo` from the page: models learn while one watches, and are then served."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import Field

from jumok.studio.asking import Asked
from jumok.studio.limits import Busy
from jumok.studio.shelf import Shelf

MADE = {"translation": ("with-attention", "without-attention"), "captioning": ("captioner",)}
"""The folders that each demo makes."""


class Teach(Asked):
    """Which demo, and whether it is the short one."""

    what: Literal["translation", "captioning"] = "translation"
    fast: bool = Field(default=True)
    """Within 90 seconds for both translators; else some minutes, and better."""
    language: Literal["en", "ko"] = "en"


@dataclass
class _Run:
    """A demo that runs, or has run."""

    what: str
    said: list[str] = field(default_factory=list)
    wrong: str | None = None
    ended: bool = False
    more: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Let those who listen look for what is new."""
        self.more.set()
        self.more = asyncio.Event()


class Teacher:
    """Runs a demo in a process of its own, one at a time; its models go on the shelf.

    It goes on while nobody listens: whoever comes back hears what was said, and what follows.
    """

    def __init__(self, shelf: Shelf, folder: Path) -> None:
        self._shelf, self._folder = shelf, folder
        self._run: _Run | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def learning(self) -> str | None:
        """Which demo is running, if one is."""
        return self._run.what if self._run is not None and not self._run.ended else None

    async def lines(self, asked: Teach) -> AsyncIterator[str]:
        """What the demo says, line by line, until it ends; `Busy` where another one is running."""
        if self.learning not in (None, asked.what):
            raise Busy
        if self.learning is None or self._run is None:
            self._run = _Run(asked.what)
            self._task = asyncio.create_task(self._teach(self._run, asked))
        run, told = self._run, 0
        while True:
            more, ended = run.more, run.ended
            for line in run.said[told:]:
                told += 1
                yield line
            if ended:
                break
            await more.wait()
        if run.wrong is not None:
            raise ValueError(run.wrong)

    async def close(self) -> None:
        """End the demo that is running."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _teach(self, run: _Run, asked: Teach) -> None:
        command = ["-m", "jumok", "demo", asked.what, "--out", str(self._folder), "--language", asked.language]
        command += ["--fast"] if asked.fast else []
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-u",
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                run.said.append(line.decode("utf-8", "replace").rstrip())
                run.wake()
            if await process.wait():
                run.wrong = "the demo ended with an error; its last line says what is wrong"
            else:
                await asyncio.to_thread(self._put, asked.what)
        except (ValueError, OSError) as error:
            run.wrong = " ".join(str(error).split())
        finally:
            if process.returncode is None:
                process.terminate()
            run.ended = True
            run.wake()

    def _put(self, what: str) -> None:
        served = {held.folder for held in self._shelf}
        for name in MADE[what]:
            folder = self._folder / name
            if folder not in served and (folder / "config.json").exists():
                self._shelf.put(folder)
