"""Rows as files that are streamed: CSV that no spreadsheet takes for formulas, JSON, and a JSON object a line."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import StreamingHttpResponse
from rest_framework.renderers import JSONRenderer

Row = dict[str, Any]
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
LINES = "application/x-ndjson"
TABLE = "text/csv"


class _Line:
    """Hands each line on as it is written, where a file would keep it."""

    def write(self, text: str) -> str:
        return text


def write_csv(rows: Iterable[Row], columns: Sequence[str] = ()) -> Iterator[str]:
    """A heading and one line a row. Without `columns` the first row names them, and no rows give no heading."""
    writer = csv.writer(_Line())
    if columns:
        yield writer.writerow(columns)
    for row in rows:
        if not columns:
            columns = list(row)
            yield writer.writerow(columns)
        yield writer.writerow([make_cell(row.get(column)) for column in columns])


def make_cell(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula gets an apostrophe in front; times are in ISO 8601."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return value.isoformat() if hasattr(value, "isoformat") else value


def write_json(rows: Iterable[Row]) -> Iterator[str]:
    """A list of objects, one a line."""
    encode = DjangoJSONEncoder(ensure_ascii=False).encode
    before = "[\n"
    for row in rows:
        yield before + encode(row)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def write_lines(rows: Iterable[Row]) -> Iterator[str]:
    """One JSON object a line."""
    render = JSONRenderer().render
    return (render(row).decode() + "\n" for row in rows)


def send_file(parts: Iterable[str] | Iterable[bytes], media: str, name: str) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-cache"}
    return StreamingHttpResponse(parts, content_type=media, headers=headers)


def send_lines(rows: Iterable[Row], name: str) -> StreamingHttpResponse:
    return send_file(write_lines(rows), LINES, f"{name}.ndjson")


def send_table(rows: Iterable[Row], name: str, columns: Sequence[str] = ()) -> StreamingHttpResponse:
    return send_file(write_csv(rows, columns), f"{TABLE}; charset=utf-8", f"{name}.csv")
