"""Who did how against whom: the crosstable of a stage, and two players head to head."""

from dataclasses import dataclass

from django.db import connection

from aurum_league.common.kept import keep, read_kept
from tournaments.models import Entrant, Stage, StageStandings
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.standings import TableResult
from tournaments.rules.statistics.crosstable import CrosstableCell, build_crosstable
from tournaments.selectors.results import read_stage_results

KEPT_SECONDS = 24 * 3600
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
    """Kept by the version of the results: computed once for each; large fields show their best."""
    key = f"crosstable-{stage.id}-{stage.results_version}-{limit}"
    known: Crosstable | None = read_kept(key)
    if known is None:
        known = _build(stage, limit)
        keep(key, known, KEPT_SECONDS)
    return known


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
