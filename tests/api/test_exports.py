"""Exports: a spreadsheet takes nothing in them for a formula, and their length costs no memory."""

import csv
import hashlib
import io
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pyarrow.parquet
import pytest
from django.http import StreamingHttpResponse

from aurum_league.common.files import Row, send_lines, send_table
from aurum_league.common.parquet import ROWS_A_GROUP, write_parquet

PARQUET_COLUMNS = {"match": int, "name": str, "score": float, "ok": bool, "at": datetime}
COLUMNS = ("match", "entrants", "place")
FEW, MANY = 1_000, 100_000
Export = Callable[[Iterator[Row]], StreamingHttpResponse]


def make_rows(count: int) -> Iterator[Row]:
    return ({"match": number, "entrants": "=HYPERLINK(1)", "place": number % 3 + 1} for number in range(count))


def as_lines(rows: Iterator[Row]) -> StreamingHttpResponse:
    return send_lines(rows, "rows")


def as_table(rows: Iterator[Row]) -> StreamingHttpResponse:
    return send_table(rows, "rows", COLUMNS)


@pytest.mark.parametrize("export", [as_lines, as_table])
def test_a_hundred_times_the_rows_take_no_more_memory(export: Export) -> None:
    peaks = []
    for count in (FEW, FEW, MANY):
        tracemalloc.start()
        parts = sum(1 for _ in export(make_rows(count)))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert parts >= count
    assert peaks[2] < peaks[1] + 50_000


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        pytest.param("=1+1", "'=1+1", id="a formula"),
        pytest.param("+1", "'+1", id="plus"),
        pytest.param("-1", "'-1", id="minus in a text"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="an old formula"),
        pytest.param("\t=1", "'\t=1", id="behind a tab"),
        pytest.param("\r=1", "'\r=1", id="behind a return"),
        pytest.param("\n=1", "'\n=1", id="behind a new line"),
        pytest.param("Counting", "Counting", id="a name"),
        pytest.param(-1, "-1", id="a number"),
        pytest.param(None, "", id="nothing"),
    ],
)
def test_cells_are_harmless(value: Any, cell: str) -> None:
    body = b"".join(as_table(iter([{"match": 1, "entrants": value, "place": 1}])))
    heading, row = csv.reader(body.decode().splitlines(keepends=True))
    assert tuple(heading) == COLUMNS
    assert row == ["1", cell, "1"]


def list_odd_rows(count: int) -> list[Row]:
    at = datetime(2026, 11, 18, 20, 0, 0, 123456, tzinfo=UTC)
    return [
        {
            "match": number - 3,
            "name": None if number % 7 == 0 else f"Ünï {number}",
            "score": None if number % 5 == 0 else number / 3,
            "ok": None if number % 11 == 0 else number % 2 == 0,
            "at": at if number % 3 else None,
        }
        for number in range(count)
    ]


def test_parquet_is_the_very_bytes_that_pyarrow_and_pandas_read() -> None:
    """As read by pyarrow 26.0.1 and pandas 3.1.1: what is written changes with our code alone."""
    written = b"".join(write_parquet(list_odd_rows(20), PARQUET_COLUMNS))
    digest = hashlib.sha256(written).hexdigest()
    assert digest == "cd2b5af866f7c468a2faab5ea3fc84b7a5c2e61b93b4e383683125645cc36a55"


def test_parquet_is_read_by_pyarrow() -> None:
    rows = list_odd_rows(2 * ROWS_A_GROUP + 17)
    written = b"".join(write_parquet(rows, PARQUET_COLUMNS))
    assert pyarrow.parquet.read_table(io.BytesIO(written)).to_pylist() == rows
    assert pyarrow.parquet.read_table(io.BytesIO(b"".join(write_parquet([], PARQUET_COLUMNS)))).num_rows == 0
