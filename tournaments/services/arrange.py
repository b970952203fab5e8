"""Arranging an event by hand: tables pinned, matchdays swapped and moved, rests by wish, events merged and split; and
looking at any deed before it is done."""

from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.urls import reverse

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import tell
from games.models import Match, MatchState
from tournaments.models import (
    Bye,
    Entrant,
    EntrantState,
    Fixture,
    FixtureSeat,
    Matchday,
    MatchdayState,
    Stage,
    Tournament,
    TournamentState,
)
from tournaments.rules.arranging import Pin, read_pins
from tournaments.rules.formats import FORMATS
from tournaments.rules.lifecycle import Step
from tournaments.rules.pairing import HOUSE
from tournaments.selectors.board import PlacesChange, can_swap_days, compare_places, read_places
from tournaments.selectors.entrants import list_people
from tournaments.selectors.leagues import find_current_stage, next_unreleased_matchday, spec_of
from tournaments.services.draw import draw_tournament, drop_unreleased_matchdays, swap_entrants
from tournaments.services.entries import enter_players, withdraw_entrant
from tournaments.services.field import IN_FIELD, find_entrant
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import (
    cancel_tournament,
    lock_tournament,
    lock_tournament_for,
    nudge_tournament_on_commit,
    open_tournament,
    read_now,
    record_event,
)
from tournaments.services.timetable import say_time


def look_at(tournament: Tournament, deed: Callable[[], object]) -> list[PlacesChange]:
    """What a deed would change for whom: it is done and undone again, so that nothing can differ from doing it.

    A deed that is refused raises what it raises.
    """
    with transaction.atomic():
        before = read_places(tournament)
        deed()
        after = read_places(tournament)
        transaction.set_rollback(True)
    return compare_places(before, after)


@transaction.atomic
def pin_table(*, fixture_id: int, is_pinned: bool = True, actor: User | None = None) -> bool:
    """Keep a table as it is through every further draw and swap, or let it go; whether anything changed."""
    found = Fixture.objects.filter(pk=fixture_id).values_list("matchday__stage__tournament", flat=True).first()
    if found is None:
        raise LeagueError("no_table", N_("There is no such table."), status=404)
    tournament = lock_tournament_for(found, Step.EDIT_DRAW)
    fixture = Fixture.objects.select_related("matchday__stage").filter(pk=fixture_id).first()
    if fixture is None or fixture.matchday.state != MatchdayState.DRAWN:
        raise LeagueError("already_released", N_("This matchday is released; its tables stand."), status=409)
    stage, day = fixture.matchday.stage, fixture.matchday.number
    pins = read_pins(stage.pins)
    others = [pin for pin in pins if not pin.is_of(day, fixture.table)]
    if is_pinned == (len(others) < len(pins)):
        return False
    if is_pinned:
        seats = FixtureSeat.objects.filter(fixture=fixture).order_by("position").values_list("entrant_id", flat=True)
        sitting = tuple(entrant or HOUSE for entrant in seats)
        if HOUSE in sitting or FORMATS[stage.format].has_bracket:
            raise LeagueError(
                "cannot_pin",
                N_("Tables of a bracket, and those that a house bot fills, cannot be pinned."),
                status=409,
            )
        others.append(Pin(day, fixture.table, sitting))
    stage.pins = [pin.tell() for pin in others]
    stage.save(update_fields=("pins",))
    detail = {"stage": stage.number, "matchday": day, "table": fixture.table, "is_pinned": is_pinned}
    record_event(tournament, "table_pinned", actor=actor, detail=detail)
    return True


@transaction.atomic
def swap_matchdays(*, stage_id: int, first: int, second: int, actor: User | None = None, reason: str = "") -> bool:
    """Let two drawn matchdays change places, tables, rests and pins; whether anything changed."""
    stage = _find_stage(stage_id)
    tournament = lock_tournament_for(stage.tournament_id, Step.EDIT_DRAW)
    stage.refresh_from_db()
    if not can_swap_days(stage):
        raise LeagueError(
            "days_follow_results",
            N_("These matchdays follow from results, so that they cannot change places."),
            N_("Move the time of one instead."),
            status=409,
        )
    days = {day.number: day for day in stage.matchdays.filter(number__in=(first, second), state=MatchdayState.DRAWN)}
    if len(days) < len({first, second}):
        raise LeagueError("no_matchday", N_("Both matchdays must be drawn, and not be released yet."), status=409)
    if first == second:
        return False
    last = stage.matchdays.order_by("-number").values_list("number", flat=True)[0]
    for day, number in ((days[first], last + 1), (days[second], first), (days[first], second)):
        Matchday.objects.filter(pk=day.pk).update(number=number, is_edited=True)
    exchanged = {first: second, second: first}
    pins = [Pin(exchanged.get(pin.matchday, pin.matchday), pin.table, pin.entrants) for pin in read_pins(stage.pins)]
    stage.pins = [pin.tell() for pin in pins]
    stage.save(update_fields=("pins",))
    detail = {"stage": stage.number, "matchdays": [first, second]}
    record_event(tournament, "matchdays_swapped", actor=actor, reason=reason, detail=detail)
    return True


@transaction.atomic
def move_matchday(
    *, stage_id: int, number: int, at: datetime | None, actor: User | None = None, reason: str = ""
) -> Stage:
    """Play a matchday at another time, or with None when the rhythm says; who plays is told. Twice changes nothing.

    The time to meet of its tables that nobody has begun lasts until then at least.
    """
    stage = _find_stage(stage_id)
    tournament = lock_tournament_for(stage.tournament_id, Step.SET_TIMES)
    stage.refresh_from_db()
    day = stage.matchdays.filter(number=number).first()
    if number < 1 or (day and day.state == MatchdayState.FINISHED):
        raise LeagueError("no_matchday", N_("This matchday has been played."), status=409)
    if at is not None and at <= read_now():
        raise LeagueError("bad_times", N_("A matchday is moved to a time that is still to come."))
    moved = {key: value for key, value in stage.moved.items() if key != str(number)}
    if at is not None:
        moved[str(number)] = at.isoformat()
    if moved == stage.moved:
        return stage
    stage.moved = moved
    stage.save(update_fields=("moved",))
    times = {"matchday": number, "at": at.isoformat() if at else None}
    record_event(tournament, "times_set", actor=actor, reason=reason, detail={"stage": stage.number, "times": times})
    if day is not None and at is not None:
        _open_until(day, at)
        _tell_moved(tournament, day, at)
    nudge_tournament_on_commit(tournament.id)
    return stage


def _open_until(day: Matchday, at: datetime) -> None:
    waiting = Match.objects.filter(fixture_match__fixture__matchday=day, state=MatchState.OPEN)
    waiting.filter(closes_at__isnull=False).update(closes_at=Greatest(F("closes_at"), at))


def _tell_moved(tournament: Tournament, day: Matchday, at: datetime) -> None:
    tell(
        list_people(tournament.entrants.filter(Q(fixture_seats__fixture__matchday=day)).distinct()),
        kind="postponed",
        subject=N_("A matchday is moved: %(tournament)s"),
        text=N_("Matchday %(day)s is now played at %(when)s."),
        url=reverse("tournament_schedule", args=[tournament.slug]),
        tournament=tournament.name,
        day=day.number,
        when=say_time(at, tournament.time_zone),
    )


def _find_stage(stage_id: int) -> Stage:
    stage = Stage.objects.select_related("tournament").filter(pk=stage_id).first()
    if stage is None:
        raise LeagueError("no_stage", N_("There is no stage %(number)s."), status=404, number=stage_id)
    return stage


@transaction.atomic
def rest_entrant(
    *, entrant_id: int, matchday: int, is_resting: bool = True, actor: User | None = None, reason: str = ""
) -> Entrant:
    """Let an entrant rest on a matchday, as they wish, or play after all. Running twice changes nothing.

    Where matchdays follow from results they are not drawn for it, and no points are given. In a schedule that is drawn
    whole they change places with somebody who rests on that day.
    """
    entrant = find_entrant(entrant_id)
    tournament = lock_tournament_for(entrant.tournament_id, Step.REST)
    entrant.refresh_from_db()
    stage = find_current_stage(tournament)
    if entrant.state not in IN_FIELD:
        raise LeagueError("has_left", N_("%(entrant)s has left this tournament."), status=409, entrant=entrant)
    made = FORMATS[stage.format]
    if made.has_bracket or made.runs_on:
        raise LeagueError("no_rests", N_("In this format nobody can ask for a rest."), status=409)
    if matchday < next_unreleased_matchday(stage):
        raise LeagueError("already_released", N_("This matchday is released; its tables stand."), status=409)
    if not made.needs_results:
        if is_resting:
            _change_with_resting(stage, entrant, matchday, actor, reason)
        return entrant
    wished = set(entrant.rests) | {matchday} if is_resting else set(entrant.rests) - {matchday}
    if wished == set(entrant.rests):
        return entrant
    entrant.rests = sorted(wished)
    entrant.save(update_fields=("rests",))
    detail = {"entrant": entrant.pk, "matchday": matchday, "is_resting": is_resting}
    record_event(tournament, "rest_wished", actor=actor, reason=reason, detail=detail)
    if tournament.state == TournamentState.DRAWN:
        draw_tournament(tournament_id=tournament.pk, actor=actor)
    elif drop_unreleased_matchdays(stage):
        nudge_tournament_on_commit(tournament.pk)
    return entrant


def _change_with_resting(stage: Stage, entrant: Entrant, matchday: int, actor: User | None, reason: str) -> None:
    day = Matchday.objects.filter(stage=stage, number=matchday, state=MatchdayState.DRAWN).first()
    if day is None:
        raise LeagueError(
            "no_matchday", N_("This schedule is drawn whole."), N_("Draw it first, then ask for a rest."), status=409
        )
    resting = list(Bye.objects.filter(matchday=day).order_by("id").values_list("entrant_id", flat=True))
    if entrant.pk in resting:
        return
    refused: LeagueError | None = None
    for other in resting:
        try:
            with transaction.atomic():
                swap_entrants(matchday_id=day.pk, first=entrant.pk, second=other, actor=actor, reason=reason)
            return
        except LeagueError as error:
            refused = error
    raise refused or LeagueError(
        "nobody_rests",
        N_("Nobody rests on matchday %(day)s, so that nobody can take the place."),
        N_("Swap the matchday with another, or postpone the table."),
        status=409,
        day=matchday,
    )


@transaction.atomic
def merge_tournaments(*, tournament_id: int, other_id: int, actor: User | None = None, reason: str = "") -> int:
    """Take everybody of another open event into this one, in the order they entered; the other is cancelled.

    All of them or, where one may not enter here, none. How many came.
    """
    for one in sorted((tournament_id, other_id)):
        lock_tournament(one)
    tournament, other = (lock_tournament_for(one, Step.ENTER) for one in (tournament_id, other_id))
    if tournament == other or tournament.table_kind != other.table_kind:
        raise LeagueError("cannot_merge", N_("Two open events for the same kind of table can be merged."), status=409)
    here = (*IN_FIELD, EntrantState.WAITING, EntrantState.ABSENT)
    coming = list(other.entrants.filter(state__in=here).select_related("player__team").order_by("entered_at", "id"))
    told = list_people(other.entrants.filter(state__in=here))
    entered = enter_players(tournament_id=tournament.pk, players=[one.player for one in coming], actor=actor)
    there = {one.player_id for one in coming if one.state == EntrantState.CHECKED_IN}
    if tournament.needs_check_in:
        arrived = [one.pk for one in entered if one.state == EntrantState.ENTERED and one.player_id in there]
        tournament.entrants.filter(pk__in=arrived).update(state=EntrantState.CHECKED_IN)
    cancel_tournament(tournament_id=other.pk, actor=actor, reason=reason)
    detail = {"tournament": other.pk, "count": len(coming)}
    record_event(tournament, "merged", actor=actor, reason=reason, detail=detail)
    _tell_moved_over(told, other, tournament)
    return len(coming)


@transaction.atomic
def split_tournament(
    *, tournament_id: int, name: str, count: int, actor: User | None = None, reason: str = ""
) -> Tournament:
    """Move so many entrants to a new event of the same kind, which is open; strength is dealt out to and fro."""
    tournament = lock_tournament_for(tournament_id, Step.ENTER)
    field = list(
        tournament.entrants.filter(state__in=IN_FIELD)
        .select_related("player__team")
        .order_by(F("seed_number").asc(nulls_last=True), "id")
    )
    if not 0 < count < len(field):
        raise LeagueError(
            "bad_split", N_("From 1 to %(most)s entrants can go."), status=400, most=max(1, len(field) - 1)
        )
    going = [field[index] for index in choose_going(len(field), count)]
    organiser = tournament.organiser
    made = create_tournament(spec=spec_of(tournament) | {"name": name}, organiser=organiser)
    Tournament.objects.filter(pk=made.pk).update(
        **{one: getattr(tournament, one) for one in ("time_zone", "starts_at", "is_unlisted", "entry_rules")}
    )
    open_tournament(tournament_id=made.pk, actor=actor)
    told = list_people(tournament.entrants.filter(pk__in=[one.pk for one in going]))
    for entrant in going:
        withdraw_entrant(entrant_id=entrant.pk, actor=actor, reason=name)
    enter_players(tournament_id=made.pk, players=[one.player for one in going], actor=actor)
    record_event(tournament, "split", actor=actor, reason=reason, detail={"tournament": made.pk, "count": count})
    _tell_moved_over(told, tournament, made)
    return made


def choose_going(entrants: int, count: int) -> list[int]:
    """Which of a field in order of seeds go: spread evenly over it, neither the first nor the last of each part."""
    return [(2 * number + 1) * entrants // (2 * count) for number in range(count)]


def _tell_moved_over(people: list[User], left: Tournament, joined: Tournament) -> None:
    tell(
        people,
        kind="moved_up",
        subject=N_("You take part in %(tournament)s"),
        text=N_("The organiser has moved you from %(left)s to %(tournament)s."),
        url=reverse("tournament_entrants", args=[joined.slug]),
        tournament=joined.name,
        left=left.name,
    )
