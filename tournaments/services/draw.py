"""Drawing: the format decides from the tournament's seed alone; a preview to edit, take back and draw again."""

from collections.abc import Sequence
from functools import partial
from random import Random

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import N_, LeagueError, Sentence
from games.rules.deal import derive_seed
from tournaments.models import (
    Bye,
    Entrant,
    Fixture,
    FixtureSeat,
    Matchday,
    MatchdayState,
    Stage,
    Tournament,
    TournamentState,
)
from tournaments.rules.arranging import keep_pins, read_pins
from tournaments.rules.formats.format import draw_matchdays, find_clashes
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import HOUSE, Draw, Finished, ImpossibleDraw, Pairing, TableKind, Waiting
from tournaments.selectors.chance import seed_of
from tournaments.selectors.entrants import read_check_in
from tournaments.selectors.leagues import find_current_stage, format_of
from tournaments.selectors.situation import read_situation
from tournaments.services.chance import collect_beacon, mix_tournament_seed
from tournaments.services.field import field_of, seed_first_stage, set_missing_aside
from tournaments.services.lifecycle import lock_tournament, lock_tournament_for, record_event, take_step


def drop_unreleased_matchdays(stage: Stage) -> int:
    """Delete the previews of a stage; the caller holds the tournament's lock."""
    drawn = Matchday.objects.filter(stage=stage, state=MatchdayState.DRAWN)
    FixtureSeat.objects.filter(fixture__matchday__in=drawn).delete()
    numbers = list(drawn.values_list("number", flat=True))
    drawn.delete()
    return len(numbers)


@transaction.atomic
def swap_entrants(
    *, matchday_id: int, first: int, second: int, actor: User | None = None, reason: str = ""
) -> Matchday:
    """Let two entrants of a matchday change places, at one table, two tables, or a table and a bye."""
    matchday = Matchday.objects.select_related("stage").filter(pk=matchday_id).first()
    if matchday is None:
        raise LeagueError("no_matchday", N_("There is no matchday %(number)s."), status=404, number=matchday_id)
    tournament = lock_tournament_for(matchday.stage.tournament_id, Step.EDIT_DRAW)
    matchday.refresh_from_db()
    if matchday.state != MatchdayState.DRAWN:
        raise LeagueError("already_released", N_("This matchday is released; its tables stand."), status=409)
    if first == second:
        return matchday
    _require_unpinned(matchday, first, second)
    places = [_find_place(matchday, entrant) for entrant in (first, second)]
    for place, entrant in zip(places, (second, first), strict=True):
        place.entrant_id = entrant
    _save_places(places)
    _require_apart(tournament, matchday)
    _mark(matchday, places)
    detail = {"stage": matchday.stage.number, "matchday": matchday.number, "entrants": [first, second]}
    record_event(tournament, "draw_edited", actor=actor, reason=reason, detail=detail)
    return matchday


def _require_unpinned(matchday: Matchday, *entrants: int) -> None:
    held = FixtureSeat.objects.filter(fixture__matchday=matchday, entrant__in=entrants)
    tables = set(held.values_list("fixture__table", flat=True))
    for pin in read_pins(matchday.stage.pins):
        if pin.matchday == matchday.number and pin.table in tables:
            raise LeagueError(
                "table_pinned",
                N_("Table %(table)s is pinned: nobody changes places there."),
                N_("Let it go first."),
                status=409,
                table=pin.table,
            )


def _find_place(matchday: Matchday, entrant: int) -> FixtureSeat | Bye:
    seat = FixtureSeat.objects.filter(fixture__matchday=matchday, entrant_id=entrant).first()
    place = seat or Bye.objects.filter(matchday=matchday, entrant_id=entrant).first()
    if place is None:
        name = Entrant.objects.filter(pk=entrant).values_list("player__name", flat=True).first()
        raise LeagueError(
            "not_on_matchday", N_("%(name)s has no place on this matchday."), name=name or Sentence(N_("That entrant"))
        )
    return place


def _save_places(places: list[FixtureSeat | Bye]) -> None:
    # Two byes have nothing to swap, and their constraint would see one entrant twice in between.
    if all(isinstance(place, Bye) for place in places):
        raise LeagueError("nothing_to_swap", N_("Both have a bye on this matchday."))
    for place in places:
        place.save(update_fields=("entrant",))


def _require_apart(tournament: Tournament, matchday: Matchday) -> None:
    kind = TableKind(tournament.table_kind)
    pairings = []
    for fixture in matchday.fixtures.prefetch_related("seats").order_by("table"):
        entrants = [seat.entrant_id or HOUSE for seat in fixture.seats.all()]
        pairings.append(Pairing(fixture.table, kind.seat(entrants)))
    clashes = find_clashes(read_situation(tournament, matchday.stage), kind, pairings)
    if clashes:
        names = Entrant.objects.filter(id__in=clashes[0]).order_by("id").values_list("player__name", flat=True)
        raise LeagueError(
            "cannot_keep_apart",
            N_("%(names)s must be kept apart, but would meet."),
            N_("One owner never meets itself at a rated table, and the organiser's pairs never meet."),
            status=409,
            names=" and ".join(names),
        )


def _mark(matchday: Matchday, places: list[FixtureSeat | Bye]) -> None:
    matchday.is_edited = True
    matchday.save(update_fields=("is_edited",))
    touched = [place.fixture_id for place in places if isinstance(place, FixtureSeat)]
    Fixture.objects.filter(id__in=touched).update(is_edited=True)


def draw_tournament(*, tournament_id: int, actor: User | None = None) -> Tournament:
    """Close the entries and draw the first stage; drawing again from the same entries gives the same draw."""
    collect_beacon(tournament_id=tournament_id)
    return _draw(tournament_id, actor)


@transaction.atomic
def _draw(tournament_id: int, actor: User | None) -> Tournament:
    tournament = lock_tournament_for(tournament_id, Step.DRAW)
    stage = find_current_stage(tournament)
    mix_tournament_seed(tournament, actor)
    drop_unreleased_matchdays(stage)
    _require_enough_there(tournament)
    set_missing_aside(tournament, actor)
    by_lots = seed_first_stage(tournament, stage)
    draws, _ = draw_stage(tournament, stage)
    if not draws:
        sentence = N_("Nothing can be drawn from this field.")
        raise LeagueError("empty_draw", sentence, N_("Let more players enter."), status=409)
    store_draws(stage, draws)
    take_step(tournament, Step.DRAW)
    before = tournament.events.filter(kind="drawn").count()
    detail = {**field_of(stage), "lots": by_lots, "matchdays": len(draws), "draw": before + 1}
    record_event(tournament, "drawn", actor=actor, detail=detail)
    return tournament


def _require_enough_there(tournament: Tournament) -> None:
    told = read_check_in(tournament)
    if told and told.done < TableKind(tournament.table_kind).entrants <= told.expected:
        raise LeagueError(
            "not_checked_in",
            N_("%(done)s of %(expected)s entrants have checked in: too few for one table."),
            N_("Check them in at the desk, or wait for them."),
            status=409,
            done=told.done,
            expected=told.expected,
        )


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


def draw_stage(tournament: Tournament, stage: Stage) -> tuple[list[Draw], Waiting | Finished | None]:
    """As many matchdays as the format can draw now, and what it said when it could draw no more."""
    made = format_of(tournament, stage)
    situation = read_situation(tournament, stage)
    if not situation.history and (problems := made.find_problems(situation)):
        raise LeagueError(problems[0].code, problems[0].sentence, status=409)
    try:
        return draw_matchdays(made, situation, partial(draw_chance, tournament, stage))
    except ImpossibleDraw as impossible:
        raise LeagueError(impossible.problem.code, impossible.problem.sentence, status=409) from None


def draw_chance(tournament: Tournament, stage: Stage, matchday: int) -> Random:
    """The generator of one draw, the same whenever it is drawn again."""
    seed = derive_seed(seed_of(tournament), f"draw {stage.number} {matchday}")
    return Random(int.from_bytes(seed, "big"))


def store_draws(stage: Stage, draws: Sequence[Draw]) -> list[Matchday]:
    """Write draws as matchdays that are not released yet, with pinned tables as they were."""
    kept = [keep_pins(draw, read_pins(stage.pins)) for draw in draws]
    draws, edited = [draw for draw, _tables in kept], [tables for _draw, tables in kept]
    days = Matchday.objects.bulk_create(
        [
            Matchday(stage=stage, number=draw.matchday, is_edited=bool(tables))
            for draw, tables in zip(draws, edited, strict=True)
        ]
    )
    touched = {(day.number, table) for day, tables in zip(days, edited, strict=True) for table in tables}
    pairings = [(day, pairing) for day, draw in zip(days, draws, strict=True) for pairing in draw.pairings]
    fixtures = Fixture.objects.bulk_create(
        [
            Fixture(
                matchday=day,
                table=pairing.table,
                slot=pairing.slot,
                why=[[reason.code, list(reason.numbers)] for reason in pairing.why],
                is_edited=(day.number, pairing.table) in touched,
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
