"""The author's bot as the site would take it: the same rules for uploads, the same sandbox."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from aurum_league.cli.errors import CommandError


@contextmanager
def open_code(path: str) -> Iterator[Path]:
    """The folder with main.py, unpacked from a .py or .zip as the site would; refused where the site would refuse."""
    from bots.runners.archive import LARGEST_UPLOAD, unpack
    from bots.runners.errors import ArchiveError

    with open(path, "rb") as file:
        upload = file.read(LARGEST_UPLOAD + 1)
    with TemporaryDirectory(prefix="aurum-bot-") as folder:
        code = Path(folder).resolve() / "bot"
        try:
            unpack(upload, code)
        except ArchiveError as error:
            raise CommandError(f"{path}: {error}") from None
        yield code


def require_sandbox() -> None:
    from bots.runners.launch import read_sandbox_state

    state = read_sandbox_state()
    if not state.is_safe:
        raise CommandError(
            f"The sandbox that the site uses does not hold on this machine: {state.reason} "
            "The bot can still be connected: see aurum bot connect --help."
        )
