"""Exports: a spreadsheet takes nothing in them for a formula, and their length costs no memory."""

import csv
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.http import StreamingHttpResponse

from aurum_league.common.files import Row, send_lines, send_table

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
