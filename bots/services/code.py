"""The code of a version on this machine: fetched from the database once, unpacked once, and never changed after."""

import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from bots.models import BotVersion
from bots.runners.archive import unpack

# A version never changes, so that its folder needs no second look at the database.
_folders: dict[int, Path] = {}


def fetch_code(version_id: int) -> Path:
    """The folder with a version's main.py; any worker can make it, several at once too."""
    folder = _folders.get(version_id)
    if folder is None or not folder.is_dir():
        version = BotVersion.objects.only("upload", "content_hash").get(pk=version_id, upload__isnull=False)
        folder = Path(settings.MEDIA_ROOT) / "bots" / version.content_hash
        if not folder.is_dir():
            assert version.upload is not None
            _unpack_once(bytes(version.upload), folder)
        _folders[version_id] = folder
    return folder


def _unpack_once(upload: bytes, folder: Path) -> None:
    """Unpack beside and rename: a folder of that name is always whole."""
    draft = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}")
    unpack(upload, draft)
    with suppress(OSError):
        draft.rename(folder)
        return
    shutil.rmtree(draft)
