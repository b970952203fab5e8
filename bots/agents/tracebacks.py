"""Tracebacks as a bot's author knows them: `main.py`, not where our server keeps it."""

import sysconfig
from pathlib import Path


def hide_folders(stderr: str, code: Path) -> str:
    """Cut the folder of the bot from every path, and that of Python's own library to its last name."""
    library = sysconfig.get_path("stdlib")
    return stderr.replace(f"{code.resolve()}/", "").replace(library, Path(library).name)
