"""The server in its process: the port, the address, and the browser."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from jumok.studio.app import create_app
from jumok.studio.guarding import LOCAL
from jumok.studio.limits import Limits
from jumok.studio.shelf import Shelf


class Serving:
    """A port that is held, and what is served on it.

    host: where it listens. Only this machine can ask a loopback address; elsewhere every request needs the token.
    demo: where models go that are trained from the page.
    """

    def __init__(
        self,
        shelf: Shelf,
        host: str = "127.0.0.1",
        port: int = 8899,
        token: str | None = None,
        limits: Limits | None = None,
        demo: Path = Path("jumok-demo"),
    ) -> None:
        self.socket = _held(host, port)
        self.is_local = _is_local(host)
        self.token = token or (None if self.is_local else secrets.token_urlsafe(16))
        hosts = LOCAL if self.is_local else None
        self.app: FastAPI = create_app(shelf, limits=limits, hosts=hosts, token=self.token, demo=demo)
        name = f"[{host}]" if ":" in host else host
        secret = f"?token={self.token}" if self.token else ""
        self.address = f"http://{name}:{self.socket.getsockname()[1]}/{secret}"

    def run(self, ready: Callable[[], None] | None = None, browser: bool = False) -> None:
        """Serve until it is interrupted."""
        config = uvicorn.Config(
            self.app, log_level="warning", timeout_keep_alive=10, h11_max_incomplete_event_size=65536
        )
        server = uvicorn.Server(config)
        if browser:
            threading.Timer(0.5, webbrowser.open, [self.address]).start()
        if ready is not None:
            ready()
        server.run(sockets=[self.socket])


def _held(host: str, port: int) -> socket.socket:
    """The port, bound; one clear line where it cannot be."""
    try:
        family, kind, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, OverflowError, UnicodeError):
        raise ValueError(f"--host {host}: there is no such address; give a name or number of this machine") from None
    held = socket.socket(family, kind)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        held.bind(place)
    except OSError as error:
        held.close()
        reason = "is in use" if error.errno in (48, 98, 10048) else f"cannot be used ({error.strerror})"
        raise ValueError(
            f"port {port} of {host} {reason}; give another with --port, or 0 for any that is free"
        ) from None
    held.listen(128)
    return held


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
