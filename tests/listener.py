"""The other end of a connection to the site's ASGI application, for streams that end only when their listener goes."""

import asyncio
from typing import Any


class Listener:
    """What it is sent, and when it hangs up."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.has_gone = asyncio.Event()
        self.has_asked = False

    async def receive(self) -> dict[str, Any]:
        if not self.has_asked:
            self.has_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.has_gone.wait()
        return {"type": "http.disconnect"}
