"""Rows as a Parquet file and back: every column optional, plain, packed if asked; a library would be 150 MB more.

What is read is what was written here.
After the format's own description (Apache Parquet, `parquet.thrift` and Encodings.md). docs/decisions say why.
"""

import datetime as dt
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby, islice
from pathlib import Path
from struct import error as StructError
from struct import pack, unpack_from
from typing import IO, Any

PARQUET = "application/vnd.apache.parquet"
MAGIC = b"PAR1"
ROWS_A_GROUP = 5_000
# Thrift's compact protocol: the types of fields, and of a file's columns.
I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
BOOLEAN, INT64, DOUBLE, BYTES = 0, 2, 5, 6
PLAIN, RLE, OPTIONAL, UTF8, MICROSECONDS, JSON = 0, 3, 1, 0, 10, 19
UNPACKED, GZIP = 0, 2
GZIP_WINDOW = 31
_TYPES = {bool: BOOLEAN, int: INT64, float: DOUBLE, str: BYTES, bytes: BYTES, dict: BYTES, dt.datetime: INT64}
_MEANINGS = {str: UTF8, dict: JSON, dt.datetime: MICROSECONDS}
_KINDS = {(number, _MEANINGS.get(kind)): kind for kind, number in _TYPES.items()}
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)


def write_parquet(
    rows: Iterable[Mapping[str, Any]],
    columns: Mapping[str, type],
    *,
    group: int = ROWS_A_GROUP,
    is_packed: bool = False,
) -> Iterator[bytes]:
    """`columns` names the types: int, float, str, bytes, bool or datetime, each with None where there is nothing.

    `dict` is anything that JSON can say, null too; there nothing is a key that a row has not.
    """
    yield MAGIC
    left, offset, groups, total = iter(rows), len(MAGIC), [], 0
    while chunk := list(islice(left, group)):
        chunks, start = [], offset
        for name, kind in columns.items():
            if kind is dict:
                values = [_write_json(row[name]) if name in row else None for row in chunk]
            else:
                values = [row.get(name) for row in chunk]
            page, size = _make_page(values, kind, is_packed)
            yield page
            chunks.append(_tell_chunk(name, kind, len(chunk), offset, len(page), size, is_packed))
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


def _write_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _make_page(values: list[Any], kind: type, is_packed: bool) -> tuple[bytes, int]:
    """The header of a data page, which values are there, and those one after another; its size before packing."""
    there = b"".join(
        _varint(len(list(run)) << 1) + bytes((is_there,))
        for is_there, run in groupby(value is not None for value in values)
    )
    body = pack("<I", len(there)) + there + _encode([value for value in values if value is not None], kind)
    packed = zlib.compress(body, wbits=GZIP_WINDOW) if is_packed else body
    about = _struct((1, I32, len(values)), (2, I32, PLAIN), (3, I32, RLE), (4, I32, RLE))
    header = _struct((1, I32, 0), (2, I32, len(body)), (3, I32, len(packed)), (5, STRUCT, about))
    return header + packed, len(header) + len(body)


def _encode(values: list[Any], kind: type) -> bytes:
    if _TYPES[kind] == BYTES:
        return b"".join(pack("<I", len(text)) + text for text in (v.encode() if kind is str else v for v in values))
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


def _tell_chunk(name: str, kind: type, rows: int, offset: int, size: int, unpacked: int, is_packed: bool) -> bytes:
    about = _struct(
        (1, I32, _TYPES[kind]),
        (2, LIST, _list(I32, [_zigzag(PLAIN), _zigzag(RLE)])),
        (3, LIST, _list(BINARY, [_bytes(name.encode())])),
        (4, I32, GZIP if is_packed else UNPACKED),
        (5, I64, rows),
        (6, I64, unpacked),
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


LARGEST_PAGE = 1 << 28


class ParquetFile:
    """A file that `write_parquet` wrote, read a group of rows at a time; raises ValueError where it is none."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        file.seek(0, 2)
        size = file.tell()
        end = self._read(size - 8, 8) if size >= 12 else b""
        if end[4:] != MAGIC:
            raise ValueError("it is no Parquet file")
        (length,) = unpack_from("<I", end)
        try:
            told, _ = _read_struct(self._read(size - 8 - length, length), 0)
            self.columns = {one[4].decode(): _KINDS[one[1], one.get(6)] for one in told[2][1:]}
            self.groups = [(one[3], [chunk[3] for chunk in one[1]]) for one in told[4]]
        except _SPOILT as error:
            raise ValueError(f"its footer cannot be read ({error!r})") from None

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> "Iterator[ParquetFile]":
        with path.open("rb") as file:
            yield cls(file)

    def read_rows(self) -> Iterator[dict[str, Any]]:
        for number in range(len(self.groups)):
            yield from self.read_group(number)

    def read_group(self, number: int, names: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Its rows with these columns only, or all."""
        count, chunks = self.groups[number]
        rows: list[dict[str, Any]] = [{} for _ in range(count)]
        try:
            for (name, kind), chunk in zip(self.columns.items(), chunks, strict=True):
                if names is None or name in names:
                    for row, value in zip(rows, self._read_chunk(chunk, kind), strict=True):
                        if kind is not dict:
                            row[name] = value
                        elif value is not None:
                            row[name] = json.loads(value)
        except _SPOILT as error:
            raise ValueError(f"its group {number + 1} cannot be read ({error!r})") from None
        return rows

    def _read(self, offset: int, size: int) -> bytes:
        if offset < 0 or not 0 <= size <= LARGEST_PAGE:
            raise ValueError("it names a place that is not in it")
        self.file.seek(offset)
        return self.file.read(size)

    def _read_chunk(self, chunk: dict[int, Any], kind: type) -> list[Any]:
        data = self._read(chunk[9], chunk[7])
        header, start = _read_struct(data, 0)
        body = data[start : start + header[3]]
        if chunk[4] == GZIP:
            body = zlib.decompressobj(GZIP_WINDOW).decompress(body, min(header[2], LARGEST_PAGE) + 1)
        if len(body) != header[2]:
            raise ValueError("a page is not as long as it says")
        (size,) = unpack_from("<I", body)
        there, at = list[bool](), 4
        while at < 4 + size:
            run, at = _read_varint(body, at)
            if run & 1 or len(there) + (run >> 1) > header[5][1]:
                raise ValueError("it was packed by another program")
            there += [bool(body[at])] * (run >> 1)
            at += 1
        values = iter(_decode(body[at:], kind, sum(there)))
        return [next(values) if is_there else None for is_there in there]


def _decode(body: bytes, kind: type, count: int) -> list[Any]:
    if kind is bool:
        return [bool(body[at >> 3] >> (at & 7) & 1) for at in range(count)]
    if _TYPES[kind] == BYTES:
        values, at = list[Any](), 0
        for _ in range(count):
            (size,) = unpack_from("<I", body, at)
            value = body[at + 4 : at + 4 + size]
            values.append(value.decode() if kind is str else value)
            at += 4 + size
        return values
    numbers = list(unpack_from(f"<{count}{'d' if kind is float else 'q'}", body))
    return [_EPOCH + number * _MICROSECOND for number in numbers] if kind is dt.datetime else numbers


_SPOILT = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    OverflowError,
    StructError,
    zlib.error,
    RecursionError,
)


def _read_struct(data: bytes, at: int) -> tuple[dict[int, Any], int]:
    told: dict[int, Any] = {}
    number = 0
    while head := data[at]:
        at += 1
        number += head >> 4
        told[number], at = _read_value(data, at, head & 15)
    return told, at + 1


def _read_value(data: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in (I32, I64):
        number, at = _read_varint(data, at)
        return number >> 1 ^ -(number & 1), at
    if kind == BINARY:
        size, at = _read_varint(data, at)
        return data[at : at + size], at + size
    if kind == STRUCT:
        return _read_struct(data, at)
    if kind != LIST:
        raise ValueError("it was written by another program")
    head, at = data[at], at + 1
    count, at = _read_varint(data, at) if head >> 4 == 15 else (head >> 4, at)
    values = list[Any]()
    for _ in range(count):
        value, at = _read_value(data, at, head & 15)
        values.append(value)
    return values, at


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        part = data[at]
        number |= (part & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if part < 0x80:
            return number, at
