"""Rows as a Parquet file, streamed: every column optional, plain and uncompressed; a library would be 150 MB more.

After the format's own description (Apache Parquet, `parquet.thrift` and Encodings.md). docs/decisions say why.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, islice
from struct import pack
from typing import Any

PARQUET = "application/vnd.apache.parquet"
MAGIC = b"PAR1"
ROWS_A_GROUP = 5_000
# Thrift's compact protocol: the types of fields, and of a file's columns.
I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
BOOLEAN, INT64, DOUBLE, BYTES = 0, 2, 5, 6
PLAIN, RLE, OPTIONAL, UTF8, MICROSECONDS = 0, 3, 1, 0, 10
_TYPES = {bool: BOOLEAN, int: INT64, float: DOUBLE, str: BYTES, dt.datetime: INT64}
_MEANINGS = {str: UTF8, dt.datetime: MICROSECONDS}
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)


def write_parquet(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, type]) -> Iterator[bytes]:
    """`columns` names the types: int, float, str, bool or datetime, each with None where there is nothing."""
    yield MAGIC
    left, offset, groups, total = iter(rows), len(MAGIC), [], 0
    while chunk := list(islice(left, ROWS_A_GROUP)):
        chunks, start = [], offset
        for name, kind in columns.items():
            page = _make_page([row.get(name) for row in chunk], kind)
            yield page
            chunks.append(_tell_chunk(name, kind, len(chunk), offset, len(page)))
            offset += len(page)
        groups.append(_struct((1, LIST, _list(STRUCT, chunks)), (2, I64, offset - start), (3, I64, len(chunk))))
        total += len(chunk)
    footer = _struct(
        (1, I32, 1),
        (
            2,
            LIST,
            _list(STRUCT, [_struct((4, BINARY, b"rows"), (5, I32, len(columns))), *map(_tell_column, columns.items())]),
        ),
        (3, I64, total),
        (4, LIST, _list(STRUCT, groups)),
        (6, BINARY, b"aurum"),
    )
    yield footer + pack("<I", len(footer)) + MAGIC


def _make_page(values: list[Any], kind: type) -> bytes:
    """The header of a data page, which values are there, and those one after another."""
    there = b"".join(
        _varint(len(list(run)) << 1) + bytes((is_there,))
        for is_there, run in groupby(value is not None for value in values)
    )
    body = pack("<I", len(there)) + there + _encode([value for value in values if value is not None], kind)
    about = _struct((1, I32, len(values)), (2, I32, PLAIN), (3, I32, RLE), (4, I32, RLE))
    return _struct((1, I32, 0), (2, I32, len(body)), (3, I32, len(body)), (5, STRUCT, about)) + body


def _encode(values: list[Any], kind: type) -> bytes:
    if kind is str:
        return b"".join(pack("<I", len(text)) + text for text in (value.encode() for value in values))
    if kind is bool:
        bits = sum(1 << at for at, value in enumerate(values) if value)
        return bits.to_bytes((len(values) + 7) // 8, "little")
    if kind is dt.datetime:
        values = [(value - _EPOCH) // _MICROSECOND for value in values]
    return pack(f"<{len(values)}{'d' if kind is float else 'q'}", *values)


def _tell_column(column: tuple[str, type]) -> bytes:
    name, kind = column
    meaning = ((6, I32, _MEANINGS[kind]),) if kind in _MEANINGS else ()
    return _struct((1, I32, _TYPES[kind]), (3, I32, OPTIONAL), (4, BINARY, name.encode()), *meaning)


def _tell_chunk(name: str, kind: type, rows: int, offset: int, size: int) -> bytes:
    about = _struct(
        (1, I32, _TYPES[kind]),
        (2, LIST, _list(I32, [_zigzag(PLAIN), _zigzag(RLE)])),
        (3, LIST, _list(BINARY, [_bytes(name.encode())])),
        (4, I32, 0),
        (5, I64, rows),
        (6, I64, size),
        (7, I64, size),
        (9, I64, offset),
    )
    return _struct((2, I64, offset), (3, STRUCT, about))


def _struct(*fields: tuple[int, int, Any]) -> bytes:
    """Numbers of fields are told by how much they rise, which is never more than fifteen here."""
    told, before = bytearray(), 0
    for number, kind, value in fields:
        told.append((number - before) << 4 | kind)
        told += _zigzag(value) if kind in (I32, I64) else _bytes(value) if kind == BINARY else value
        before = number
    return bytes(told) + b"\0"


def _list(kind: int, items: list[bytes]) -> bytes:
    head = bytes((len(items) << 4 | kind,)) if len(items) < 15 else bytes((0xF0 | kind,)) + _varint(len(items))
    return head + b"".join(items)


def _bytes(content: bytes) -> bytes:
    return _varint(len(content)) + content


def _zigzag(number: int) -> bytes:
    return _varint(number << 1 if number >= 0 else (-number << 1) - 1)


def _varint(number: int) -> bytes:
    told = bytearray()
    while number > 0x7F:
        told.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*told, number))
