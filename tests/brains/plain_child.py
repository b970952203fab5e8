"""Run by test_learnt.py in a process of its own, in which nothing is compiled: prints what is decided and shown."""

import hashlib
import sys
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path

FOLDERS = {str(Path(__file__).parents[2] / folder) for folder in ("games/rules", "games/learn", "bots/brains")}


def source_only(path: str) -> FileFinder:
    if path not in FOLDERS:
        raise ImportError(path)
    return FileFinder(path, (SourceFileLoader, [".py"]))


def main(is_plain: bool) -> None:
    if is_plain:
        sys.path_hooks.insert(0, source_only)
    from bots.brains import net
    from tests.brains.decided import tell_decisions, tell_tables

    assert str(net.__file__).endswith(".py") or not is_plain
    for told in (tell_tables(), tell_decisions()):
        print(hashlib.sha256(repr(told).encode()).hexdigest())


if __name__ == "__main__":
    main(sys.argv[1:] == ["plain"])
