"""`jumok studio` beside a test, and the requests that a page makes with curl."""

from __future__ import annotations

import json
import shlex
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import uvicorn
from tests.guides.commands import Printed, run_jumok

from jumok.studio.serving import Serving

KINDS = {"--json": "application/json", "--data-binary": "application/octet-stream"}


class Served:
    """The servers that were started; they end with the page."""

    def __init__(self) -> None:
        self.running: list[tuple[uvicorn.Server, threading.Thread]] = []
        self.address = ""

    def start(self, line: str) -> Printed:
        """A line of `jumok studio`, on any port, without a browser; it answers when this returns."""
        done = run_jumok(f"{line} --port 0 --no-browser")
        assert json.loads(self.ask("/api/health"))["status"] == "ok"
        return done

    def run(self, serving: Serving, ready: Callable[[], None], browser: bool) -> None:
        """In the place of `Serving.run`, which does not return."""
        server = uvicorn.Server(uvicorn.Config(serving.app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [serving.socket]}, daemon=True)
        thread.start()
        self.running.append((server, thread))
        self.address = serving.address.rstrip("/")
        until = time.monotonic() + 30
        while not server.started and time.monotonic() < until:
            time.sleep(0.02)
        ready()

    def ask(self, path: str, content: bytes | None = None, kind: str = "--json") -> bytes:
        """What it answers; a status of 4xx is an error."""
        request = urllib.request.Request(self.address + path, content, {"content-type": KINDS[kind]})
        with urllib.request.urlopen(request, timeout=60) as reply:
            return bytes(reply.read())

    def curl(self, line: str) -> Printed:
        """The request that a line makes."""
        address, kind, content = (word for word in shlex.split(line)[1:] if word != "-N")
        sent = Path(content[1:]).read_bytes() if content.startswith("@") else content.encode()
        answer = self.ask(address.removeprefix("localhost:8899"), sent, kind).decode()
        assert "attention" in answer or "event: done" in answer
        return Printed(0, answer)

    def end(self) -> None:
        for server, thread in self.running:
            server.should_exit = True
            thread.join(timeout=10)
