"""Answers that are streamed: exports row by row, and streams that live for hours."""

import asyncio
import csv
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import StreamingHttpResponse
from rest_framework.renderers import JSONRenderer

Row = dict[str, Any]
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
LINES = "application/x-ndjson"
TABLE = "text/csv"


def stream_lines(rows: Iterable[Row], name: str) -> StreamingHttpResponse:
    """One JSON object a line."""
    renderer = JSONRenderer()
    return _stream((renderer.render(row) + b"\n" for row in rows), LINES, f"{name}.ndjson")


def stream_table(rows: Iterable[Row], name: str, columns: tuple[str, ...]) -> StreamingHttpResponse:
    """CSV with a heading, also where there are no rows."""
    return _stream(_write_table(rows, columns), f"{TABLE}; charset=utf-8", f"{name}.csv")


def make_harmless(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula gets an apostrophe, which spreadsheets do not show."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


class _Line:
    """Hands each line on as it is written, where a file would keep it."""

    def write(self, text: str) -> str:
        return text


def _write_table(rows: Iterable[Row], columns: tuple[str, ...]) -> Iterator[str]:
    writer = csv.writer(_Line())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([make_harmless(_as_cell(row.get(column))) for column in columns])


def _as_cell(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _stream(parts: Iterable[str | bytes], media: str, name: str) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-cache"}
    return StreamingHttpResponse(parts, content_type=media, headers=headers)


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
