"""A league over all its seasons: the all-time table, records, champions, and who did how against whom."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import connection

from aurum_league.common.cache import read_cached
from games.models import Player
from tournaments.models import Entrant, League, Stage, StageStandings, Tournament, TournamentState
from tournaments.rules.pairing import TableKind
from tournaments.rules.standings import TableResult
from tournaments.rules.standings.results import UNITS
from tournaments.selectors.leagues import find_champions
from tournaments.selectors.standings import read_stage_results

CACHE_SECONDS = 3600
MOST_LINES, MOST_COMPARED, MOST_SEASONS = 100, 10, 200


@dataclass(slots=True)
class AllTimeLine:
    """One player over all seasons that are finished; `best` is the best place in the first division."""

    player_id: int
    name: str
    slug: str
    seasons: int = 0
    titles: int = 0
    best: int | None = None
    matches: int = 0
    wins: float = 0.0
    points: float = 0.0

    @property
    def points_a_match(self) -> float:
        return self.points / self.matches if self.matches else 0.0

    @property
    def order(self) -> tuple[float, ...]:
        return (-self.titles, -self.points, -self.wins, self.player_id)


@dataclass(frozen=True, slots=True)
class LeagueRecord:
    """The most that anybody reached: `code` is what of; `match_id` the match, where it was one."""

    code: str
    value: float
    name: str
    slug: str
    season: int | None
    tournament: str
    match_id: int | None = None


@dataclass(frozen=True, slots=True)
class JointMatches:
    """How often one player finished ahead of another where both sat at one table; a shared place is one half."""

    meetings: int
    ahead: float

    @property
    def share(self) -> float:
        return self.ahead / self.meetings


@dataclass(frozen=True, slots=True)
class LeagueHistory:
    seasons: int = 0
    lines: tuple[AllTimeLine, ...] = ()
    records: tuple[LeagueRecord, ...] = ()
    champions: tuple[tuple[str, str, str, int | None], ...] = ()
    """Name and slug of the champion, then slug and number of the season, the newest first."""
    meetings: dict[tuple[int, int], JointMatches] = field(default_factory=dict)


def read_league_history(league: League) -> LeagueHistory:
    """Cached by what was counted last in any of its finished seasons."""
    seasons = list(
        Tournament.objects.filter(league=league, state=TournamentState.FINISHED)
        .defer("seed", "secret")
        .order_by("-season")[:MOST_SEASONS]
    )
    stages = list(Stage.objects.filter(tournament__in=seasons).order_by("pk"))
    counted = "-".join(f"{stage.pk}.{stage.results_version}" for stage in stages)
    key = f"league-history-{league.pk}-{hashlib.sha256(counted.encode()).hexdigest()}"
    return read_cached(key, CACHE_SECONDS, lambda: _count(seasons, stages)) if seasons else LeagueHistory()


def _count(seasons: list[Tournament], stages: list[Stage]) -> LeagueHistory:
    by_id = {season.pk: season for season in seasons}
    for stage in stages:
        stage.tournament = by_id[stage.tournament_id]
    champions = find_champions(seasons)
    lines, bests = _count_lines(seasons, stages, champions)
    players = {one.pk: one.player_id for one in Entrant.objects.filter(tournament__in=seasons).only("pk", "player_id")}
    ordered = sorted(lines.values(), key=lambda line: line.order)
    compared = {line.player_id for line in ordered[:MOST_COMPARED]}
    return LeagueHistory(
        seasons=len(seasons),
        lines=tuple(ordered[:MOST_LINES]),
        records=tuple([*_find_bests(bests), *_find_match_records(seasons)]),
        champions=tuple(
            (entrant.player.name, entrant.player.slug, season.slug, season.season)
            for season in seasons
            for entrant in champions.get(season.pk, [])
        ),
        meetings=_count_meetings(stages, players, compared),
    )


Best = tuple[float, Player, Tournament]


def _count_lines(
    seasons: list[Tournament], stages: list[Stage], champions: dict[int, list[Entrant]]
) -> tuple[dict[int, AllTimeLine], dict[str, Best]]:
    stored = {one.stage_id: one.rows for one in StageStandings.objects.filter(stage__in=stages)}
    found = Entrant.objects.filter(tournament__in=seasons).select_related("player").in_bulk()
    lines: dict[int, AllTimeLine] = {}
    bests: dict[str, Best] = {}
    taken: dict[int, set[int]] = defaultdict(set)
    last = {stage.tournament_id: stage.pk for stage in stages}
    for stage in stages:
        for row in stored.get(stage.pk, ()):
            row = {name: row["tally"][name] / UNITS for name in ("points", "wins")} | row
            player = found[row["entrant"]].player
            line = lines.setdefault(player.pk, AllTimeLine(player.pk, player.name, player.slug))
            taken[player.pk].add(stage.tournament_id)
            line.matches += row["tally"]["played"]
            line.wins += row["wins"]
            line.points += row["points"]
            if stage.pk == last[stage.tournament_id] and row["division"] in ("", "D1"):
                line.best = min(line.best or row["place"], row["place"])
            for code in ("points", "wins"):
                if row[code] > bests.get(code, (0.0,))[0]:
                    bests[code] = (row[code], player, stage.tournament)
    for player_id, line in lines.items():
        line.seasons = len(taken[player_id])
    for winners in champions.values():
        for entrant in winners:
            if entrant.player_id in lines:
                lines[entrant.player_id].titles += 1
    return lines, bests


def _find_bests(bests: dict[str, Best]) -> Iterable[LeagueRecord]:
    for code, (value, player, season) in bests.items():
        yield LeagueRecord(f"{code}_in_a_stage", value, player.name, player.slug, season.season, season.slug)


_IN_A_MATCH = """
    SELECT result.match_id, side.value, player.name, player.slug, tournament.season, tournament.slug
    FROM tournaments_tournament AS tournament
    JOIN tournaments_stage AS stage ON stage.tournament_id = tournament.id
    JOIN tournaments_fixturematch AS fm ON fm.stage_id = stage.id
    JOIN tournaments_fixture AS fixture ON fixture.id = fm.fixture_id AND fixture.state = 'settled'
    JOIN games_matchresult AS result ON result.match_id = fm.match_id AND result.forfeits = '{}'
    CROSS JOIN LATERAL unnest(result.totals) WITH ORDINALITY AS side (value, number)
    JOIN tournaments_entrant AS entrant ON entrant.id = fm.entrants[side.number]
    JOIN games_player AS player ON player.id = entrant.player_id
    WHERE tournament.id = ANY(%s)
    ORDER BY side.value DESC, result.match_id LIMIT 1
"""


def _find_match_records(seasons: list[Tournament]) -> Iterable[LeagueRecord]:
    with connection.cursor() as cursor:
        cursor.execute(_IN_A_MATCH, [[season.pk for season in seasons]])
        for match_id, value, name, slug, season, tournament in cursor.fetchall():
            yield LeagueRecord("score_in_a_match", value, name, slug, season, tournament, match_id)


def _count_meetings(
    stages: list[Stage], players: dict[int, int], compared: set[int]
) -> dict[tuple[int, int], JointMatches]:
    counted: dict[tuple[int, int], list[float]] = {}
    for stage in stages:
        for result in read_stage_results(stage, TableKind(stage.tournament.table_kind)):
            _add_result(counted, result, players, compared)
    return {pair: JointMatches(int(number), ahead) for pair, (number, ahead) in counted.items()}


def _add_result(
    counted: dict[tuple[int, int], list[float]], result: TableResult, players: dict[int, int], compared: set[int]
) -> None:
    sides = len(result.places)
    placed = {
        players[entrant]: (seat % sides, result.places[seat % sides])
        for seat, entrant in enumerate(result.entrants if sides else ())
        if players.get(entrant) in compared
    }
    for own, (side, place) in placed.items():
        for other, (others_side, others_place) in placed.items():
            if side != others_side:
                cell = counted.setdefault((own, other), [0, 0.0])
                cell[0] += 1
                cell[1] += 1.0 if place < others_place else 0.5 if place == others_place else 0.0
