"""Limits: bodies read whole within a size, a deadline and a least rate; how many streams may be open, and of what."""

import asyncio
import json
import resource
from collections import Counter, OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.db import connection
from django.db.models import Model
from django.utils.http import parse_header_parameters

from aurum_league.common.api.access import name_address
from aurum_league.common.api.errors import TOO_LARGE, error_body
from games.models import Match
from tournaments.models import Tournament, Trial

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
        if not scope["query_string"].isascii() or not _is_utf8(scope):
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


def _is_utf8(scope: Any) -> bool:
    """Django reads text by whatever codec the client names: punycode takes minutes, UTF-7 hides brackets."""
    about = [value.decode("latin1") for name, value in scope["headers"] if name == b"content-type"]
    charsets = (parse_header_parameters(value)[1].get("charset", "utf-8") for value in about if ";" in value)
    return all(charset.lower() in ("utf-8", "utf8") for charset in charsets)


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


MOST_OF_ADDRESS = 300
"""A classroom behind one address has a stream or two for each of its pages."""

MOST_IN_ALL = 5_000
FILES_LEFT = 200
"""Of the files that this process may open, so many are for everything but streams."""

MOST_KNOWN = 10_000
RETRY_SECONDS = b"30"


class TooManyStreams(Exception):
    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class OpenStreams:
    """Of this process."""

    def __init__(self) -> None:
        self.by_address: Counter[str] = Counter()
        self.in_all = 0

    @contextmanager
    def admit(self, scope: Any) -> Iterator[None]:
        """Counts a stream for as long as it is open; TooManyStreams where there is no room for it."""
        address = name_address((scope.get("client") or ("",))[0])
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if self.in_all >= min(MOST_IN_ALL, files - FILES_LEFT):
            raise TooManyStreams(HTTPStatus.SERVICE_UNAVAILABLE)
        if self.by_address[address] >= MOST_OF_ADDRESS:
            raise TooManyStreams(HTTPStatus.TOO_MANY_REQUESTS)
        self.in_all += 1
        self.by_address[address] += 1
        try:
            yield
        finally:
            self.in_all -= 1
            self.by_address[address] -= 1
            if not self.by_address[address]:
                del self.by_address[address]


open_streams = OpenStreams()


async def refuse_stream(send: Any, status: HTTPStatus) -> None:
    told = {
        HTTPStatus.NOT_FOUND: ("not_found", "There is nothing to follow here."),
        HTTPStatus.TOO_MANY_REQUESTS: ("too_many_streams", "Too many streams are open from your address. Close some."),
        HTTPStatus.SERVICE_UNAVAILABLE: ("too_many_streams", "Too many streams are open. Try again in a minute."),
    }[status]
    body = json.dumps(error_body(*told)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]
    if status != HTTPStatus.NOT_FOUND:
        headers.append((b"retry-after", RETRY_SECONDS))
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})


KINDS: dict[str, type[Model]] = {"match": Match, "tournament": Tournament, "trial": Trial}

threads = ThreadPoolExecutor(2, thread_name_prefix="known")
_known: OrderedDict[tuple[str, int], None] = OrderedDict()


async def is_followable(kind: str, number: int) -> bool:
    """Whether there is such a thing; what was there once is not looked for again."""
    if (kind, number) in _known:
        return True
    found = await asyncio.get_running_loop().run_in_executor(threads, _look, kind, number)
    if found:
        _known[kind, number] = None
        if len(_known) > MOST_KNOWN:
            _known.popitem(last=False)
    return found


def _look(kind: str, number: int) -> bool:
    try:
        return KINDS[kind]._default_manager.filter(pk=number).exists()
    finally:
        connection.close()
