"""Results of a stage as the standings count them, and the table that they make."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, LiteralString

import psycopg
from django.db import connection
from django.db.models import Exists, OuterRef

from games.models import Match
from games.models.match import ENDED
from tournaments.models import Bye, FixtureSeat, FixtureState, MatchdayState, Stage, Tournament, TournamentState
from tournaments.rules.pairing import TableKind
from tournaments.rules.stage_sheet import count_standings, table_result, unplayed_results
from tournaments.rules.standings import TableResult
from tournaments.selectors.chance import seed_of
from tournaments.selectors.stages import make_sheet

_COLUMNS = """
    SELECT fm.fixture_id, uuid_hash_extended(m.deals, 0), fm.entrants, r.places, r.nuggets, r.totals, r.exact_bids,
           r.forfeits, r.first_seat
    FROM tournaments_fixturematch AS fm
    JOIN games_match AS m ON m.id = fm.match_id
"""
_OF_STAGE = (
    _COLUMNS
    + """
    JOIN tournaments_fixture AS f ON f.id = fm.fixture_id
    LEFT JOIN unnest(%s::bigint[], %s::bigint[]) AS instead (old, new) ON instead.old = fm.match_id
    JOIN games_matchresult AS r ON r.match_id = COALESCE(instead.new, fm.match_id)
    WHERE fm.stage_id = %s AND f.state = 'settled' ORDER BY fm.match_id
"""
)
_OF_FIXTURES = (
    _COLUMNS
    + """
    JOIN games_matchresult AS r ON r.match_id = fm.match_id
    WHERE fm.fixture_id = ANY(%s) ORDER BY fm.fixture_id, fm.number
"""
)


def read_stage_results(stage: Stage, kind: TableKind, instead: Mapping[int, int] | None = None) -> list[TableResult]:
    """Every match of a fixture that counts, byes of matchdays that were released, and voids.

    `instead` names matches whose results are to be taken for those of others, as if a rerun had been applied.
    """
    swaps = instead or {}
    played = _read(_OF_STAGE, [list(swaps), list(swaps.values()), stage.id], kind)
    return [*(result for _, result in played), *_read_unplayed(stage, kind)]


def read_fixture_results(fixture_ids: Sequence[int], kind: TableKind) -> dict[int, list[TableResult]]:
    """The results of these fixtures so far, whether they are whole or not."""
    results: dict[int, list[TableResult]] = {fixture_id: [] for fixture_id in fixture_ids}
    for fixture_id, result in _read(_OF_FIXTURES, [list(fixture_ids)], kind):
        results[fixture_id].append(result)
    return results


def _read(query: LiteralString, arguments: list[list[int] | int], kind: TableKind) -> Iterator[tuple[int, TableResult]]:
    """In binary: Django's own cursor takes ten times as long for arrays, which was half of counting standings."""
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        rows = cursor.execute(query, arguments, prepare=False, binary=True).fetchall()
    for row in rows:
        yield row[0], table_result(kind, *row[1:])


def _read_unplayed(stage: Stage, kind: TableKind) -> Iterator[TableResult]:
    byes = Bye.objects.filter(matchday__stage=stage).exclude(matchday__state=MatchdayState.DRAWN)
    seats = FixtureSeat.objects.filter(
        fixture__matchday__stage=stage, fixture__state=FixtureState.VOID, entrant__isnull=False
    )
    return unplayed_results(
        make_sheet(stage.tournament, stage),
        byes.order_by("matchday_id", "id").values_list("entrant_id", flat=True),
        seats.order_by("fixture_id", "position").values_list("entrant_id", flat=True),
    )


def compute_stage_standings(
    tournament: Tournament, stage: Stage, results: list[TableResult] | None = None
) -> list[dict[str, Any]]:
    """The rows as they are stored, division by division; with results given, as they would be with those."""
    if results is None:
        results = read_stage_results(stage, TableKind(tournament.table_kind))
    return count_standings(make_sheet(tournament, stage), results, bytes(tournament.seed or b""))


def list_sealed_matches(tournament: Tournament) -> frozenset[int]:
    """Numbers of matches on deals on which another match is still to end."""
    own = Match.objects.filter(fixture_match__stage__tournament=tournament)
    in_play = Match.objects.filter(deals=OuterRef("deals")).exclude(state__in=ENDED)
    return frozenset(own.filter(Exists(in_play)).values_list("id", flat=True))


def has_match(tournament: Tournament, match_id: int) -> bool:
    return Match.objects.filter(pk=match_id, fixture_match__stage__tournament=tournament).exists()


def revealed_seed(tournament: Tournament) -> str | None:
    """The seed in hex once the tournament has finished; anybody can then check draws, lots and the seeds of matches."""
    is_open = tournament.state == TournamentState.FINISHED and tournament.seed is not None
    return seed_of(tournament).hex() if is_open else None
