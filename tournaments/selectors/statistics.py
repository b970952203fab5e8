"""Statistics of stages or of a player: seats, bids, gold, how rounds end, and who did how against whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.db import connection

from aurum_league.common.cache import read_cached
from games.selectors.matches import list_round_bids
from tournaments.models import Entrant, FixtureMatch, FixtureState, Stage, StageStandings
from tournaments.rules.crosstable import (
    CrosstableCell,
    PositionBias,
    build_crosstable,
    measure_first_player_bias,
    measure_seat_bias,
    student_reach,
)
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.race import Race, run_race
from tournaments.rules.standings import FixtureEnd, TableResult
from tournaments.selectors.players import LATEST_MATCHES
from tournaments.selectors.standings import read_stage_results

CACHE_SECONDS = 24 * 3600
MOST_ENTRANTS = 40
LATEST_SHOWN = 50

Cells = dict[tuple[int, int], CrosstableCell]

_MEETINGS = """
    SELECT result.match_id, uuid_hash_extended(match.deals, 0), array_agg(seat.player_id ORDER BY seat.seat),
           result.places, result.totals, result.forfeits
    FROM games_matchseat AS own
    JOIN games_matchseat AS other ON other.match_id = own.match_id AND other.side <> own.side
    JOIN games_match AS match ON match.id = own.match_id AND match.state = 'finished'
    JOIN games_matchresult AS result ON result.match_id = own.match_id
    JOIN games_matchseat AS seat ON seat.match_id = own.match_id
    WHERE own.player_id = %(own)s AND other.player_id = %(other)s AND match.players = %(players)s
      AND match.kind IN ('tournament', 'casual') AND own.seat = own.side AND other.seat = other.side
    GROUP BY result.match_id, match.deals ORDER BY result.match_id
"""


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The best entrants of a stage in the order of the standings, and a cell for each ordered pair that met."""

    version: int
    entrants: tuple[tuple[int, str], ...]
    cells: Cells
    is_cut: bool


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """All meetings of two players at tables of one size; `cell` is None where they never met."""

    players: int
    cell: CrosstableCell | None
    latest_matches: tuple[int, ...]


def read_crosstable(stage: Stage, *, limit: int = MOST_ENTRANTS) -> Crosstable:
    """Cached by the version of the results: computed once for each; large fields show their best."""
    key = f"crosstable-{stage.id}-{stage.results_version}-{limit}"
    return read_cached(key, CACHE_SECONDS, lambda: _build(stage, limit))


def _build(stage: Stage, limit: int) -> Crosstable:
    stored = StageStandings.objects.filter(stage=stage).first()
    order = [row["entrant"] for row in stored.rows] if stored else list(stage.field)
    shown = [entrant for entrant in order if entrant != HOUSE][:limit]
    results = read_stage_results(stage, TableKind(stage.tournament.table_kind))
    wanted = set(shown)
    cells = {pair: cell for pair, cell in build_crosstable(results).items() if wanted.issuperset(pair)}
    names = dict(Entrant.objects.filter(id__in=shown).values_list("id", "player__name"))
    entrants = tuple((entrant, names[entrant]) for entrant in shown)
    return Crosstable(stage.results_version, entrants, cells, len(order) > len(shown))


def read_head_to_head(own_id: int, other_id: int, *, players: int = 3) -> HeadToHead:
    """How one player did against another in all tournaments and casual matches: two sides of one table, ever."""
    with connection.cursor() as cursor:
        cursor.execute(_MEETINGS, {"own": own_id, "other": other_id, "players": players})
        rows = cursor.fetchall()
    results = [
        TableResult(tuple(seats), tuple(places), totals=tuple(totals), forfeits=tuple(forfeits), block=block)
        for _, block, seats, places, totals, forfeits in rows
    ]
    latest = tuple(row[0] for row in rows[: -LATEST_SHOWN - 1 : -1])
    return HeadToHead(players, build_crosstable(results).get((own_id, other_id)), latest)


_OF_STAGES = """
    SELECT holder.id, match.deals, result.*, (holder.seat - 1) %% cardinality(result.places) + 1 AS side
    FROM tournaments_fixturematch AS fm
    JOIN tournaments_fixture AS fixture ON fixture.id = fm.fixture_id AND fixture.state = 'settled'
    JOIN games_match AS match ON match.id = fm.match_id
    JOIN games_matchresult AS result ON result.match_id = fm.match_id
    CROSS JOIN LATERAL unnest(fm.entrants) WITH ORDINALITY AS holder (id, seat)
    WHERE fm.stage_id = ANY(%(stages)s) AND (holder.seat <= cardinality(result.places) OR NOT %(has_sides)s)
      AND NOT holder.seat - 1 = ANY(result.forfeits)
"""
_OF_PLAYER = """
    SELECT match.players AS id, match.deals, result.*, seat.side + 1 AS side
    FROM (
        SELECT * FROM games_matchseat WHERE player_id = %(id)s ORDER BY match_id DESC LIMIT %(latest)s
    ) AS seat
    JOIN games_match AS match ON match.id = seat.match_id AND match.kind IN ('tournament', 'casual')
    JOIN games_matchresult AS result ON result.match_id = seat.match_id
    WHERE NOT seat.seat = ANY(result.forfeits)
"""
_BIDS = """
    WITH part AS ({parts}), block AS (
        SELECT id, count(*) AS matches, sum(rounds) AS rounds, sum(exact_bids[side]) AS exact, sum(bids[side]) AS bids,
               sum(tricks[side]) AS tricks, sum(gold_points[side]) AS gold, sum(totals[side]) AS total,
               sum(nuggets[side]) AS nuggets, sum(ends[1]) AS no_lead, sum(ends[2]) AS no_play, sum(ends[3]) AS declined
        FROM part WHERE rounds > 0 GROUP BY id, deals
    )
    SELECT id, sum(matches)::bigint, sum(rounds)::bigint, sum(exact)::bigint, sum(bids)::bigint, sum(tricks)::bigint,
           sum(gold)::bigint, sum(total)::bigint, sum(nuggets)::bigint, COALESCE(sum(no_lead), 0)::bigint,
           COALESCE(sum(no_play), 0)::bigint, COALESCE(sum(declined), 0)::bigint,
           count(*), avg(exact::float8 / rounds), stddev_samp(exact::float8 / rounds)
    FROM block GROUP BY id ORDER BY id
"""
_ROUNDS = """
    SELECT count(*), COALESCE(sum(result.rounds), 0), COALESCE(sum(result.ends[1]), 0),
           COALESCE(sum(result.ends[2]), 0), COALESCE(sum(result.ends[3]), 0),
           count(*) FILTER (WHERE cardinality(result.forfeits) > 0), count(*) FILTER (WHERE result.lots)
    FROM tournaments_fixturematch AS fm
    JOIN tournaments_fixture AS fixture ON fixture.id = fm.fixture_id AND fixture.state = 'settled'
    JOIN games_matchresult AS result ON result.match_id = fm.match_id
    WHERE fm.stage_id = ANY(%s)
"""


@dataclass(frozen=True, slots=True)
class RoundEnds:
    """How many rounds ended so: the leader had no card left, somebody could not play, or declined to play gold."""

    no_lead: int
    no_play: int
    declined_gold: int


@dataclass(frozen=True, slots=True)
class BidStatistics:
    """Sums over all rounds of one entrant, or of one player by size of table, which is then the `id`.

    `exact_low` and `exact_high` bound the share of exact bids at 95 %, from blocks; None where there is only one.
    """

    id: int
    matches: int
    rounds: int
    exact: int
    bids: int
    tricks: int
    gold_points: int
    total: int
    nuggets: int
    ends: RoundEnds
    blocks: int
    exact_low: float | None
    exact_high: float | None

    @property
    def exact_share(self) -> float:
        return self.exact / self.rounds

    def a_round(self, total: int) -> float:
        """A sum for each round."""
        return total / self.rounds


@dataclass(frozen=True, slots=True)
class RoundStatistics:
    """How the rounds of stages ended."""

    matches: int
    rounds: int
    ends: RoundEnds
    matches_with_forfeit: int
    matches_by_lot: int


@dataclass(frozen=True, slots=True)
class StageBias:
    """Whether it matters where one sits, and how far from the first player."""

    seat: PositionBias
    first_player: PositionBias


def read_bids(stages: Sequence[Stage]) -> dict[int, BidStatistics]:
    """By entrant, over stages of one tournament; those of filling house bots are left out."""
    has_sides = stages[0].tournament.table_kind == TableKind.TEAMS4
    rows = _read_bids(_OF_STAGES, {"stages": [stage.id for stage in stages], "has_sides": has_sides})
    return {row.id: row for row in rows if row.id != HOUSE}


def read_player_bids(player_id: int) -> dict[int, BidStatistics]:
    """By size of table, over the latest matches of tournaments and casual ones."""
    return {row.id: row for row in _read_bids(_OF_PLAYER, {"id": player_id, "latest": LATEST_MATCHES})}


MOST_REPLAYED = 1500
"""The newest matches of a stage or a player: each takes a fraction of a millisecond to play again."""
_NEWEST = """
    SELECT fm.match_id, NULL::smallint FROM tournaments_fixturematch AS fm
    JOIN tournaments_fixture AS fixture ON fixture.id = fm.fixture_id AND fixture.state = 'settled'
    WHERE fm.stage_id = ANY(%s) ORDER BY fm.match_id DESC LIMIT %s
"""
_NEWEST_OF_PLAYER = """
    SELECT seat.match_id, seat.side FROM games_matchseat AS seat
    JOIN games_match AS match ON match.id = seat.match_id AND match.state = 'finished'
     AND match.kind IN ('tournament', 'casual')
    WHERE seat.player_id = %s ORDER BY seat.match_id DESC LIMIT %s
"""
MOST_OF_PLAYER = 300


def read_round_bids(stages: Sequence[Stage]) -> list[tuple[int, int]]:
    """Each bid with the tricks that were won for it, round by round; cached by the version of the results."""
    key = "round-bids-" + "-".join(f"{stage.id}.{stage.results_version}" for stage in stages)
    return read_cached(key, CACHE_SECONDS, lambda: _replay_bids(_NEWEST, [stage.id for stage in stages], MOST_REPLAYED))


def read_player_round_bids(player_id: int, version: object) -> list[tuple[int, int]]:
    """The same of one player; `version` is anything that changes with the player's newest match."""
    key = f"player-round-bids-{player_id}-{version}"
    return read_cached(key, CACHE_SECONDS, lambda: _replay_bids(_NEWEST_OF_PLAYER, player_id, MOST_OF_PLAYER))


def _replay_bids(newest: str, whose: int | list[int], limit: int) -> list[tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(newest, [whose, limit])
        sides = dict(cursor.fetchall())
    return [
        bid
        for match_id, rounds in list_round_bids(list(sides))
        for round_ in rounds
        for side, bid in enumerate(round_)
        if sides[match_id] is None or sides[match_id] == side
    ]


@dataclass(frozen=True, slots=True)
class StageRace:
    """How the lead of a stage came about; `names` as in `race.ahead`, `deciding` the matches that moved it most."""

    names: tuple[str, ...]
    race: Race
    deciding: tuple[int, ...]


MOST_RUNNERS = 5


def read_race(stage: Stage, order: Sequence[int]) -> StageRace:
    """Of the first in `order`, entrants as the standings have them; cached by the version of the results."""

    def make() -> StageRace:
        kind = TableKind(stage.tournament.table_kind)
        results = [one for one in read_stage_results(stage, kind) if one.kind == FixtureEnd.PLAYED]
        counted = FixtureMatch.objects.filter(stage=stage, fixture__state=FixtureState.SETTLED).order_by("match_id")
        numbers = list(counted.values_list("match_id", flat=True))
        race = run_race(results, stage.points, order[:MOST_RUNNERS])
        names = dict(Entrant.objects.filter(id__in=order[:MOST_RUNNERS]).values_list("id", "player__name"))
        is_whole = len(numbers) == len(results)
        wanted = sorted({*race.swings, *([race.decided] if race.decided else [])})
        deciding = tuple(numbers[at - 1] for at in wanted) if is_whole else ()
        return StageRace(tuple(names[entrant] for entrant in order[:MOST_RUNNERS]), race, deciding)

    return read_cached(f"race-{stage.id}.{stage.results_version}", CACHE_SECONDS, make)


def read_rounds(stages: Sequence[Stage]) -> RoundStatistics:
    with connection.cursor() as cursor:
        cursor.execute(_ROUNDS, [[stage.id for stage in stages]])
        matches, rounds, *ends, forfeits, lots = cursor.fetchone()
    return RoundStatistics(matches, rounds, RoundEnds(*ends), forfeits, lots)


def read_bias(stages: Sequence[Stage]) -> StageBias:
    """Over stages of one tournament; cached by the version of their results."""
    key = "bias-" + "-".join(f"{stage.id}.{stage.results_version}" for stage in stages)

    def make() -> StageBias:
        kind = TableKind(stages[0].tournament.table_kind)
        results = [result for stage in stages for result in read_stage_results(stage, kind)]
        return StageBias(measure_seat_bias(results), measure_first_player_bias(results))

    return read_cached(key, CACHE_SECONDS, make)


def _read_bids(parts: str, arguments: dict[str, Any]) -> list[BidStatistics]:
    with connection.cursor() as cursor:
        cursor.execute(_BIDS.format(parts=parts), arguments)
        return [_bid_statistics(row) for row in cursor.fetchall()]


def _bid_statistics(row: tuple[Any, ...]) -> BidStatistics:
    values = (*row[:9], RoundEnds(*row[9:12]), row[12], *_bound_share(*row[12:]))
    return BidStatistics(*values)


def _bound_share(blocks: int, mean: float, deviation: float | None) -> tuple[float | None, float | None]:
    if not deviation:
        return None, None
    reach = float(student_reach(blocks - 1)) * deviation / sqrt(blocks)
    return max(0.0, mean - reach), min(1.0, mean + reach)
