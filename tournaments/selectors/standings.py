"""Results of a stage as the standings count them, the table that they make, and the snapshot that pages show."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from django.db import connection
from django.db.models import Exists, OuterRef

from games.models import Match, PlayerKind
from games.models.match import ENDED
from tournaments.models import (
    Bye,
    Entrant,
    EntrantState,
    FixtureSeat,
    FixtureState,
    MatchdayState,
    Rating,
    Stage,
    StageStandings,
    Tournament,
    TournamentState,
)
from tournaments.rules.pairing import TableKind
from tournaments.rules.stage_sheet import Certainty, count_standings, table_result, unplayed_results
from tournaments.rules.standings import METRICS, Decision, ResultTally, StandingRow, TableResult, find_level_title
from tournaments.rules.standings.results import UNITS
from tournaments.selectors.chance import seed_of
from tournaments.selectors.entrants import read_entrant_ratings
from tournaments.selectors.leagues import make_sheet

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


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """One row. `values` follows the stage's chain; `tally` counts matches, wins in twelfths and so on.

    `points` and `wins` are what the chain compares, byes included; `tally` leaves byes out. `rival` is the name of the
    entrant that `decided_by` compares with.
    """

    place: int
    entrant_id: int
    player_id: int
    name: str
    slug: str
    is_house: bool
    state: EntrantState
    division: str
    points: float
    wins: float
    values: dict[str, float | None]
    decided_by: dict[str, Any] | None
    rival: str
    tally: dict[str, int]
    certainty: Certainty | None
    mu: float | None
    sigma: float | None
    official: float | None
    official_low: float | None
    official_high: float | None


@dataclass(frozen=True, slots=True)
class Standings:
    """`version` names the results the lines were made from: a key for caches; `is_current` whether there are newer."""

    stage_id: int
    version: int
    is_current: bool
    chain: tuple[str, ...]
    lines: tuple[StandingsLine, ...]


def find_snapshot(stage: Stage) -> StageStandings:
    """What was last computed; an unsaved one without rows before anything was counted."""
    return StageStandings.objects.filter(stage=stage).first() or StageStandings(stage=stage, version=0)


def read_standings(stage: Stage) -> Standings:
    """Three queries however many lines; no lines before anything was counted."""
    stored = find_snapshot(stage)
    return Standings(
        stage_id=stage.id,
        version=stored.version,
        is_current=stored.version == stage.results_version and bool(stored.rows),
        chain=tuple(stage.tiebreaks),
        lines=name_rows(stage, stored.rows),
    )


def name_rows(stage: Stage, rows: Sequence[dict[str, Any]]) -> tuple[StandingsLine, ...]:
    """Some rows of a snapshot as lines, in two queries."""
    rivals = [row["decided_by"]["rival"] for row in rows if row["decided_by"] and "rival" in row["decided_by"]]
    entrants = Entrant.objects.select_related("player").in_bulk({*rivals, *(row["entrant"] for row in rows)})
    ratings = read_entrant_ratings(stage.tournament, [entrants[row["entrant"]].player_id for row in rows])
    return tuple(_line(row, entrants, ratings) for row in rows)


def find_level_for_title(stage: Stage, rows: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    """Entrants whom nothing but lots parts for the title, or who share it; none where it was won.

    With divisions the title is that of the first one; a bracket leaves nobody level.
    """
    first = [row for row in rows if row["division"] in ("", "D1")]
    if any(row["decided_by"] and row["decided_by"]["metric"] not in METRICS for row in first):
        return ()
    return find_level_title([_rank_again(row) for row in first])


def list_level_for_title(stage: Stage, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Their names."""
    level = find_level_for_title(stage, rows)
    names = dict(Entrant.objects.filter(id__in=level).values_list("id", "player__name")) if level else {}
    return [names[entrant] for entrant in level]


def _rank_again(row: dict[str, Any]) -> StandingRow:
    decided = row["decided_by"]
    decision = Decision(**{**decided, "metric": METRICS[decided["metric"]]}) if decided else None
    return StandingRow(row["place"], row["entrant"], tuple(row["values"].values()), decision, ResultTally())


def _line(row: dict[str, Any], entrants: dict[int, Entrant], ratings: dict[int, Rating]) -> StandingsLine:
    entrant, tally, sure = entrants[row["entrant"]], row["tally"], row.get("certainty")
    rival = entrants.get((row["decided_by"] or {}).get("rival", 0))
    rating = ratings.get(entrant.player_id)
    return StandingsLine(
        place=row["place"],
        entrant_id=entrant.id,
        player_id=entrant.player_id,
        name=entrant.player.name,
        slug=entrant.player.slug,
        is_house=entrant.player.kind == PlayerKind.HOUSE,
        state=EntrantState(entrant.state),
        division=row["division"],
        points=row.get("points", tally["points"] / UNITS),
        wins=row.get("wins", tally["wins"] / UNITS),
        values=row["values"],
        decided_by=row["decided_by"],
        rival=rival.player.name if rival else "",
        tally=tally,
        certainty=Certainty(**sure) if sure else None,
        mu=rating.mu if rating else None,
        sigma=rating.sigma if rating else None,
        official=rating.official if rating else None,
        official_low=rating.official_low if rating else None,
        official_high=rating.official_high if rating else None,
    )
