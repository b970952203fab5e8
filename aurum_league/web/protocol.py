"""HTTP as uvicorn speaks it, with limits on the head of a request: its size, and how long it may take to come."""

import asyncio

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

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
