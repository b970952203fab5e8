"""Streams that live for hours: database work in threads, and an end that is heard."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


async def in_thread(work: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
    """Do database work in a thread and give its connection back: a stream needs none meanwhile."""

    def run() -> Answer:
        try:
            return work(*args, **kwargs)
        finally:
            if not connection.in_atomic_block:
                connection.close()

    return await sync_to_async(run)()


def is_wanted() -> bool:
    """False once this task was told to end: Python 3.11's `wait_for` can swallow that while a client connects."""
    task = asyncio.current_task()
    return task is None or not task.cancelling()
