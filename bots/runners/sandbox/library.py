"""Python's own library as one block of memory, copied once from the disk so that no bot has to read it there.

Run as `python -I -S -B library.py FD` it writes the block to FD. A bot's process maps it: reading a mapped page leaves
no mark that another process could see, as reading a file would (its time of access).
"""

import importlib
import marshal
import os
import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES

# What pip installed is not Python's own: the site itself may be there. The rest is no use without a screen or a disk.
LEFT_OUT = frozenset(
    {"site-packages", "dist-packages", "test", "tests", "idle_test", "idlelib", "lib2to3", "turtledemo", "ensurepip"}
)
COMPILED = f".{sys.implementation.cache_tag}.pyc"
LENGTH_BYTES = 8

# They need libraries from outside Python's own files, or a terminal, or have a twin in Python that costs no memory.
NOT_LOADED = frozenset(
    {"_asyncio", "_crypt", "_ctypes_test", "_curses", "_curses_panel", "_dbm", "_elementtree", "_gdbm", "_hashlib",
     "_sqlite3", "_ssl", "_tkinter", "_uuid", "_zoneinfo", "nis", "ossaudiodev", "readline", "spwd"}
)  # fmt: skip
# For Python's own tests.
NOT_LOADED_PREFIXES = ("_test", "_xx", "xx")

# Path: (start, size, time of change); the time is what Python compares a compiled module with.
Index = dict[str, tuple[int, int, int]]


def _list_files() -> Iterator[str]:
    for entry in sys.path:
        for folder, folders, names in os.walk(entry):
            folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".py", COMPILED)))


def write_library(target: int) -> None:
    """The index, behind its length, and then every file."""
    index: Index = {}
    contents: list[bytes] = []
    end = 0
    for path in _list_files():
        with open(path, "rb") as file:
            content = file.read()
            index[path] = (end, len(content), int(os.fstat(file.fileno()).st_mtime))
        contents.append(content)
        end += len(content)
    told = marshal.dumps(index)
    with open(target, "wb", closefd=False) as file:
        file.write(len(told).to_bytes(LENGTH_BYTES, "little") + told)
        file.writelines(contents)


def split_library(block: memoryview) -> tuple[Index, memoryview]:
    """What `write_library` wrote: where each file lies, and the files."""
    start = LENGTH_BYTES + int.from_bytes(block[:LENGTH_BYTES], "little")
    return marshal.loads(block[LENGTH_BYTES:start]), block[start:]


def load_extensions() -> None:
    """Import whatever of Python's own is no Python code: a shared library cannot be opened once confined."""
    for entry in sys.path:
        if not os.path.isdir(entry):
            continue
        for file in sorted(os.listdir(entry)):
            name = file.partition(".")[0]
            if file.endswith(tuple(EXTENSION_SUFFIXES)) and name not in NOT_LOADED | set(sys.modules):
                _load(name)


def _load(name: str) -> None:
    if name.startswith(NOT_LOADED_PREFIXES):
        return
    try:
        importlib.import_module(name)
    except ImportError:
        return


def read_mapped_files() -> None:
    """Have the whole program and its libraries in memory: a page that a bot was the first to need would tell of it."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if "/" in line}
    for path in paths:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                file.read()


if __name__ == "__main__":
    write_library(int(sys.argv[1]))
    load_extensions()
    read_mapped_files()
