"""Tracebacks as a bot's author knows them: `main.py`, not where it lay while it ran."""

import sysconfig
from pathlib import Path

from bots.runners.sandbox.memory_files import HOME


def hide_folders(stderr: str) -> str:
    """Cut the folder of the bot from every path, and that of Python's own library to its last name."""
    library = sysconfig.get_path("stdlib")
    return stderr.replace(f"{HOME}/", "").replace(library, Path(library).name)
