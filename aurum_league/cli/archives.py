"""Archives of records, such as the site offers of a whole tournament: the files of records in a zip, as streams."""

import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import SEEK_END
from typing import IO

from games.rules.faults import RecordFault

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
