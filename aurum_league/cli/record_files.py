"""Reading files of records as a stream, line by line, whatever is in them."""

import lzma
import os
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EISDIR
from functools import partial
from io import SEEK_END
from typing import IO, Any, Protocol

from aurum_league.common.parquet import ParquetFile
from games.rules.errors import RecordFault
from games.rules.record import load_record, unpack_record
from games.rules.transcript import read_transcript

SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip begins: with its first file, or with the end of an empty one."""
RECORD_FILES = (".jsonl", ".json")
# Records pack to about a tenth; what unpacks to far more than that was made to keep readers busy.
MOST_TIMES_LARGER = 100
UNREADABLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError)


def is_archive(file: IO[bytes]) -> bool:
    """Whether a file that can be wound back begins like a zip."""
    start = file.read(len(SIGNATURES[0]))
    file.seek(0)
    return start in SIGNATURES


class Allowance:
    """How many bytes an archive may still unpack to."""

    def __init__(self, size: int) -> None:
        self.left = size * MOST_TIMES_LARGER

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            message = f"it unpacks to more than {MOST_TIMES_LARGER} times its size"
            raise RecordFault("bad_archive", "archive", message)


class Member:
    """One file of an archive, unpacked as it is read; raises RecordFault where it cannot be."""

    def __init__(self, file: IO[bytes], allowance: Allowance) -> None:
        self.file = file
        self.allowance = allowance

    def readline(self, size: int) -> bytes:
        with told_as_fault():
            line = self.file.readline(size)
        self.allowance.spend(len(line))
        return line

    def read(self, size: int) -> bytes:
        with told_as_fault():
            text = self.file.read(size)
        self.allowance.spend(len(text))
        return text


def list_members(file: IO[bytes]) -> Iterator[tuple[str, Callable[[], Member]]]:
    """Every file of records in an archive: its name, and how to open it; raises RecordFault where there is no list."""
    size = file.seek(0, SEEK_END)
    allowance = Allowance(size)
    with told_as_fault():
        archive = zipfile.ZipFile(file)
    for info in archive.infolist():
        if info.filename.endswith(RECORD_FILES):
            yield info.filename, partial(_open_member, archive, info, allowance)


def _open_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, allowance: Allowance) -> Member:
    with told_as_fault():
        return Member(archive.open(info), allowance)


@contextmanager
def told_as_fault() -> Iterator[None]:
    """Whatever a damaged, encrypted or strangely packed archive raises, as the one fault that it is."""
    try:
        yield
    except UNREADABLE as error:
        raise RecordFault("bad_archive", "archive", str(error) or type(error).__name__) from None


# A record with all its rounds has about 10 KB; the rest is room for notes.
LONGEST_LINE = 4 * 1024 * 1024
STDIN = "-"
TRANSCRIPT_START = b"aurum "


class Lines(Protocol):
    """What is read: a file, or one in an archive."""

    def readline(self, size: int, /) -> bytes: ...

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One record of a file, not yet judged: its JSON, or the fault that keeps it from being any."""

    file: str
    number: int
    size: int
    record: Any = None
    fault: RecordFault | None = None


PARQUET_RECORDS = "records.parquet"
PARQUET_START = b"PAR1"


def read_records(path: str) -> Iterator[RecordLine]:
    """Every record of a file, or of all files of records in an archive; `-` is standard input."""
    if path == STDIN:
        yield from read_lines("standard input", sys.stdin.buffer)
        return
    if os.path.isfile(inside := os.path.join(path, PARQUET_RECORDS)):
        path = inside
    elif os.path.isdir(path):
        raise IsADirectoryError(EISDIR, f"a folder without {PARQUET_RECORDS}; name the files in it", path)
    with open(path, "rb") as file:
        if file.seekable() and is_archive(file):
            yield from _read_archive(path, file)
        elif file.seekable() and _begins(file, PARQUET_START):
            yield from _read_parquet(path, file)
        else:
            yield from read_lines(path, file)


def _begins(file: IO[bytes], mark: bytes) -> bool:
    start = file.read(len(mark))
    file.seek(0)
    return start == mark


def _read_parquet(path: str, file: IO[bytes]) -> Iterator[RecordLine]:
    """Records as seed and log: what follows from these is played again before it is judged."""
    number = 0
    try:
        for number, row in enumerate(ParquetFile(file).read_rows(), 1):
            size = len(row.get("log") or b"")
            try:
                yield RecordLine(path, number, size, unpack_record(row))
            except RecordFault as fault:
                yield RecordLine(path, number, size, fault=fault)
    except ValueError as error:
        yield RecordLine(path, number + 1, 0, fault=RecordFault("bad_archive", "archive", str(error)))


def _read_archive(path: str, file: IO[bytes]) -> Iterator[RecordLine]:
    """A file in it that cannot be read is one fault, and the others are still read."""
    try:
        for member, open_member in list_members(file):
            yield from _read_member(f"{path}/{member}", open_member)
    except RecordFault as fault:
        yield RecordLine(path, 1, 0, fault=fault)


def _read_member(name: str, open_member: Callable[[], Lines]) -> Iterator[RecordLine]:
    number = 0
    try:
        for line in read_lines(name, open_member()):
            number = line.number
            yield line
    except RecordFault as fault:
        yield RecordLine(name, number + 1, 0, fault=fault)


def read_lines(name: str, file: Lines) -> Iterator[RecordLine]:
    """Every record of a file; empty lines are skipped, and a line too long to be one is passed over unread.

    A file whose first line is a lone bracket holds one record written over many lines; one that begins as the text
    notation does is one match for people.
    """
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if number == 1 and line.strip() == b"{":
            yield _read_line(name, 1, line + file.read(LONGEST_LINE), file)
            return
        if number == 1 and line.startswith(TRANSCRIPT_START):
            yield _read_text(name, line + file.read(LONGEST_LINE))
            return
        if line.strip():
            yield _read_line(name, number, line, file)
        elif len(line) == LONGEST_LINE:
            _skip_line(file)


def _read_line(name: str, number: int, line: bytes, file: Lines) -> RecordLine:
    if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
        size = len(line) + _skip_line(file)
        fault = RecordFault("line_too_long", "record", f"{size} bytes, more than {LONGEST_LINE}")
        return RecordLine(name, number, size, fault=fault)
    try:
        return RecordLine(name, number, len(line), load_record(line))
    except RecordFault as fault:
        return RecordLine(name, number, len(line), fault=fault)


def _read_text(name: str, text: bytes) -> RecordLine:
    try:
        return RecordLine(name, 1, len(text), read_transcript(text.decode(errors="replace")))
    except RecordFault as fault:
        return RecordLine(name, 1, len(text), fault=fault)


def _skip_line(file: Lines) -> int:
    """Read to the end of a line without keeping it; how many bytes that were."""
    skipped = 0
    while rest := file.readline(LONGEST_LINE):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped
