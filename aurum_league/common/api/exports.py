"""Exports: rows streamed as NDJSON or CSV, one at a time, so that a season needs no more memory than a match."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

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
