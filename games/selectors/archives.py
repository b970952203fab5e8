"""Logs of matches long over, read from the archive that they were put into; each file is held against its digest."""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from threading import Lock

from django.conf import settings

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.parquet import ParquetFile
from games.models import Archive, MatchResult

MANIFEST, RECORDS = "manifest", "records.parquet"
MOST_OPEN = 32


def read_log(result: MatchResult) -> bytes:
    """The log of the version that counts, wherever it lies; raises LeagueError where its archive is away."""
    log = bytes(result.log)
    if log or result.archive_id is None:
        return log
    return read_archived_logs(result.archive_id, {result.match_id: result.version}).get(result.match_id, b"")


def read_archived_logs(archive_id: int, versions: Mapping[int, int]) -> dict[int, bytes]:
    """For each of these matches the log of its newest version up to this one: what was decided later has none."""
    name, digest = Archive.objects.values_list("name", "digest").get(pk=archive_id)
    try:
        return _open_records(Path(settings.ARCHIVE_ROOT, name), digest).read_logs(versions)
    except (OSError, ValueError, KeyError) as error:
        raise LeagueError(
            "archive_missing",
            N_("The record of this match lies in the archive %(name)s, which cannot be read here."),
            N_("Whoever runs this site can put the archive back, whole and unchanged."),
            status=503,
            name=name,
        ) from error


class _Records:
    """Matches rise from the first row to the last, so that few groups have to be read for one."""

    def __init__(self, path: Path) -> None:
        self.lock, self.path = Lock(), path
        with ParquetFile.open(path) as self.rows:
            ends = (self.rows.read_group(number, ("match",))[-1] for number in range(len(self.rows.groups)))
            self.ends = [row["match"] for row in ends]

    def read_logs(self, versions: Mapping[int, int]) -> dict[int, bytes]:
        left, found = set(versions), dict[int, bytes]()
        start = 0
        with self.lock, self.path.open("rb") as self.rows.file:
            for number, end in enumerate(self.ends):
                if any(start <= match <= end for match in left):
                    for row in self.rows.read_group(number, ("match", "result_version", "log")):
                        if row["match"] in left and row["result_version"] <= versions[row["match"]]:
                            found[row["match"]] = row["log"]
                start = end
        return found


@lru_cache(maxsize=MOST_OPEN)
def _open_records(folder: Path, digest: str) -> _Records:
    manifest = (folder / MANIFEST).read_bytes()
    with (folder / RECORDS).open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if hashlib.sha256(manifest).hexdigest() != digest or json.loads(manifest)["files"][RECORDS] != found:
        raise ValueError(f"{folder} is not the archive that was made")
    return _Records(folder / RECORDS)
