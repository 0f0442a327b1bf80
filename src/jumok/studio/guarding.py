"""What stands between the network and the server: sizes, patience, a token, and where a page may come from."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Iterable
from urllib.parse import parse_qs

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jumok.studio.limits import Limits

LOCAL = ("localhost", "127.0.0.1", "[::1]")
SAFE = {
    "content-security-policy": "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
"""On every answer: nothing is fetched from elsewhere, nobody frames the page."""
COOKIE = "jumok-token"


class Guard:
    """Turns away what is too large, too slow, from elsewhere or without the token, before anything reads it.

    hosts: names by which the server may be called; a page of another name that points here is turned away. None where
    it serves a network, and the token decides. token: what every request must carry; None where only this machine can
    ask.
    """

    def __init__(
        self, app: ASGIApp, limits: Limits, hosts: Iterable[str] | None = LOCAL, token: str | None = None
    ) -> None:
        self._app, self._limits, self._token = app, limits, token
        self._hosts = None if hosts is None else set(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = _given(scope, headers)
        refusal = self._refusal(scope, headers, given)
        if refusal is not None:
            await _refuse(send, *refusal)
            return

        async def safe_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = [(name.encode(), value.encode()) for name, value in SAFE.items()]
                if self._token is not None and given == self._token and scope["path"] == "/":
                    kept = f"{COOKIE}={self._token}; HttpOnly; SameSite=Strict; Path=/"
                    more.append((b"set-cookie", kept.encode()))
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await self._app(scope, _Measured(receive, self._limits), safe_send)

    def _refusal(self, scope: Scope, headers: Headers, given: str | None) -> tuple[int, str] | None:
        host = (
            headers.get("host", "").rsplit(":", 1)[0] if not headers.get("host", "").endswith("]") else headers["host"]
        )
        if self._hosts is not None and host not in self._hosts:
            return 421, f"this server is not called {host or 'nothing'}; open it by the address that it printed"
        origin = headers.get("origin")
        if origin is not None and origin.split("://")[-1] != headers.get("host", ""):
            return 403, "requests from pages of another server are not answered"
        if self._token is not None and not hmac.compare_digest((given or "").encode(), self._token.encode()):
            return 401, "give the token that the server printed: ?token=..., or Authorization: Bearer ..."
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            return 400, "content-length is no number"
        if int(length) > self._limits.body_bytes:
            return 413, _too_large(self._limits)
        return None


class _Measured:
    """Receives a body that is not too large, and not for ever."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self._receive, self._limits = receive, limits
        self._bytes, self._done = 0, False
        self._deadline = asyncio.get_running_loop().time() + limits.body_seconds

    async def __call__(self) -> Message:
        if self._done:
            return await self._receive()
        left = self._deadline - asyncio.get_running_loop().time()
        try:
            message = await asyncio.wait_for(self._receive(), max(left, 0.0))
        except asyncio.TimeoutError:
            raise HTTPException(408, f"the request did not come within {self._limits.body_seconds:g} seconds") from None
        if message["type"] == "http.request":
            self._bytes += len(message.get("body", b""))
            self._done = not message.get("more_body", False)
            if self._bytes > self._limits.body_bytes:
                raise HTTPException(413, _too_large(self._limits))
        return message


def _given(scope: Scope, headers: Headers) -> str | None:
    """The token of a request: in its header, its address or its cookie."""
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and value:
        return value
    query: bytes = scope.get("query_string", b"")
    asked = parse_qs(query.decode("latin-1")).get("token")
    if asked:
        return asked[0]
    cookies = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return next((value for name, _, value in cookies if name == COOKIE), None)


def _too_large(limits: Limits) -> str:
    return f"the request is larger than {limits.body_bytes:,} bytes"


async def _refuse(send: Send, status: int, text: str) -> None:
    body = json.dumps({"error": text}).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body)), "connection": "close", **SAFE}
    plain = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": plain})
    await send({"type": "http.response.body", "body": body})
