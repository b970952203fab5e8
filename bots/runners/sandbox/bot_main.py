"""Runs a bot's main.py as Python would, in a process that has confined itself first."""

import builtins
import contextlib
import io
import os
import sys
import traceback
import types

from bots.runners.sandbox.confine import confine
from bots.runners.sandbox.libc import EXIT_CRASH, EXIT_MEMORY, EXIT_UNCONFINED, READY
from bots.runners.sandbox.library import split_library
from bots.runners.sandbox.memory_files import HOME, MemoryFiles

STDIN, STDOUT, STDERR = 0, 1, 2


def open_streams() -> None:
    """Text streams over pipes, of which Python takes note when it opens one; each printed line leaves at once."""
    sys.stdin = open(STDIN, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(STDOUT, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    # Nothing of it is held back: whoever is killed has written what he wrote.
    unbuffered = open(STDERR, "wb", closefd=False, buffering=0)  # noqa: SIM115
    sys.stderr = io.TextIOWrapper(unbuffered, encoding="utf-8", errors="backslashreplace", write_through=True)


def forget_site() -> None:
    """Take the site's own modules from sight, so that a bot's modules may have any name."""
    for name in [name for name in sys.modules if name == "bots" or name.startswith("bots.")]:
        del sys.modules[name]


def _make_main_module(path: str) -> types.ModuleType:
    sys.argv = [path]
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins)
    sys.modules["__main__"] = main
    return main


def read_library(block: memoryview) -> MemoryFiles:
    """Python's library as the files that every bot finds beside its own."""
    files = MemoryFiles()
    index, contents = split_library(block)
    for path, (start, size, changed) in index.items():
        files.add(path, contents, start, size, changed)
    return files


def _run(path: str, source: bytes) -> int:
    """The exit status of the bot. MemoryError has one of its own: the referee tells it from a crash."""
    main = _make_main_module(path)
    try:
        exec(compile(source, path, "exec"), main.__dict__)
        sys.stdout.flush()
    except SystemExit as leaving:
        if leaving.code is None or isinstance(leaving.code, int):
            return leaving.code or 0
        print(leaving.code, file=sys.stderr)
        return EXIT_CRASH
    except MemoryError:
        return EXIT_MEMORY
    except BaseException as error:
        # The first frame is this function, which is nothing to the bot's author.
        trace = error.__traceback__ and error.__traceback__.tb_next
        # Python's own hook reads the lines it shows from a descriptor, of which there is none.
        show = traceback.print_exception if sys.excepthook is sys.__excepthook__ else sys.excepthook
        show(type(error), error.with_traceback(trace), trace)
        return EXIT_CRASH
    return 0


def _flush_streams() -> None:
    """Python does so at its end, which `os._exit` skips; a bot may have put anything in their place."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def run_confined(files: MemoryFiles, code: str, memory: int, cpu_seconds: int) -> None:
    """Confine this process, run the bot at `code` and end. Never returns, never raises."""
    status = EXIT_UNCONFINED
    try:
        is_folder = os.path.isdir(code)
        path = files.add_bot(code)
        source = files.read(path)
        os.chdir("/")
        # Python itself sets LC_CTYPE where the environment is empty.
        os.environ.clear()
        confine(memory, cpu_seconds)
        files.take_over()
        os.write(STDOUT, READY)
        if is_folder:
            sys.path.insert(0, HOME)
        status = EXIT_CRASH
        status = _run(path, source)
    except BaseException as error:
        os.write(STDERR, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        _flush_streams()
        os._exit(status & 0xFF)
