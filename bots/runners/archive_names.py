"""Which names a file in an upload may have: those that mean one and the same file everywhere."""

import re

from aurum_league.common.errors import N_
from bots.runners.errors import ArchiveError

DEEPEST = 5
LONGEST = 200
PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_+,.@ -]{0,99}")
# They name no file on Windows, where an author may unpack the same archive.
DEVICES = frozenset({"con", "prn", "aux", "nul"} | {f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)})


def check_length(length: int) -> None:
    """Of a name that has not been read yet. Raises ArchiveError. A folder's name may end in a slash."""
    if length > LONGEST + 1:
        raise _too_deep()


def check_name(name: str) -> None:
    """Raises ArchiveError. A folder's name may end in a slash."""
    path = name.removesuffix("/")
    parts = path.split("/")
    if name.startswith("/") or ".." in parts or "\\" in name or ":" in name:
        raise ArchiveError("archive_path", N_("A name in the archive points out of it."))
    if len(path) > LONGEST or len(parts) > DEEPEST:
        raise _too_deep()
    for part in parts:
        if not PART.fullmatch(part) or part.endswith((".", " ")):
            raise ArchiveError(
                "archive_name", N_("Names have letters, digits and _ + , . @ - only, and do not start with a dot.")
            )
        if part.partition(".")[0].strip().lower() in DEVICES:
            raise ArchiveError("archive_name", N_("A name in the archive is a device on some systems."))


def check_no_clashes(names: list[str]) -> None:
    """Raises ArchiveError where two names mean one file somewhere, or a file is also a folder."""
    folded = [name.lower() for name in names]
    taken = set(folded)
    if len(taken) < len(folded):
        raise ArchiveError("archive_duplicate", N_("Two entries of the archive have the same name."))
    for name in folded:
        parts = name.split("/")
        if any("/".join(parts[:depth]) in taken for depth in range(1, len(parts))):
            raise ArchiveError("archive_duplicate", N_("A file in the archive is also a folder."))


def _too_deep() -> ArchiveError:
    return ArchiveError(
        "archive_too_deep",
        N_("A name has over %(longest)s characters or %(deepest)s levels."),
        longest=LONGEST,
        deepest=DEEPEST,
    )
