"""Pages by threads that wait for no reader: a thread writes its answer at once, the loop sends it as it is read.

What is written and not yet read lies in memory, or in a file without a name where it is much.
"""

import asyncio
import io
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from tempfile import SpooledTemporaryFile
from typing import Any

import structlog
from a2wsgi.wsgi import build_environ

from aurum_league.settings.environment import read_data_folder

PIECE_BYTES = 65_536
MOST_IN_MEMORY = 1_000_000
"""Of one answer; more of it lies in a file."""

MOST_OF_ALL_IN_MEMORY = 64_000_000
MOST_OF_ALL = 2_000_000_000
"""Of all answers of this process that wait to be read. Past it the long ones are broken off, and pages go on."""

log = structlog.get_logger()


class WaitingAnswers:
    """Bytes of all answers that are written and not yet read: threads add to it, the loop takes from it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.in_all = 0

    def add(self, size: int) -> int:
        with self._lock:
            self.in_all += size
            return self.in_all


waiting = WaitingAnswers()


class ReaderGone(Exception):
    """Nobody takes the rest: there is no need to write it."""


class Outbox:
    """One answer between the thread that writes it and the loop that sends it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.head: dict[str, Any] | None = None
        self._loop = loop
        self._news = asyncio.Event()
        self._lock = threading.Lock()
        self._file = SpooledTemporaryFile(dir=str(read_data_folder()))  # noqa: SIM115
        self._is_in_memory = True
        self._start = self._end = 0
        self._is_whole = self._is_left = False

    def begin(self, status: str, headers: list[tuple[str, str]], failure: object = None) -> Callable[[bytes], None]:
        """WSGI's start_response."""
        told = [(name.lower().encode("latin1"), value.encode("latin1")) for name, value in headers]
        self.head = {"type": "http.response.start", "status": int(status[:3]), "headers": told}
        return self.put

    def put(self, piece: bytes) -> None:
        """By the thread, which never waits here. Raises ReaderGone."""
        with self._lock:
            if self._is_left:
                raise ReaderGone
            own, in_all = self._end - self._start + len(piece), waiting.in_all + len(piece)
            if own > MOST_IN_MEMORY and in_all > MOST_OF_ALL:
                log.warning("answer_broken_off", waiting_bytes=in_all)
                raise ReaderGone
            if self._is_in_memory and (own > MOST_IN_MEMORY or in_all > MOST_OF_ALL_IN_MEMORY):
                self._file.rollover()
                self._is_in_memory = False
            self._file.seek(self._end)
            self._file.write(piece)
            self._end += len(piece)
            waiting.add(len(piece))
        self._loop.call_soon_threadsafe(self._news.set)

    def finish(self) -> None:
        self._is_whole = True
        self._loop.call_soon_threadsafe(self._news.set)

    async def take(self) -> bytes:
        """The next piece as soon as there is one; nothing at the end."""
        while True:
            self._news.clear()
            is_whole = self._is_whole
            if piece := self._read():
                return piece
            if is_whole:
                return b""
            await self._news.wait()

    def leave(self) -> None:
        """Nobody reads on."""
        with self._lock:
            if not self._is_left:
                self._is_left = True
                waiting.add(self._start - self._end)
                self._file.close()

    def _read(self) -> bytes:
        with self._lock:
            if self._is_left or self._start == self._end:
                return b""
            self._file.seek(self._start)
            piece = self._file.read(PIECE_BYTES)
            self._start += len(piece)
            waiting.add(-len(piece))
            if self._start == self._end:
                # A file is as long as its reader is behind, not as the answer.
                self._file.seek(0)
                self._file.truncate()
                self._start = self._end = 0
        return piece


class Pages:
    """An ASGI application around a WSGI one, for requests that are here whole and answers of any length."""

    def __init__(self, wsgi: Callable[..., Iterable[bytes]], threads: int) -> None:
        self.wsgi = wsgi
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="page")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = (await receive()).get("body", b"")
        environ = build_environ(scope, io.BytesIO(body))  # type: ignore[arg-type]
        loop = asyncio.get_running_loop()
        outbox = Outbox(loop)
        work = loop.run_in_executor(self.threads, copy_context().run, self._write, environ, outbox)
        watching = loop.create_task(_leave_with_reader(receive, outbox))
        try:
            await _send_all(outbox, work, send)
        finally:
            watching.cancel()
            outbox.leave()

    def _write(self, environ: Any, outbox: Outbox) -> None:
        try:
            pieces = self.wsgi(environ, outbox.begin)
            try:
                for piece in pieces:
                    outbox.put(piece)
            finally:
                getattr(pieces, "close", lambda: None)()
        finally:
            outbox.finish()


async def _send_all(outbox: Outbox, work: asyncio.Future[None], send: Any) -> None:
    """Raises whatever ended the writing before its end, and leaves the answer open then: the server hangs up."""
    piece = await outbox.take()
    if outbox.head is not None:
        await send(outbox.head)
    while piece:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        piece = await outbox.take()
    try:
        await work
    except ReaderGone:
        return
    await send({"type": "http.response.body", "body": b""})


async def _leave_with_reader(receive: Any, outbox: Outbox) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    outbox.leave()
    outbox.finish()
