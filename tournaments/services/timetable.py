"""Keeping time: what an organiser sets, the steps the site takes of its own when they are due, and reminders."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.urls import reverse

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.telling import tell
from games.models import Match, MatchState
from games.selectors.matches import untouched_matches
from tournaments.models import EntrantState, Fixture, FixtureState, Release, Stage, Tournament, TournamentState
from tournaments.rules.lifecycle import Step
from tournaments.selectors.entrants import is_check_in_open, list_people
from tournaments.selectors.timetable import MOMENTS, Timetable, check_timetable, check_zone, find_due_step, timetable_of
from tournaments.services.announcements import tell_due_announcements
from tournaments.services.draw import draw_tournament
from tournaments.services.field import close_check_in
from tournaments.services.lifecycle import (
    lock_tournament,
    lock_tournament_for,
    nudge_tournament_on_commit,
    open_tournament,
    read_now,
    record_event,
)
from tournaments.services.release import start_tournament

log = structlog.get_logger()

DEEDS = {Step.OPEN: open_tournament, Step.DRAW: draw_tournament, Step.START: start_tournament}
REMINDED = "reminded"
BEFORE_START = timedelta(days=1)
"""How long before the start everybody is reminded of it."""


@transaction.atomic
def set_timetable(*, tournament_id: int, timetable: Timetable, time_zone: str, actor: User | None = None) -> Tournament:
    """Say when what happens; only what is still to come can be changed. The same twice changes nothing."""
    tournament = lock_tournament_for(tournament_id, Step.SET_TIMES)
    check_zone(time_zone)
    check_timetable(timetable)
    wanted = {name: getattr(timetable, name) for name in (*MOMENTS, "runs_itself")} | {"time_zone": time_zone}
    changed = [name for name, value in wanted.items() if getattr(tournament, name) != value]
    if changed:
        for name in changed:
            setattr(tournament, name, wanted[name])
        tournament.save(update_fields=changed)
        detail = {name: _say(wanted[name]) for name in changed}
        record_event(tournament, "times_set", actor=actor, detail={"times": detail})
    return tournament


@transaction.atomic
def set_rhythm(
    *,
    stage_id: int,
    first_at: datetime | None,
    every_minutes: int,
    is_timed: bool,
    actor: User | None = None,
) -> Stage:
    """Say when the matchdays of a stage are played, and whether each is released at its time."""
    stage = Stage.objects.select_related("tournament").get(pk=stage_id)
    tournament = lock_tournament_for(stage.tournament_id, Step.SET_TIMES)
    stage.refresh_from_db()
    if is_timed and first_at is None:
        raise LeagueError("bad_times", N_("Matchdays released at their times need the time of the first."))
    before = (stage.first_at, stage.every_minutes, stage.release)
    stage.first_at, stage.every_minutes = first_at, every_minutes
    if is_timed:
        stage.release = Release.TIMED
    elif stage.release == Release.TIMED:
        stage.release = Release.MATCHDAY
    if before != (stage.first_at, stage.every_minutes, stage.release):
        stage.save(update_fields=("first_at", "every_minutes", "release"))
        times = {"first_at": _say(first_at), "every_minutes": every_minutes, "release": str(stage.release)}
        record_event(tournament, "times_set", actor=actor, detail={"stage": stage.number, "times": times})
        nudge_tournament_on_commit(tournament.id)
    return stage


def _say(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def keep_time() -> int:
    """Take every step and tell all that is due, late or on time; how many. Running twice changes nothing more."""
    now, taken = read_now(), 0
    waiting = Tournament.objects.filter(state__in=(TournamentState.DRAFT, TournamentState.OPEN, TournamentState.DRAWN))
    for tournament_id in waiting.filter(_is_due(now)).order_by("pk").values_list("pk", flat=True):
        try:
            taken += _keep_time_of(tournament_id, now)
        except LeagueError as error:
            log.warning("timetable_stuck", tournament_id=tournament_id, code=error.code)
            _stop_clock(tournament_id, error)
    return taken + tell_due_announcements()


def _is_due(now: datetime) -> Q:
    return (
        Q(runs_itself=True)
        | Q(needs_check_in=True, check_in_opens_at__lte=now)
        | Q(starts_at__gt=now, starts_at__lte=now + BEFORE_START)
    )


def _keep_time_of(tournament_id: int, now: datetime) -> int:
    """Each step in a transaction of its own, so that a draw that fails undoes no opening."""
    taken = _remind(tournament_id, now)
    for _step in DEEDS:
        tournament = Tournament.objects.get(pk=tournament_id)
        if _must_close_check_in(tournament, now):
            close_check_in(tournament_id=tournament_id)
            taken += 1
        due = find_due_step(tournament.state, timetable_of(tournament), now)
        if due is None:
            break
        DEEDS[due](tournament_id=tournament_id)
        taken += 1
    return taken


def _must_close_check_in(tournament: Tournament, now: datetime) -> bool:
    is_over = tournament.check_in_ends_at is not None and tournament.check_in_ends_at <= now
    if not (is_over and tournament.runs_itself and tournament.needs_check_in):
        return False
    if tournament.state != TournamentState.OPEN:
        return False
    return tournament.entrants.filter(state=EntrantState.ENTERED).exists()


@transaction.atomic
def _stop_clock(tournament_id: int, error: LeagueError) -> None:
    """What cannot be done of itself is left to the organiser, who is told; it is not tried for ever."""
    tournament = lock_tournament(tournament_id)
    if not tournament.runs_itself:
        return
    tournament.runs_itself = False
    tournament.save(update_fields=("runs_itself",))
    record_event(tournament, "clock_stopped", reason=str(error))
    tell(
        [tournament.organiser],
        kind="clock_stopped",
        subject=N_("%(tournament)s waits for you"),
        text=N_("The site could not go on with %(tournament)s by itself: %(why)s It is in your hands now."),
        url=reverse("desk_tournament", args=[tournament.slug]),
        tournament=tournament.name,
        why=str(error),
    )


@transaction.atomic
def _remind(tournament_id: int, now: datetime) -> int:
    """Tell people once that the check-in is open, and once that it starts within a day."""
    tournament = lock_tournament(tournament_id)
    told = set(tournament.events.filter(kind=REMINDED).values_list("detail__what", flat=True))
    entrants = tournament.entrants.filter(state=EntrantState.ENTERED)
    awaited = list_people(entrants) if is_check_in_open(tournament) and tournament.check_in_opens_at else []
    reminded = 0
    if "check_in" not in told and awaited:
        reminded += _tell(tournament, "check_in", awaited, N_("Check in for %(tournament)s"), CHECK_IN_WORDS)
    starts_at = tournament.starts_at
    is_soon = starts_at is not None and now < starts_at <= now + BEFORE_START
    if "start" not in told and is_soon and tournament.state != TournamentState.DRAFT:
        there = tournament.entrants.filter(state__in=(EntrantState.ENTERED, EntrantState.CHECKED_IN))
        when = {"when": say_time(starts_at, tournament.time_zone)}
        subject = N_("%(tournament)s starts soon")
        reminded += _tell(tournament, "start", list_people(there), subject, START_WORDS, **when)
    return reminded


CHECK_IN_WORDS = N_("The check-in for %(tournament)s is open: say that you are there, or you will not be drawn.")
START_WORDS = N_("%(tournament)s starts at %(when)s, and you take part.")


def say_time(at: datetime | None, zone: str) -> str:
    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} ({zone})" if at else ""


def _tell(tournament: Tournament, what: str, people: list[User], subject: str, text: str, **values: str) -> int:
    record_event(tournament, REMINDED, detail={"what": what, "people": len(people)})
    address = reverse("tournament_entrants", args=[tournament.slug])
    tell(people, kind=f"remind_{what}", subject=subject, text=text, url=address, tournament=tournament.name, **values)
    return 1


@transaction.atomic
def postpone_table(*, fixture_id: int, until: datetime, reason: str = "", actor: User | None = None) -> Fixture:
    """Have a table that nobody has begun played later; the time to meet lasts until then at least. Its people are told.

    The same time twice changes nothing.
    """
    found = Fixture.objects.filter(pk=fixture_id).values_list("matchday__stage__tournament", flat=True).first()
    if found is None:
        raise LeagueError("no_match", N_("There is no such table."), status=404)
    tournament = lock_tournament_for(found, Step.DECIDE)
    fixture = Fixture.objects.select_related("matchday__stage").get(pk=fixture_id)
    if fixture.planned_at == until:
        return fixture
    if until <= read_now():
        raise LeagueError("bad_times", N_("A table is postponed to a time that is still to come."))
    _require_unbegun(fixture)
    fixture.planned_at = until
    fixture.save(update_fields=("planned_at",))
    windows = Match.objects.filter(fixture_match__fixture=fixture, state=MatchState.OPEN, closes_at__isnull=False)
    windows.update(closes_at=Greatest(F("closes_at"), until))
    detail = {"stage": fixture.matchday.stage.number, "matchday": fixture.matchday.number, "table": fixture.table}
    times = {"times": {"planned_at": _say(until)}}
    record_event(tournament, "postponed", actor=actor, reason=reason, detail=detail | times)
    tell(
        list_people(tournament.entrants.filter(fixture_seats__fixture=fixture)),
        kind="postponed",
        subject=N_("Your table is postponed: %(tournament)s"),
        text=N_("Table %(table)s of matchday %(day)s is now played at %(when)s."),
        url=reverse("tournament_schedule", args=[tournament.slug]),
        tournament=tournament.name,
        table=fixture.table,
        day=fixture.matchday.number,
        when=say_time(until, tournament.time_zone),
    )
    return fixture


def _require_unbegun(fixture: Fixture) -> None:
    if fixture.state != FixtureState.PENDING:
        raise LeagueError("match_not_open", N_("This table has its result."), status=409)
    matches = set(Match.objects.filter(fixture_match__fixture=fixture).values_list("pk", flat=True))
    begun = matches - set(untouched_matches().filter(pk__in=matches).values_list("pk", flat=True))
    for match_id in sorted(begun)[:1]:
        raise LeagueError(
            "match_under_way",
            N_("Match %(number)s of this table is under way."),
            N_("Wait for its end, or let a seat forfeit."),
            status=409,
            number=match_id,
        )
