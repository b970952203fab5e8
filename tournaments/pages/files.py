"""Rows as files that are sent as they are made: CSV that no spreadsheet takes for formulas, and JSON."""

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, StreamingHttpResponse

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


class Echo:
    """A file for csv.writer that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def write_csv(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """One line a row, under the names of the first row's columns."""
    writer = csv.writer(Echo())
    columns: list[str] = []
    for row in rows:
        if not columns:
            columns = list(row)
            yield writer.writerow(columns)
        yield writer.writerow([make_cell(row.get(column)) for column in columns])


def make_cell(value: Any) -> Any:
    """Text that a spreadsheet would run as a formula gets an apostrophe in front."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return value


def write_json(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """A list of objects, one a line."""
    encode = DjangoJSONEncoder(ensure_ascii=False).encode
    before = "[\n"
    for row in rows:
        yield before + encode(row)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def write_json_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    return (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


WRITERS = {"csv": (write_csv, "text/csv; charset=utf-8"), "json": (write_json, "application/json")}


def send_rows(rows: Iterable[dict[str, Any]], name: str, form: str) -> StreamingHttpResponse:
    """The rows as a file `name`.csv or `name`.json; raises Http404 for any other form."""
    if form not in WRITERS:
        raise Http404("no such form of a file")
    write, content_type = WRITERS[form]
    return send_file(write(rows), content_type, f"{name}.{form}")


def send_file(parts: Iterator[str] | Iterator[bytes], content_type: str, name: str) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(parts, content_type=content_type, headers=headers)
