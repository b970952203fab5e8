"""The secret key of an embedded installation: made once, kept in its data folder, readable by its owner only."""

import os
import secrets
from pathlib import Path

from aurum_league.common.errors import LeagueError


def load_or_make_secret(folder: Path) -> str:
    file = folder / "secret_key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            _write_once(file, secrets.token_urlsafe(48))
        return file.read_text().strip()
    except OSError as error:
        raise LeagueError(
            "data_folder_unwritable",
            f"The folder {folder} cannot be used: {error.strerror}.",
            "Free some space or point AURUM_DATA at a folder you may write to.",
        ) from error


def _write_once(file: Path, secret: str) -> None:
    """Of two processes that start at once, one key wins and both read it."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w") as stream:
            stream.write(secret)
        try:
            os.link(draft, file)
        except FileExistsError:
            return
    finally:
        draft.unlink()
