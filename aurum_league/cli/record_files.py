"""Reading files of records as a stream, line by line, whatever is in them."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, Protocol

from aurum_league.cli.archives import is_archive, list_members
from games.rules.faults import RecordFault
from games.rules.record import load_record

# A record with all its rounds has about 10 KB; the rest is room for notes.
LONGEST_LINE = 4 * 1024 * 1024
STDIN = "-"


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


def read_records(path: str) -> Iterator[RecordLine]:
    """Every record of a file, or of all files of records in an archive; `-` is standard input."""
    if path == STDIN:
        yield from read_lines("standard input", sys.stdin.buffer)
        return
    with open(path, "rb") as file:
        if file.seekable() and is_archive(file):
            yield from _read_archive(path, file)
        else:
            yield from read_lines(path, file)


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

    A file whose first line is a lone bracket holds one record written over many lines.
    """
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if number == 1 and line.strip() == b"{":
            yield _read_line(name, 1, line + file.read(LONGEST_LINE), file)
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


def _skip_line(file: Lines) -> int:
    """Read to the end of a line without keeping it; how many bytes that were."""
    skipped = 0
    while rest := file.readline(LONGEST_LINE):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped
