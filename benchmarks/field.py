"""A large field for benchmarks: a tournament that is nearly over, its results copied from matches that were played.

Everything a page or a rebuild reads is there: fixtures by the real schedule, matches with seed and log, ratings and
standings made by the site's own services. Only who won which match was drawn by lot, from strengths of its own.
"""

import uuid
from collections.abc import Iterator

import numpy as np
from django.db import connection, transaction

from games.models import MatchKind, MatchResult, RunnerNeed
from games.play.agents import AgentRef
from games.rules.ruleset import Ruleset
from games.services.create import MatchPlan, SeatPlan, create_matches, new_seed
from games.services.play import play_ready_matches
from tournaments.models import RatingPool, Stage, StageState, Tournament, TournamentState
from tournaments.rules.formats.round_robin import plan_schedule
from tournaments.rules.pairing import TableKind
from tournaments.rules.ratings.values import PoolKey
from tournaments.selectors.leagues import find_current_stage
from tournaments.services.chance import mix_tournament_seed
from tournaments.services.entries import enter_players
from tournaments.services.field import ensure_house_organiser, ensure_house_players, seed_first_stage
from tournaments.services.leagues import create_league, create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.ratings import fit_due_pools, lock_pools
from tournaments.services.rebuild import rebuild_pool
from tournaments.services.results import refresh_standings

MODELS_PLAYED = 200
CHANCE_SEED = 20260101

TableRow = tuple[int, int, int, int, int, int]
"""Matchday, table, three entrants, and the match whose course they take; 0 where it is still to be played."""

_TABLES = "CREATE TEMP TABLE bench_table (day int, number int, entrants bigint[], model bigint) ON COMMIT DROP"
_NUMBER = """
    CREATE TEMP TABLE bench_match ON COMMIT DROP AS
    SELECT t.*, nextval('games_match_id_seq') AS match_id, nextval('tournaments_fixture_id_seq') AS fixture_id,
           now() - make_interval(secs => (max(day) OVER () - day) * 60) AS at
    FROM (SELECT * FROM bench_table ORDER BY day, number) AS t
"""
_FILL = (
    """
    INSERT INTO tournaments_matchday (stage_id, number, state, is_edited, released_at, finished_at)
    SELECT %(stage)s, day, CASE WHEN bool_and(model > 0) THEN 'finished' ELSE 'released' END, FALSE, min(at),
           CASE WHEN bool_and(model > 0) THEN max(at) END
    FROM bench_match GROUP BY day ORDER BY day
    """,
    """
    INSERT INTO tournaments_fixture (id, matchday_id, "table", slot, why, state, places, open_matches, is_edited)
    SELECT b.fixture_id, day.id, b.number, '', jsonb_build_array(jsonb_build_array('lap', jsonb_build_array(1, b.day))),
           CASE WHEN b.model > 0 THEN 'settled' ELSE 'pending' END, COALESCE(r.places, '{}'),
           CASE WHEN b.model > 0 THEN 0 ELSE 1 END, FALSE
    FROM bench_match AS b
    JOIN tournaments_matchday AS day ON day.stage_id = %(stage)s AND day.number = b.day
    LEFT JOIN games_matchresult AS r ON r.match_id = b.model
    """,
    """
    INSERT INTO tournaments_fixtureseat (fixture_id, position, entrant_id)
    SELECT fixture_id, place - 1, entrant FROM bench_match, unnest(entrants) WITH ORDINALITY AS u (entrant, place)
    """,
    """
    INSERT INTO games_match (id, kind, ruleset, players, is_rated, state, priority, needs, seed, commitment, deals, log,
                             clocks, awaited, attempt, claimed_with, is_suspect, trouble, created_at, started_at,
                             finished_at)
    SELECT b.match_id, 'tournament', m.ruleset, m.players, TRUE, CASE WHEN b.model > 0 THEN 'finished' ELSE 'ready' END,
           0, m.needs, m.seed, m.commitment, gen_random_uuid(), '', '{}', '{}', 0, 1, FALSE, '', b.at,
           CASE WHEN b.model > 0 THEN b.at END, CASE WHEN b.model > 0 THEN b.at END
    FROM bench_match AS b JOIN games_match AS m ON m.id = CASE WHEN b.model > 0 THEN b.model ELSE %(any)s END
    """,
    """
    INSERT INTO games_matchseat (match_id, seat, side, player_id, agent)
    SELECT b.match_id, u.place - 1, u.place - 1, p.id, 'house:' || split_part(substr(p.slug, 7), '_', 1)
    FROM bench_match AS b, unnest(b.entrants) WITH ORDINALITY AS u (entrant, place)
    JOIN tournaments_entrant AS e ON e.id = u.entrant JOIN games_player AS p ON p.id = e.player_id
    """,
    """
    INSERT INTO tournaments_fixturematch (fixture_id, match_id, stage_id, number, entrants)
    SELECT fixture_id, match_id, %(stage)s, 1, entrants FROM bench_match
    """,
    """
    INSERT INTO games_matchresult (match_id, places, nuggets, totals, exact_bids, bids, tricks, gold_points, forfeits,
                                   rounds, ends, first_seat, lots, log, cpu_us, is_by_hand, settled_at)
    SELECT b.match_id, r.places, r.nuggets, r.totals, r.exact_bids, r.bids, r.tricks, r.gold_points, r.forfeits,
           r.rounds, r.ends, r.first_seat, r.lots, r.log, r.cpu_us, FALSE, b.at
    FROM bench_match AS b JOIN games_matchresult AS r ON r.match_id = b.model
    """,
)


def fill_site(*, entrants: int, matches: int, tournaments: int = 1) -> Tournament:
    """A league with so many such tournaments of one field, and so many matches in all; the last tournament."""
    organiser = ensure_house_organiser()
    league = create_league(name="Bench League", organiser=organiser)
    ensure_house_players()
    ensure_house_players({"random": entrants // 2, "greedy": entrants - entrants // 2})
    models = _play_models()
    days = max(1, round(matches / tournaments / (entrants // 3)))
    for number in range(1, tournaments + 1):
        stage = {"format": "round_robin", "options": {"meetings": 1, "matchdays": days + 1}}
        spec = {"name": f"Bench Season {number}", "stages": [stage]}
        tournament = create_tournament(spec=spec, organiser=organiser, league=league)
        _enter_field(tournament, entrants)
        _fill_tournament(tournament, models, days)
    _rate_and_rank(tournament)
    return tournament


def _play_models() -> dict[tuple[int, ...], list[int]]:
    """Matches that were really played, by their places; those with shared places are left out."""
    seats = tuple(SeatPlan(player, AgentRef.parse("house:random")) for player in ensure_house_players({"random": 3}))
    plans = [MatchPlan(Ruleset(), seats, new_seed(), uuid.uuid4()) for _ in range(MODELS_PLAYED)]
    ids = create_matches(plans=plans, kind=MatchKind.QUALIFICATION, is_rated=False)
    play_ready_matches(needs=RunnerNeed.HOUSE, seconds=60)
    models: dict[tuple[int, ...], list[int]] = {}
    for match_id, places in MatchResult.objects.filter(match__in=ids).values_list("match_id", "places"):
        models.setdefault(tuple(places), []).append(match_id)
    return models


def _enter_field(tournament: Tournament, entrants: int) -> None:
    players = ensure_house_players({"random": entrants // 2, "greedy": entrants - entrants // 2})
    open_tournament(tournament_id=tournament.pk)
    enter_players(tournament_id=tournament.pk, players=players)


@transaction.atomic
def _fill_tournament(tournament: Tournament, models: dict[tuple[int, ...], list[int]], days: int) -> None:
    stage = find_current_stage(tournament)
    mix_tournament_seed(tournament, None)
    seed_first_stage(tournament, stage)
    some_model = next(iter(models.values()))[0]
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        with cursor.copy("COPY bench_table (day, number, entrants, model) FROM STDIN") as copy:
            for day, number, *seated, model in _list_tables(stage, models, days):
                copy.write_row((day, number, seated, model))
        cursor.execute(_NUMBER)
        for statement in _FILL:
            cursor.execute(statement, {"stage": stage.pk, "any": some_model})
    Stage.objects.filter(pk=stage.pk).update(state=StageState.PLAYING, results_version=1)
    Tournament.objects.filter(pk=tournament.pk).update(state=TournamentState.PLAYING, started_at=tournament.created_at)


def _list_tables(stage: Stage, models: dict[tuple[int, ...], list[int]], days: int) -> Iterator[TableRow]:
    """Every table of the schedule, those of the last matchday still to be played."""
    chance = np.random.default_rng(CHANCE_SEED)
    strength = dict(zip(stage.field, chance.normal(0.0, 1.0, len(stage.field)).tolist(), strict=True))
    schedule = plan_schedule(TableKind.SOLO3, 1, len(stage.field), days + 1)
    for day, tables in enumerate(schedule, start=1):
        for number, slots in enumerate(tables, start=1):
            first, second, third = (stage.field[slot - 1] for slot in slots)
            shown = [strength[entrant] for entrant in (first, second, third)] + chance.gumbel(size=3)
            places = tuple(int(1 + (shown > one).sum()) for one in shown)
            candidates = models[places]
            model = candidates[int(chance.integers(len(candidates)))] if day <= days else 0
            yield day, number, first, second, third, model


def _rate_and_rank(tournament: Tournament) -> None:
    """Ratings and standings of what was filled in, and the statistics that the planner of queries goes by."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with transaction.atomic():
        lock_pools([PoolKey(3, False, "bots")])
    for pool in RatingPool.objects.all():
        rebuild_pool(pool_id=pool.pk)
    fit_due_pools()
    for stage in Stage.objects.filter(tournament__league=tournament.league_id):
        refresh_standings(stage_id=stage.pk, is_final=True)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
