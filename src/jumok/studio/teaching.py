"""`jumok demo` from the page: models learn while one watches, and are then served."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
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


class Teacher:
    """Runs a demo in a process of its own, one at a time; its models go on the shelf."""

    def __init__(self, shelf: Shelf, folder: Path) -> None:
        self._shelf, self._folder = shelf, folder
        self._busy = False

    async def lines(self, asked: Teach) -> AsyncIterator[str]:
        """What the demo says, line by line; it ends with its process, and the process with whoever listens."""
        if self._busy:
            raise Busy
        self._busy = True
        command = ["-m", "jumok.cli", "demo", asked.what, "--out", str(self._folder), "--language", asked.language]
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
                yield line.decode("utf-8", "replace").rstrip()
            if await process.wait():
                raise ValueError("the demo ended with an error; its last line says what is wrong")
            self._put(asked.what)
        finally:
            self._busy = False
            if process.returncode is None:
                process.terminate()

    def _put(self, what: str) -> None:
        served = {held.folder for held in self._shelf}
        for name in MADE[what]:
            folder = self._folder / name
            if folder not in served and (folder / "config.json").exists():
                self._shelf.put(folder)
