"""A tree of files in memory, and the functions by which Python reads files turned to it: a bot's disk is its own.

The kernel lets a confined process ask for no path at all. What Python itself, its importer first of all, reads by path
is answered from here: the bot's own files and Python's library. Nothing here keeps a bot in; it only makes `open` work.
"""

import _io
import builtins
import errno
import io
import os
import posix
import stat
import sys
from collections.abc import Iterator
from typing import IO, Any, NoReturn, Self

HOME = "/bot"
"""Where a bot's own files lie, in every match."""

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
# A block, and where in it: the start, the size and the time of change.
_File = tuple[bytes | memoryview, int, int, int]

_FILE_MODE = stat.S_IFREG | 0o444
_FOLDER_MODE = stat.S_IFDIR | 0o555


def _refuse(number: int, path: object) -> NoReturn:
    raise OSError(number, os.strerror(number), path)


class _RawFile(io.BytesIO):
    """An open file without a descriptor."""

    mode = "rb"

    def __init__(self, content: bytes, name: object) -> None:
        super().__init__(content)
        self.name = name

    def writable(self) -> bool:
        return False

    def write(self, *_: object) -> NoReturn:
        raise io.UnsupportedOperation("write")

    writelines = truncate = write


class _Entry:
    """What `os.scandir` gives."""

    def __init__(self, files: "MemoryFiles", folder: str, name: str) -> None:
        self.name = name
        self.path = os.path.join(folder, name)
        self._status = files.stat(self.path)

    def __fspath__(self) -> str:
        return self.path

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return stat.S_ISDIR(self._status.st_mode)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return stat.S_ISREG(self._status.st_mode)

    def is_symlink(self) -> bool:
        return False

    def inode(self) -> int:
        return 0

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return self._status


class _Scan:
    """An iterator that is also a context, as `os.scandir`'s is."""

    def __init__(self, entries: Iterator[_Entry]) -> None:
        self._entries = entries

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> _Entry:
        return next(self._entries)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._entries = iter(())


class MemoryFiles:
    """Every file by its absolute path; whatever is not here does not exist."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}
        self._folders: dict[str, list[str]] = {"/": []}
        self._open = io.open

    def add(self, path: str, block: bytes | memoryview, start: int, size: int, changed: int = 0) -> None:
        self._files[path] = (block, start, size, changed)
        folder, name = os.path.split(path)
        self._make_folder(folder)
        self._folders[folder].append(name)

    def _make_folder(self, path: str) -> None:
        if path not in self._folders:
            parent, name = os.path.split(path)
            self._make_folder(parent)
            self._folders[path] = []
            self._folders[parent].append(name)

    def add_bot(self, code: str) -> str:
        """Take a bot's file or folder from the disk, and tell where its main file lies from now on."""
        if not os.path.isdir(code):
            main = os.path.join(HOME, os.path.basename(code))
            self._add_from_disk(code, main)
            return main
        for folder, _, names in os.walk(code):
            for name in names:
                path = os.path.join(folder, name)
                self._add_from_disk(path, os.path.join(HOME, os.path.relpath(path, code)))
        self._make_folder(HOME)
        return os.path.join(HOME, "main.py")

    def _add_from_disk(self, source: str, path: str) -> None:
        with self._open(source, "rb") as file:
            content = file.read()
        self.add(path, content, 0, len(content))

    def read(self, path: str) -> bytes:
        block, start, size, _ = self._files[path]
        return bytes(block[start : start + size])

    def stat(self, path: Path, *, dir_fd: int | None = None, follow_symlinks: bool = True) -> os.stat_result:
        found = _locate(path)
        if found in self._folders:
            return os.stat_result((_FOLDER_MODE, 0, 0, 1, 0, 0, 0, 0, 0, 0))
        file = self._files.get(found)
        if file is None:
            _refuse(errno.ENOENT, path)
        return os.stat_result((_FILE_MODE, 0, 0, 1, 0, 0, file[2], file[3], file[3], file[3]))

    def lstat(self, path: Path, *, dir_fd: int | None = None) -> os.stat_result:
        return self.stat(path)

    def access(self, path: Path, mode: int, **_: object) -> bool:
        found = _locate(path)
        return (found in self._files or found in self._folders) and not mode & os.W_OK

    def listdir(self, path: Path = ".") -> list[Any]:
        found = _locate(path)
        if found not in self._folders:
            _refuse(errno.ENOTDIR if found in self._files else errno.ENOENT, path)
        names = self._folders[found]
        return [os.fsencode(name) for name in names] if isinstance(path, bytes) else list(names)

    def scandir(self, path: Path = ".") -> _Scan:
        names = self.listdir(os.fsdecode(path))
        folder = os.fsdecode(path)
        return _Scan(_Entry(self, folder, name) for name in names)

    def readlink(self, path: Path, **_: object) -> NoReturn:
        self.stat(path)
        _refuse(errno.EINVAL, path)

    def open(
        self, file: Path | int, mode: str = "r", buffering: int = -1, encoding: str | None = None,
        errors: str | None = None, newline: str | None = None, closefd: bool = True, opener: Any = None,
    ) -> IO[Any]:  # fmt: skip
        """As the built-in `open`; a descriptor, such as 0, is left to it."""
        if isinstance(file, int) or opener is not None:
            return self._open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        if set(mode) - set("rbt"):
            _refuse(errno.EACCES, file)
        found = _locate(file)
        if found not in self._files:
            _refuse(errno.EISDIR if found in self._folders else errno.ENOENT, file)
        raw = _RawFile(self.read(found), file)
        if "b" not in mode:
            return io.TextIOWrapper(io.BufferedReader(raw), encoding, errors, newline)
        return raw if buffering == 0 else io.BufferedReader(raw)

    def open_code(self, path: str) -> IO[bytes]:
        return self.open(path, "rb")

    def take_over(self) -> None:
        """From here on Python reads files nowhere else. What it remembers of the disk's folders is forgotten."""
        for module in (os, posix):
            for name in ("stat", "lstat", "access", "listdir", "scandir", "readlink"):
                setattr(module, name, getattr(self, name))
            vars(module).update(getcwd=lambda: HOME, getcwdb=lambda: HOME.encode())
        for module in (builtins, io, _io):
            vars(module)["open"] = self.open
        for module in (io, _io):
            vars(module)["open_code"] = self.open_code
        if "tokenize" in sys.modules:
            # It holds the built-in under a name of its own; tracebacks read their lines by it.
            vars(sys.modules["tokenize"])["_builtin_open"] = self.open
        sys.path_importer_cache.clear()


def _locate(path: Path | int) -> str:
    if isinstance(path, int):
        _refuse(errno.EACCES, path)
    return os.path.normpath(os.path.join(HOME, os.fsdecode(path)))
