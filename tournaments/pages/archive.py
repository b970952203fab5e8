"""A whole tournament as one zip that is sent as it is made, with records that `aurum verify` judges again."""

import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from aurum_league.common.errors import LeagueError
from games.models import Match
from games.selectors.records import record_of
from tournaments.models import Tournament
from tournaments.pages.files import write_csv, write_json_lines
from tournaments.selectors.exports import export_results, export_schedule, export_standings, list_finished_matches
from tournaments.selectors.seals import revealed_seed

READ_ME = """{name}

standings.csv   places, points and intervals, stage by stage
schedule.csv    every table that was released, and why it was drawn
results.csv     every finished match, a row a side
records.jsonl   everything that happened in every match whose deals are no longer in play, one record a line

Judge the records again, without this site:  aurum verify records.jsonl
Commitment (SHA-256 of the tournament's seed): {commitment}
Seed (open once the tournament has finished):  {seed}
"""
WITHHELD = ("match_sealed", "record_missing")
"""Other matches on its deals are still to end, or it was set to be played again while the archive was written."""
CHUNK = 200
ENOUGH_BYTES = 64 * 1024


class Outbox:
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
    """The bytes of the archive, in pieces of some size."""
    outbox = Outbox()
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in _list_files(tournament):
            with archive.open(f"{tournament.slug}/{name}", "w", force_zip64=True) as file:
                for line in lines:
                    file.write(line.encode())
                    if outbox.size > ENOUGH_BYTES:
                        yield outbox.empty()
    yield outbox.empty()


def _list_files(tournament: Tournament) -> Iterator[tuple[str, Iterable[str]]]:
    yield "README.txt", [_read_me(tournament)]
    yield "standings.csv", write_csv(export_standings(tournament))
    yield "schedule.csv", write_csv(export_schedule(tournament))
    yield "results.csv", write_csv(export_results(tournament))
    yield "records.jsonl", write_json_lines(_read_records(tournament))


def _read_me(tournament: Tournament) -> str:
    seed = revealed_seed(tournament) or "still sealed"
    return READ_ME.format(name=tournament.name, commitment=tournament.commitment, seed=seed)


def _read_records(tournament: Tournament) -> Iterator[dict[str, Any]]:
    """Records of all finished matches but those that are still sealed."""
    ids = list_finished_matches(tournament)
    for start in range(0, len(ids), CHUNK):
        chunk = Match.objects.filter(pk__in=ids[start : start + CHUNK]).select_related("result").order_by("pk")
        for match in chunk:
            try:
                yield record_of(match)
            except LeagueError as error:
                if error.code not in WITHHELD:
                    raise
