"""Small requests read and answered whole: one step from the event loop to a thread and back, instead of one a piece."""

import asyncio
import io
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from a2wsgi.wsgi import build_environ

MOST_BYTES = 65_536
TOO_LARGE = (413, [(b"content-type", b"text/plain"), (b"content-length", b"18")], b"Request too large.")

Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


class WholeRequests:
    """An ASGI application around a WSGI one, for paths whose requests are short and whose answers are no streams."""

    def __init__(self, wsgi: Callable[..., Iterable[bytes]], threads: int) -> None:
        self.wsgi = wsgi
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="whole")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = await _read_body(receive)
        if body is None:
            status, headers, content = TOO_LARGE
        else:
            environ = build_environ(scope, io.BytesIO(body))  # type: ignore[arg-type]
            loop = asyncio.get_running_loop()
            run = copy_context().run
            status, headers, content = await loop.run_in_executor(self.threads, run, self._answer, environ)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    def _answer(self, environ: Any) -> Answer:
        started: list[tuple[int, list[tuple[bytes, bytes]]]] = []

        def start(status: str, headers: list[tuple[str, str]], failure: object = None) -> None:
            encoded = [(name.lower().encode("latin1"), value.encode("latin1")) for name, value in headers]
            started.append((int(status[:3]), encoded))

        pieces = self.wsgi(environ, start)
        try:
            content = b"".join(pieces)
        finally:
            getattr(pieces, "close", lambda: None)()
        return *started[-1], content


async def _read_body(receive: Any) -> bytes | None:
    """None where there is more than anybody has to say at a table."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            return None
        if not message.get("more_body", False):
            return body
