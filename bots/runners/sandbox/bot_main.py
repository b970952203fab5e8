"""Runs a bot's main.py as Python would, in a process that has confined itself first."""

import builtins
import os
import sys
import types

# Needs a shared library from outside Python's own files, which cannot be opened once confined.
import zlib  # noqa: F401

from bots.runners.sandbox.confine import PythonFiles, confine
from bots.runners.sandbox.exits import EXIT_CRASH, EXIT_MEMORY, EXIT_UNCONFINED, READY

STDIN, STDOUT, STDERR = 0, 1, 2


def _open_streams() -> None:
    """Text streams anew, for a fork server's are older than the pipes; each printed line leaves at once."""
    sys.stdin = open(STDIN, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(STDOUT, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        STDERR, "w", encoding="utf-8", closefd=False, buffering=1, errors="backslashreplace"
    )


def _forget_site() -> None:
    """Take the site's own modules from sight, so that a bot's modules may have any name."""
    for name in [name for name in sys.modules if name == "bots" or name.startswith("bots.")]:
        del sys.modules[name]


def _make_main_module(path: str) -> types.ModuleType:
    sys.argv = [path]
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins)
    sys.modules["__main__"] = main
    return main


def _run(path: str) -> int:
    """The exit status of the bot. MemoryError has one of its own: the referee tells it from a crash."""
    main = _make_main_module(path)
    try:
        with open(path, "rb") as file:
            source = file.read()
        exec(compile(source, path, "exec"), main.__dict__)
        sys.stdout.flush()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except MemoryError:
        return EXIT_MEMORY
    except BaseException as error:
        # The first frame is this function, which is nothing to the bot's author.
        trace = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return EXIT_CRASH
    return 0


def run_confined(python: PythonFiles, code: str, memory: int, cpu_seconds: int) -> None:
    """Confine this process, run the bot at `code` and end. Never returns, never raises."""
    status = EXIT_UNCONFINED
    try:
        is_directory = os.path.isdir(code)
        path = os.path.join(code, "main.py") if is_directory else code
        os.chdir(os.path.dirname(path))
        # Python itself sets LC_CTYPE where the environment is empty.
        os.environ.clear()
        _open_streams()
        _forget_site()
        confine(python, code, memory, cpu_seconds)
        os.write(STDOUT, READY)
        if is_directory:
            sys.path.insert(0, code)
        status = EXIT_CRASH
        status = _run(path)
        sys.stdout.flush()
    except BaseException as error:
        os.write(STDERR, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(status & 0xFF)
