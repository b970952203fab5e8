"""HTTP as uvicorn speaks it, with limits: how large and how slow the head of a request may be, how slow its reader."""

import asyncio

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

HEAD_SECONDS = 10.0
MOST_HEAD_BYTES = 32_768
MOST_HEADERS = 100
READ_SECONDS = 10.0
LEAST_READ_BYTES = 40_000
"""So much of an answer that is waiting must be taken in each stretch of so many seconds: 4 KB a second."""


class LimitedProtocol(HttpToolsProtocol):
    """uvicorn's own, which waits for a head and for whoever reads an answer for ever, and takes a head of any size."""

    head_bytes = 0
    head_timer: asyncio.TimerHandle | None = None
    read_timer: asyncio.TimerHandle | None = None
    is_too_large = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_timer()
        self._forget_reader()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """More of the answer is here than the client has taken: a page's thread may be waiting for it."""
        super().pause_writing()
        self._watch_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        self._forget_reader()
        super().resume_writing()

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

    def _watch_reader(self, waiting: int) -> None:
        self.read_timer = self.loop.call_later(READ_SECONDS, self._check_reader, waiting)

    def _check_reader(self, before: int) -> None:
        """Cut off at once where too little was taken: a close that waits for the rest would wait as long."""
        waiting = self.transport.get_write_buffer_size()
        if before - waiting < LEAST_READ_BYTES:
            self.transport.abort()
        else:
            self._watch_reader(waiting)

    def _forget_reader(self) -> None:
        if self.read_timer is not None:
            self.read_timer.cancel()
            self.read_timer = None
