"""A server of small models, on a port of its own."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import uvicorn
from tests.systems.trained import train

import jumok
from jumok.studio import Shelf
from jumok.studio.serving import Serving


class Reply(NamedTuple):
    """What the server said."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """Asks a server as a program would."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, path: str, data: object = None, body: bytes | None = None, **headers: str) -> Reply:
        """A GET, or a POST where there is something to send."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=200)
        sent = json.dumps(data).encode() if data is not None else body
        known = {"content-type": "application/json"} if data is not None else {}
        try:
            connection.request("GET" if sent is None else "POST", path, sent, known | headers)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()


@pytest.fixture(scope="session")
def models(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders: a translator that attends and one that does not, a captioner, an answerer, a graph classifier."""
    folder = tmp_path_factory.mktemp("studio")
    changes: dict[str, Any] = {"training.updates": 2, "training.checkpoint_minutes": None, "training.threads": 1}
    pictures = {"practice": "scenes", "pictures": 8, "size": 64}
    scenes = {f"data.{name}": pictures for name in ("validation", "test")} | {"data.train": pictures | {"pictures": 40}}
    small = {"model.decoder.hidden_size": 16, "model.embedding_size": 16, "batches.size": 4}
    stories = {"data.train.questions": 60, "data.test.questions": 12, "training.epochs": None}
    jumok.train("scenes", folder / "captioner", set=changes | scenes | small, quiet=True)
    jumok.train("karate", folder / "classifier", set=changes | {"training.updates": 20}, quiet=True)
    jumok.train("stories", folder / "answerer", set=changes | stories, quiet=True)
    return {
        "attending": train(folder / "attending", model__preset="bahdanau"),
        "plain": train(folder / "plain", model__preset="plain-first", model__decoder__output="state"),
        "captioner": folder / "captioner",
        "answerer": folder / "answerer",
        "classifier": folder / "classifier",
    }


Start = Callable[..., Client]


@pytest.fixture(scope="session")
def start(models: dict[str, Path]) -> Iterator[Start]:
    """Starts servers, and ends them all."""
    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def begin(*names: str | Path, **how: Any) -> Client:
        folders = [name if isinstance(name, Path) else models[name] for name in names]
        serving = Serving(Shelf.of(folders), port=0, **how)
        server = uvicorn.Server(uvicorn.Config(serving.app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [serving.socket]}, daemon=True)
        thread.start()
        running.append((server, thread))
        for _ in range(200):
            if server.started:
                break
            time.sleep(0.05)
        assert server.started
        client = Client(serving.socket.getsockname()[1])
        client.room = serving.app.state.room  # type: ignore[attr-defined]
        return client

    yield begin
    for server, thread in running:
        server.should_exit = True
        thread.join(timeout=10)


@pytest.fixture(scope="session")
def client(start: Start, models: dict[str, Path]) -> Client:
    """A server of all of them."""
    return start(*models)
