"""What can be taken home of a tournament: tables as CSV and JSON, and everything as one archive."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from aurum_league.common.files import Row, send_file, send_table, write_csv, write_json, write_lines
from aurum_league.common.proofs import read_public_key, sign
from aurum_league.common.site_events import list_signing_keys
from aurum_league.common.sql import one_snapshot
from tournaments.models import Tournament
from tournaments.pages.frame import find_shown, frame_context
from tournaments.rules.formats import FORMATS
from tournaments.selectors.archive import (
    list_archive_tables,
    list_recorded,
    read_archived_records,
)
from tournaments.selectors.exports import (
    export_bracket,
    export_crosstable,
    export_results,
    export_schedule,
    export_standings,
    export_statistics,
    make_manifest,
)
from tournaments.selectors.standings import revealed_seed


def send_rows(rows: Iterable[Row], name: str, form: str) -> StreamingHttpResponse:
    """The rows as a file `name`.csv or `name`.json; raises Http404 for any other form."""
    if form == "csv":
        return send_table(rows, name)
    if form == "json":
        return send_file(write_json(rows), "application/json", f"{name}.json")
    raise Http404("no such form of a file")


READ_ME = """{name}

standings.csv      places, points and intervals, stage by stage
schedule.csv       every table that was released, and why it was drawn
results.csv        every finished match, a row a side
records.jsonl      everything that happened in every match whose deals are no longer in play, one record a line
stages.ndjson      how each stage is drawn and counted, and who is in it
entrants.ndjson    who entered, and players.ndjson whom the numbers of players mean
fixtures.ndjson    every table, its places and points
matches.ndjson     every match, where it was played, by whom, and every version of its result
standings.ndjson   the standings with what decided each place
pools.ndjson       the rating pools that it counts in; rated.ndjson their matches in the order rated
ratings.ndjson     where everybody in those pools stands: live ratings and the official fit
events.ndjson      what happened to the tournament, each event with the digest of the one before it
manifest           the digests of these files and the heads of the chains; the signature covers it

Check all of it again, without this site:  aurum verify {slug}.zip
Commitment (SHA-256 of the tournament's seed): {commitment}
Seed (open once the tournament has finished):  {seed}
"""
MANIFEST, SIGNATURE = "manifest", "signature"
ENOUGH_BYTES = 64 * 1024
IN_MEMORY = 8 * 1024 * 1024


class ArchiveOutbox:
    """What a zip file is written to: it cannot be read or wound back, only emptied."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def write(self, data: bytes, /) -> int:
        self.parts.append(bytes(data))
        self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """What is left is taken by `empty`."""

    def empty(self) -> bytes:
        sent = b"".join(self.parts)
        self.parts, self.size = [], 0
        return sent


def stream_archive(tournament: Tournament) -> Iterator[bytes]:
    """The bytes of the archive, in pieces of some size, the first of them at once.

    All but the records is read in one snapshot and sent after it, so that matches which end meanwhile make no
    contradictions and a slow reader keeps no snapshot open; records of what had ended by then are read as they are
    sent, a few hundred at a time.
    """
    outbox, digests = ArchiveOutbox(), dict[str, str]()
    with ExitStack() as spools, zipfile.ZipFile(outbox, "w", zipfile.ZIP_DEFLATED) as archive:

        def write(name: str, parts: Iterable[bytes]) -> Iterator[bytes]:
            digest = hashlib.sha256()
            with archive.open(f"{tournament.slug}/{name}", "w", force_zip64=True) as file:
                for part in parts:
                    digest.update(part)
                    file.write(part)
                    if outbox.size > ENOUGH_BYTES:
                        yield outbox.empty()
            digests[name] = digest.hexdigest()

        yield from write("README.txt", [_read_me(tournament).encode()])
        yield outbox.empty()
        with one_snapshot():
            tournament.refresh_from_db()
            files = [(name, _spool(spools, lines)) for name, lines in _list_files(tournament)]
            records = list_recorded(tournament)
            manifest = make_manifest(tournament)
        for name, parts in files:
            yield from write(name, parts)
        played = read_archived_records(records)
        yield from write("records.jsonl", (line.encode() for line in write_lines(told for _, told in played)))
        signed = (json.dumps({**manifest, "files": digests}, ensure_ascii=False, sort_keys=True) + "\n").encode()
        archive.writestr(f"{tournament.slug}/{MANIFEST}", signed)
        archive.writestr(f"{tournament.slug}/{SIGNATURE}", sign(signed) + "\n")
    yield outbox.empty()


def _spool(spools: ExitStack, lines: Iterable[str]) -> Iterator[bytes]:
    """What is read now and sent later; in a file where it is large."""
    kept = spools.enter_context(SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115
    for line in lines:
        kept.write(line.encode())
    kept.seek(0)
    return iter(lambda: kept.read(ENOUGH_BYTES), b"")


def _list_files(tournament: Tournament) -> Iterator[tuple[str, Iterable[str]]]:
    yield "standings.csv", write_csv(export_standings(tournament))
    yield "schedule.csv", write_csv(export_schedule(tournament))
    yield "results.csv", write_csv(export_results(tournament))
    for name, rows in list_archive_tables(tournament):
        yield f"{name}.ndjson", write_lines(rows)


def _read_me(tournament: Tournament) -> str:
    seed = revealed_seed(tournament) or "still sealed"
    return READ_ME.format(name=tournament.name, slug=tournament.slug, commitment=tournament.commitment, seed=seed)


EXPORTS: dict[str, Callable[[Tournament], Iterator[Row]]] = {
    "standings": export_standings,
    "schedule": export_schedule,
    "results": export_results,
    "crosstable": export_crosstable,
    "bracket": export_bracket,
    "statistics": export_statistics,
}


@require_safe
def show_downloads(request: HttpRequest, slug: str) -> HttpResponse:
    shown = find_shown(request, slug)
    files = [
        ("standings", _("Standings"), _("Places, points, tie-breaks and intervals, stage by stage.")),
        ("schedule", _("Schedule"), _("Every table that was released, and why it was drawn.")),
        ("results", _("Results"), _("Every finished match, a row a side.")),
        ("crosstable", _("Crosstable"), _("Every entrant against every other, with intervals.")),
        ("statistics", _("Statistics"), _("Bids, tricks, gold and how rounds ended, by entrant.")),
    ]
    if any(FORMATS[stage.format].has_bracket for stage in shown.stages):
        files.append(("bracket", _("Bracket"), _("Every table of the bracket, a row a seat.")))
    context = frame_context(request, shown, "tournament_downloads") | {"files": files, "stage_links": []}
    return render(request, "tournaments/downloads.html", context)


@require_safe
def download_rows(request: HttpRequest, slug: str, name: str, form: str) -> HttpResponseBase:
    tournament = find_shown(request, slug).tournament
    if name not in EXPORTS:
        raise Http404("no such file")
    return send_rows(EXPORTS[name](tournament), f"{slug}-{name}", form)


@require_safe
def download_archive(request: HttpRequest, slug: str) -> HttpResponseBase:
    tournament = find_shown(request, slug).tournament
    return send_file(stream_archive(tournament), "application/zip", f"{slug}.zip")


@require_safe
def show_public_key(request: HttpRequest) -> HttpResponse:
    """The public half of the key that records and archives are signed with."""
    return HttpResponse(read_public_key() + "\n", content_type="text/plain")


@require_safe
def show_public_keys(request: HttpRequest) -> JsonResponse:
    """Every key there was, oldest first, and since when: whoever keeps an old archive finds its own here."""
    return JsonResponse({"current": read_public_key(), "keys": list_signing_keys()})
