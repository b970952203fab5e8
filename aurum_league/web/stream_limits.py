"""How many streams may be open at once, by address and in all, and which are of something that exists."""

import asyncio
import ipaddress
import json
import resource
from collections import Counter, OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.db import connection
from django.db.models import Model

from aurum_league.common.api.errors import error_body
from games.models import Match
from tournaments.models import Tournament, Trial

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


def name_address(text: str) -> str:
    """Whoever has one address of IPv6 has its whole network of 64 bits."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else text


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
