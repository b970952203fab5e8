"""Results of a stage as the standings count them, and the table that they make."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any, LiteralString

import psycopg
from django.db import connection

from games.models import Match
from games.models.match import ENDED
from tournaments.models import Bye, FixtureSeat, FixtureState, MatchdayState, Stage, Tournament, TournamentState
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.seating import count_block_matches
from tournaments.rules.standings import (
    ResultKind,
    StandingRow,
    TableResult,
    compute_standings,
    credit_points,
    credit_wins,
)
from tournaments.selectors.chance import seed_of
from tournaments.selectors.stages import chain_of, scoring_of, split_field

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


def table_result(
    kind: TableKind,
    block: int,
    entrants: Sequence[int],
    places: Iterable[int],
    nuggets: Iterable[int],
    totals: Iterable[int],
    exact_bids: Iterable[int],
    forfeits: Sequence[int],
    first_seat: int,
) -> TableResult:
    """A match's columns by seat as a result; a fixed side is one entrant, and forfeits only if both its seats do."""
    if kind is TableKind.TEAMS4:
        entrants = entrants[:2]
        forfeits = [side for side in (0, 1) if side in forfeits and side + 2 in forfeits]
        first_seat %= 2
    return TableResult(
        tuple(entrants),
        tuple(places),
        tuple(nuggets),
        tuple(totals),
        tuple(exact_bids),
        tuple(forfeits),
        block=block,
        first_seat=first_seat,
    )


def _read(query: LiteralString, arguments: list[list[int] | int], kind: TableKind) -> Iterator[tuple[int, TableResult]]:
    """In binary: Django's own cursor takes ten times as long for arrays, which was half of counting standings."""
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        rows = cursor.execute(query, arguments, prepare=False, binary=True).fetchall()
    for row in rows:
        yield row[0], table_result(kind, *row[1:])


def matches_a_fixture(stage: Stage, kind: TableKind) -> int:
    """How many matches a fixture is made of: what a bye or a void stands for."""
    if not stage.block_deals:
        return stage.matches_each
    return count_block_matches(kind.seat(range(1, kind.entrants + 1)), stage.block_deals)


def _read_unplayed(stage: Stage, kind: TableKind) -> Iterator[TableResult]:
    times = matches_a_fixture(stage, kind)
    byes = Bye.objects.filter(matchday__stage=stage).exclude(matchday__state=MatchdayState.DRAWN)
    for entrant in byes.order_by("matchday_id", "id").values_list("entrant_id", flat=True):
        yield from repeat(TableResult((entrant,), kind=ResultKind.BYE), times)
    seats = FixtureSeat.objects.filter(
        fixture__matchday__stage=stage, fixture__state=FixtureState.VOID, entrant__isnull=False
    )
    for entrant in seats.order_by("fixture_id", "position").values_list("entrant_id", flat=True):
        yield from repeat(TableResult((entrant,), kind=ResultKind.VOID), times)


def compute_stage_standings(
    tournament: Tournament, stage: Stage, results: list[TableResult] | None = None
) -> list[dict[str, Any]]:
    """The rows as they are stored, division by division; with results given, as they would be with those."""
    if results is None:
        results = read_stage_results(stage, TableKind(tournament.table_kind))
    rows: list[dict[str, Any]] = []
    for division, members in split_field(tournament, stage):
        mine = results if not division else _results_of(results, set(members))
        ranked = compute_standings(
            members,
            mine,
            scoring_of(stage),
            chain_of(stage),
            lots_seed=bytes(tournament.seed or b""),
            lots_purpose=f"standings {stage.number}",
        )
        rows += [_stored_row(row, division, stage) for row in _without_house(ranked)]
    return _apply_final_places(rows, stage) if stage.final_places else rows


def _results_of(results: list[TableResult], members: set[int]) -> list[TableResult]:
    return [result for result in results if members.intersection(result.entrants)]


def _without_house(rows: tuple[StandingRow, ...]) -> list[StandingRow]:
    """A filling house bot holds no place: those below it move up."""
    house = next((row.place for row in rows if row.entrant == HOUSE), None)
    if house is None:
        return list(rows)
    return [replace(row, place=row.place - (row.place > house)) for row in rows if row.entrant != HOUSE]


def _stored_row(row: StandingRow, division: str, stage: Stage) -> dict[str, Any]:
    decided, scoring = row.decided_by, scoring_of(stage)
    return {
        "place": row.place,
        "entrant": row.entrant,
        "division": division,
        "points": credit_points(row.tally, scoring),
        "wins": credit_wins(row.tally, scoring),
        "values": dict(zip(stage.tiebreaks, row.values, strict=True)),
        "decided_by": decided
        and {
            "metric": decided.metric,
            "value": decided.value,
            "rival": decided.rival,
            "rival_value": decided.rival_value,
        },
        "tally": row.tally._asdict(),
    }


def _apply_final_places(rows: list[dict[str, Any]], stage: Stage) -> list[dict[str, Any]]:
    """A bracket decides the places itself; the rest of each row stays as it was counted."""
    places = dict(stage.final_places)
    for row in rows:
        row["place"] = places.get(row["entrant"], len(rows))
        row["decided_by"] = {"metric": "bracket"}
    return sorted(rows, key=lambda row: (row["place"], stage.field.index(row["entrant"])))


def list_sealed_matches(tournament: Tournament) -> frozenset[int]:
    """Numbers of matches on deals on which another match is still to end."""
    own = Match.objects.filter(fixture_match__stage__tournament=tournament)
    in_play = own.exclude(state__in=ENDED).values("deals")
    return frozenset(own.filter(deals__in=in_play).values_list("id", flat=True))


def has_match(tournament: Tournament, match_id: int) -> bool:
    return Match.objects.filter(pk=match_id, fixture_match__stage__tournament=tournament).exists()


def revealed_seed(tournament: Tournament) -> str | None:
    """The seed in hex once the tournament has finished; anybody can then check draws, lots and the seeds of matches."""
    is_open = tournament.state == TournamentState.FINISHED and tournament.seed is not None
    return seed_of(tournament).hex() if is_open else None
