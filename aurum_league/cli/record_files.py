"""Reading files of records as a stream, line by line, whatever is in them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from games.rules.faults import RecordFault
from games.rules.record import load_record

# A record with all its rounds has about 10 KB; the rest is room for notes.
LONGEST_LINE = 4 * 1024 * 1024
STDIN = "-"


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One record of a file, not yet judged: its JSON, or the fault that keeps it from being any."""

    number: int
    size: int
    record: Any = None
    fault: RecordFault | None = None


@contextmanager
def open_records(path: str) -> Iterator[IO[bytes]]:
    """A file of records for reading; `-` is standard input."""
    if path == STDIN:
        yield sys.stdin.buffer
        return
    with open(path, "rb") as file:
        yield file


def read_lines(file: IO[bytes]) -> Iterator[RecordLine]:
    """Every record of a file; empty lines are skipped, and a line too long to be one is passed over unread.

    A file whose first line is a lone bracket holds one record written over many lines.
    """
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if number == 1 and line.strip() == b"{":
            yield _read_line(1, line + file.read(LONGEST_LINE), file)
            return
        if line.strip():
            yield _read_line(number, line, file)
        elif len(line) == LONGEST_LINE:
            _skip_line(file)


def _read_line(number: int, line: bytes, file: IO[bytes]) -> RecordLine:
    if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
        size = len(line) + _skip_line(file)
        fault = RecordFault("line_too_long", "record", f"{size} bytes, more than {LONGEST_LINE}")
        return RecordLine(number, size, fault=fault)
    try:
        return RecordLine(number, len(line), load_record(line))
    except RecordFault as fault:
        return RecordLine(number, len(line), fault=fault)


def _skip_line(file: IO[bytes]) -> int:
    """Read to the end of a line without keeping it; how many bytes that were."""
    skipped = 0
    while rest := file.readline(LONGEST_LINE):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped
