"""Putting a finished tournament away: its archive as signed Parquet files, then the logs out of the database.

The files are whole, named and on the disk before a row of the database names them, and a log goes only in the statement
that finds the same bytes in the file. So whoever is killed at any point leaves nothing lost, and the next run goes on.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.files import write_lines
from aurum_league.common.parquet import ParquetFile, write_parquet
from aurum_league.common.proofs import sign
from aurum_league.common.sql import one_snapshot
from games.models import Archive, Match
from games.models.match import ENDED
from games.rules.record import PACKED_COLUMNS, pack_record
from games.selectors.archives import MANIFEST, RECORDS
from tournaments.models import FixtureMatch, Tournament, TournamentEvent, TournamentState
from tournaments.selectors.archive import list_archive_tables, list_recorded, read_archived_records
from tournaments.selectors.exports import make_manifest
from tournaments.services.lifecycle import lock_tournament, record_event

ARCHIVED = "archived"
SIGNATURE = "signature"
ROWS_A_GROUP = 500
"""Of records: so many are unpacked to show one match."""

LOGS_AT_ONCE = 2_000

_FREE = """
    UPDATE games_matchresult AS result SET log = '', archive_id = %s
    FROM unnest(%s::bigint[], %s::integer[], %s::bytea[]) AS kept (match_id, version, log)
    WHERE result.match_id = kept.match_id AND result.version = kept.version AND result.log = kept.log
      AND result.archive_id IS NULL
"""


def list_due_tournaments(days: int) -> QuerySet[Tournament]:
    """Finished so many days ago, not put away to the end, and with no match open on their deals."""
    own = Match.objects.filter(fixture_match__stage__tournament=OuterRef("pk"))
    open_deals = Match.objects.filter(deals=OuterRef("match__deals")).exclude(state__in=ENDED)
    links = FixtureMatch.objects.filter(stage__tournament=OuterRef("pk"))
    to_free = own.filter(result__archive=None, result__is_by_hand=False).exclude(result__log=b"")
    ended = Tournament.objects.filter(
        state=TournamentState.FINISHED, finished_at__lte=timezone.now() - timedelta(days=days)
    )
    return ended.filter(Exists(to_free)).exclude(Exists(links.filter(Exists(open_deals)))).order_by("pk")


def put_away(tournament: Tournament, find_faults: Callable[[str], Iterable[str]]) -> int:
    """Write the archive, have it checked as a whole, then free the logs that it holds; how many.

    `find_faults` is given the folder and names what does not hold there: with one fault nothing is freed.
    """
    told = find_archived(tournament)
    folder = Path(settings.ARCHIVE_ROOT, told["archive"] if told else f"{tournament.pk}-{tournament.slug}")
    if told is None:
        write_archive(tournament, folder)
    digest = _digest(folder / MANIFEST)
    if fault := next(chain(find_faults(str(folder)), _find_foreign(told, digest)), None):
        raise LeagueError(
            "archive_spoilt",
            N_("The archive %(folder)s does not hold: %(fault)s. Nothing was freed."),
            N_("Put back the folder as it was made, or find out who changed it."),
            folder=folder,
            fault=fault,
        )
    return free_logs(note_archive(tournament, folder.name, digest), folder)


def find_archived(tournament: Tournament) -> dict[str, Any] | None:
    """Where it was put away, as its chain tells; None before."""
    told = TournamentEvent.objects.filter(tournament=tournament, kind=ARCHIVED).order_by("number")
    return told.values_list("detail", flat=True).first()


def _find_foreign(told: dict[str, Any] | None, digest: str) -> Iterator[str]:
    if told is not None and told["digest"] != digest:
        yield "its manifest is not the one that the tournament's chain tells"


def write_archive(tournament: Tournament, folder: Path) -> None:
    """The whole archive as a folder; one that no row names yet was left by a run that was killed, and is made anew."""
    draft = folder.with_name(f"{folder.name}.part")
    for left in (draft, folder):
        if left.exists():
            shutil.rmtree(left)
    draft.mkdir(parents=True)
    with one_snapshot():
        tournament.refresh_from_db()
        digests = {
            f"{name}.parquet": _write_table(draft / f"{name}.parquet", rows)
            for name, rows in list_archive_tables(tournament)
        }
        rows = (pack_record(play, record) for play, record in read_archived_records(list_recorded(tournament)))
        parts = write_parquet(rows, PACKED_COLUMNS, group=ROWS_A_GROUP, is_packed=True)
        digests[RECORDS] = _write(draft / RECORDS, parts)
        manifest = make_manifest(tournament)
    signed = (json.dumps({**manifest, "files": digests}, ensure_ascii=False, sort_keys=True) + "\n").encode()
    _write(draft / MANIFEST, [signed])
    _write(draft / SIGNATURE, [f"{sign(signed)}\n".encode()])
    _sync(draft)
    draft.rename(folder)
    _sync(folder.parent)


def _write_table(path: Path, rows: Iterable[dict[str, Any]]) -> str:
    """As JSON has it: a column of values that differ in kind, or that some rows have not, is one of JSON."""
    with TemporaryFile("w+", encoding="utf-8") as spool:
        spool.writelines(write_lines(rows))
        spool.seek(0)
        columns, count = dict[str, Any](), 0
        for row in map(json.loads, spool):
            count += 1
            for name, value in row.items():
                kinds, times = columns.setdefault(name, (set(), 0))
                columns[name] = (kinds | ({type(value)} - {type(None)}), times + 1)
        spool.seek(0)
        chosen = {name: _choose(kinds) if times == count else dict for name, (kinds, times) in columns.items()}
        return _write(path, write_parquet(map(json.loads, spool), chosen, is_packed=True))


def _choose(kinds: set[type]) -> type:
    kind = next(iter(kinds)) if len(kinds) == 1 else dict
    return kind if kind in (int, float, str, bool) else dict


def _write(path: Path, parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for part in parts:
            digest.update(part)
            file.write(part)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise LeagueError(
            "archive_missing",
            N_("The archive %(folder)s cannot be read: %(error)s."),
            N_("Put the folder back, or set AURUM_DATA to where it lies."),
            folder=path.parent,
            error=error.strerror,
        ) from None


@transaction.atomic
def note_archive(tournament: Tournament, name: str, digest: str) -> Archive:
    """Name it in the database and in the tournament's chain, once."""
    lock_tournament(tournament.pk)
    with ParquetFile.open(Path(settings.ARCHIVE_ROOT, name, RECORDS)) as records:
        matches = sum(count for count, _ in records.groups)
    archive, is_new = Archive.objects.get_or_create(name=name, defaults={"digest": digest, "matches": matches})
    if is_new:
        detail = {"archive": name, "digest": digest, "matches": matches}
        record_event(tournament, ARCHIVED, detail=detail)
    return archive


def free_logs(archive: Archive, folder: Path) -> int:
    """Only where the file holds the very bytes that are freed; the space is there for new rows once it is vacuumed."""
    freed = 0
    with ParquetFile.open(folder / RECORDS) as records, connection.cursor() as cursor:
        left = records.read_rows()
        while rows := list(islice(left, LOGS_AT_ONCE)):
            columns = ([row[name] for row in rows] for name in ("match", "result_version", "log"))
            cursor.execute(_FREE, [archive.pk, *columns])
            freed += cursor.rowcount
    return freed
