"""Limits on requests: the head, as uvicorn speaks HTTP, and the body, read whole before a thread works for it."""

import asyncio
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from aurum_league.common.api.errors import TOO_LARGE, error_body

HEAD_SECONDS = 10.0
MOST_HEAD_BYTES = 32_768
MOST_HEADERS = 100


class LimitedProtocol(HttpToolsProtocol):
    """uvicorn's own, which waits for a head for ever and takes one of any size."""

    head_bytes = 0
    head_timer: asyncio.TimerHandle | None = None
    is_too_large = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._wait_for_head()
            self.head_bytes += len(data)
        super().data_received(data)
        if self.head_timer is not None and self.head_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
            self.is_too_large = True
            self.send_400_response("")

    def on_headers_complete(self) -> None:
        self._forget_timer()
        self.head_bytes = 0
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > MOST_HEAD_BYTES or len(self.headers) > MOST_HEADERS:
            self.is_too_large = True
            # The parser stops at it, and has `send_400_response` called.
            raise ValueError("the head of the request is too large")
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        self._forget_timer()
        if not self.is_too_large:
            super().send_400_response(msg)
            return
        sentence = b"The head of the request is larger than allowed."
        head = b"content-type: text/plain\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(sentence)
        self.transport.write(STATUS_LINE[431] + head + sentence)
        self.transport.close()

    def _wait_for_head(self) -> None:
        if self.head_timer is None:
            self.head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _forget_timer(self) -> None:
        if self.head_timer is not None:
            self.head_timer.cancel()
            self.head_timer = None


GRACE_SECONDS = 5.0
LEAST_BYTES_A_SECOND = 4_000
"""A body may take as long as this rate and the grace allow: two megabytes by a slow line do, a trickle does not."""

BODY_SECONDS = 120.0
MOST_BODY_BYTES = 4_000_000
"""More than Django takes by DATA_UPLOAD_MAX_MEMORY_SIZE, so that its own refusals, which say more, come first."""

MOST_TABLE_BYTES = 65_536
"""More than anybody has to say at a table."""

MOST_WAITING_BYTES = 64_000_000
"""Of all bodies together that this process has begun to read; small ones are taken all the same."""

SENTENCES = {
    HTTPStatus.REQUEST_TIMEOUT: ("too_slow", "The request did not arrive in time."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (TOO_LARGE, "The request is larger than allowed."),
    HTTPStatus.SERVICE_UNAVAILABLE: ("busy", "Too much is being sent at once. Try again in a minute."),
    HTTPStatus.BAD_REQUEST: ("malformed", "The request cannot be understood."),
}


@dataclass(slots=True)
class _Waiting:
    held: int = 0


waiting = _Waiting()


class Refusal(Exception):
    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class ClientGone(Exception):
    """Nobody is left to answer."""


async def gather_request(scope: Any, receive: Any, send: Any, most_bytes: int) -> tuple[Any, Any] | None:
    """Scope and receive of a request that is here whole; None where it was refused, or its sender has gone."""
    try:
        if not scope["query_string"].isascii():
            raise Refusal(HTTPStatus.BAD_REQUEST)
        announced = _announce_length(scope)
        if announced == 0:
            return scope, receive
        body = await _read_body(receive, announced, most_bytes)
    except ClientGone:
        return None
    except Refusal as refusal:
        await _refuse(scope, send, refusal.status)
        return None
    return _with_length(scope, len(body)), _repeat(body, receive)


def _announce_length(scope: Any) -> int | None:
    """How many bytes the body has; None where it comes in pieces and only its end tells."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return None
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or len(length) > 18:
        raise Refusal(HTTPStatus.BAD_REQUEST)
    return int(length)


async def _read_body(receive: Any, announced: int | None, most_bytes: int) -> bytes:
    if announced is not None and announced > most_bytes:
        raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    body = bytearray()
    started = asyncio.get_running_loop().time()
    try:
        while True:
            seconds = min(BODY_SECONDS, GRACE_SECONDS + len(body) / LEAST_BYTES_A_SECOND)
            async with asyncio.timeout_at(started + seconds):
                message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            piece = message.get("body", b"")
            body += piece
            waiting.held += len(piece)
            if len(body) > most_bytes:
                raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            if waiting.held > MOST_WAITING_BYTES and len(body) > MOST_TABLE_BYTES:
                raise Refusal(HTTPStatus.SERVICE_UNAVAILABLE)
            if not message.get("more_body", False):
                return bytes(body)
    except TimeoutError:
        raise Refusal(HTTPStatus.REQUEST_TIMEOUT) from None
    finally:
        waiting.held -= len(body)


def _with_length(scope: Any, length: int) -> Any:
    """Django reads no more than a length says; a body that came in pieces has one now."""
    kept = [pair for pair in scope["headers"] if pair[0] not in (b"content-length", b"transfer-encoding")]
    return {**scope, "headers": [*kept, (b"content-length", str(length).encode())]}


def _repeat(body: bytes, receive: Any) -> Any:
    pieces = [body]

    async def receive_whole() -> Any:
        if pieces:
            return {"type": "http.request", "body": pieces.pop(), "more_body": False}
        return await receive()

    return receive_whole


async def _refuse(scope: Any, send: Any, status: HTTPStatus) -> None:
    """What is still to come of the request is not read: the connection ends with the answer."""
    code, sentence = SENTENCES[status]
    is_api = scope["path"].startswith(("/api/", "/live/"))
    body = json.dumps(error_body(code, sentence)) if is_api else sentence
    headers = [
        (b"content-type", b"application/json" if is_api else b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})
