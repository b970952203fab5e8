"""Drawing: the format decides, from the tournament's seed alone, and what it decided is stored as a preview."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import LeagueError
from games.rules.deal import derive_seed
from tournaments.models import Bye, Fixture, FixtureSeat, Matchday, Stage, Tournament, TournamentState
from tournaments.rules.format_options import draws_ahead
from tournaments.rules.formats.situation import PastMatchday
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import HOUSE, Draw, Finished, ImpossibleDraw, Waiting
from tournaments.selectors.situation import read_situation
from tournaments.selectors.stages import find_current_stage, format_of
from tournaments.services.events import record_event
from tournaments.services.lifecycle import lock_tournament, lock_tournament_for, take_step
from tournaments.services.seeding import seed_first_stage
from tournaments.services.undraw import drop_unreleased_matchdays

MOST_MATCHDAYS_AHEAD = 2000


@transaction.atomic
def draw_tournament(*, tournament_id: int, actor: User | None = None) -> Tournament:
    """Close the entries and draw the first stage; drawing again from the same entries gives the same draw."""
    tournament = lock_tournament_for(tournament_id, Step.DRAW)
    stage = find_current_stage(tournament)
    drop_unreleased_matchdays(stage)
    seed_first_stage(tournament, stage)
    draws, _ = draw_ahead(tournament, stage)
    if not draws:
        sentence = "Nothing can be drawn from this field."
        raise LeagueError("empty_draw", sentence, "Let more players enter.", status=409)
    store_draws(stage, draws)
    take_step(tournament, Step.DRAW)
    record_event(tournament, "drawn", actor=actor, detail={"stage": stage.number, "matchdays": len(draws)})
    return tournament


@transaction.atomic
def reopen_tournament(*, tournament_id: int, actor: User | None = None) -> Tournament:
    """Drop the preview and let players enter again."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.OPEN:
        return tournament
    take_step(tournament, Step.REOPEN)
    drop_unreleased_matchdays(find_current_stage(tournament))
    record_event(tournament, "reopened", actor=actor)
    return tournament


def draw_ahead(tournament: Tournament, stage: Stage) -> tuple[list[Draw], Waiting | Finished | None]:
    """As many matchdays as the format can draw now, and what it said when it could draw no more.

    A format that goes by results or runs on draws one at a time, so that each is drawn from the latest results.
    """
    made = format_of(tournament, stage)
    situation = read_situation(tournament, stage)
    if not situation.history and (problems := made.find_problems(situation)):
        raise LeagueError(problems[0].code, problems[0].sentence, status=409)
    is_planned = draws_ahead(made, len(situation.entries))
    draws: list[Draw] = []
    while len(draws) < MOST_MATCHDAYS_AHEAD:
        try:
            drawn = made.draw(situation, draw_chance(tournament, stage, situation.matchday))
        except ImpossibleDraw as impossible:
            raise LeagueError(impossible.problem.code, str(impossible), status=409) from None
        if not isinstance(drawn, Draw):
            return draws, drawn
        if not drawn.pairings and not is_planned:
            return draws, Waiting(situation.pending_tables())
        draws.append(drawn)
        if not is_planned:
            break
        situation = replace(situation, history=(*situation.history, PastMatchday.from_draw(drawn)))
    return draws, None


def draw_chance(tournament: Tournament, stage: Stage, matchday: int) -> Random:
    """The generator of one draw, the same whenever it is drawn again."""
    seed = derive_seed(bytes(tournament.seed), f"draw {stage.number} {matchday}")
    return Random(int.from_bytes(seed, "big"))


def store_draws(stage: Stage, draws: Sequence[Draw]) -> list[Matchday]:
    """Write draws as matchdays that are not released yet."""
    days = Matchday.objects.bulk_create([Matchday(stage=stage, number=draw.matchday) for draw in draws])
    pairings = [(day, pairing) for day, draw in zip(days, draws, strict=True) for pairing in draw.pairings]
    fixtures = Fixture.objects.bulk_create(
        [
            Fixture(
                matchday=day,
                table=pairing.table,
                slot=pairing.slot,
                why=[[reason.code, list(reason.numbers)] for reason in pairing.why],
            )
            for day, pairing in pairings
        ],
        batch_size=5000,
    )
    FixtureSeat.objects.bulk_create(
        [
            FixtureSeat(fixture=fixture, position=position, entrant_id=None if entrant == HOUSE else entrant)
            for fixture, (_, pairing) in zip(fixtures, pairings, strict=True)
            for position, entrant in enumerate(pairing.entrants)
        ],
        batch_size=10_000,
    )
    Bye.objects.bulk_create(
        [Bye(matchday=day, entrant_id=entrant) for day, draw in zip(days, draws, strict=True) for entrant in draw.byes]
    )
    return days
