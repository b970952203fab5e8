"""Times: their order, what is due, steps taken late or twice, reminders once, and matchdays released at theirs."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from aurum_league.models import Notice
from tests.services.tournaments.test_presence import make_people, open_event
from tournaments.models import Matchday, MatchdayState, Tournament
from tournaments.selectors.timetable import Rhythm, Timetable, check_timetable
from tournaments.services.advance import advance_tournament
from tournaments.services.field import check_in_many
from tournaments.services.self_entry import enter_oneself
from tournaments.services.timetable import keep_time, set_rhythm, set_timetable

Make = Callable[..., Tournament]
NOW = timezone.now()
HOUR = timedelta(hours=1)


def test_a_weekly_evening_keeps_its_hour_when_summer_time_ends() -> None:
    rhythm = Rhythm(datetime(2026, 10, 21, 17, 0, tzinfo=UTC), timedelta(days=7))
    first, second = (rhythm.find_time(number, "Europe/Berlin") for number in (1, 2))
    assert first and second and (first.hour, second.hour) == (19, 19)
    assert second.astimezone(UTC).hour == 18


@pytest.mark.parametrize(
    "timetable",
    [
        pytest.param(Timetable(draws_at=NOW, starts_at=NOW - HOUR), id="started before it is drawn"),
        pytest.param(Timetable(entries_close_at=NOW, check_in_opens_at=NOW - HOUR), id="check-in before entries"),
        pytest.param(Timetable(runs_itself=True), id="by itself without a time"),
    ],
)
def test_times_that_cannot_be(timetable: Timetable) -> None:
    with pytest.raises(LeagueError) as refusal:
        check_timetable(timetable)
    assert refusal.value.code == "bad_times"


@pytest.mark.django_db
def test_it_runs_by_itself_late_and_only_once(make_tournament: Make) -> None:
    tournament = make_tournament({"format": "round_robin"}, 6, state="open")
    timetable = Timetable(draws_at=NOW - HOUR, starts_at=NOW - HOUR / 2, runs_itself=True)
    set_timetable(tournament_id=tournament.pk, timetable=timetable, time_zone="Europe/Berlin")
    assert keep_time() == 2
    tournament.refresh_from_db()
    assert tournament.state == "playing"
    events = tournament.events.count()
    assert keep_time() == 0 and tournament.events.count() == events


@pytest.mark.django_db
def test_what_cannot_be_drawn_stops_the_clock_and_tells_the_organiser(make_tournament: Make) -> None:
    tournament = make_tournament({"format": "round_robin"}, 2, state="open")
    timetable = Timetable(starts_at=NOW - HOUR, runs_itself=True)
    set_timetable(tournament_id=tournament.pk, timetable=timetable, time_zone="UTC")
    keep_time()
    keep_time()
    tournament.refresh_from_db()
    assert tournament.state == "open" and not tournament.runs_itself
    assert tournament.events.filter(kind="clock_stopped").count() == 1
    assert Notice.objects.filter(user=tournament.organiser, kind="clock_stopped").count() == 1


@pytest.mark.django_db
def test_people_are_reminded_once_and_the_check_in_closes_by_itself() -> None:
    people = make_people(4)
    tournament = open_event(people)
    timetable = Timetable(check_in_opens_at=NOW - HOUR, starts_at=timezone.now() + HOUR)
    set_timetable(tournament_id=tournament.pk, timetable=timetable, time_zone="UTC")
    keep_time()
    keep_time()
    told = [(notice.user_id, notice.kind) for notice in Notice.objects.order_by("id")]
    ids = [user.pk for user in people]
    assert sorted(told) == sorted((pk, kind) for pk in ids for kind in ("remind_check_in", "remind_start"))
    check_in_many(tournament_id=tournament.pk, entrant_ids=list(tournament.entrants.values_list("pk", flat=True)[:3]))
    over = Timetable(
        check_in_opens_at=NOW - HOUR, check_in_ends_at=NOW - HOUR / 2, starts_at=NOW - HOUR / 4, runs_itself=True
    )
    set_timetable(tournament_id=tournament.pk, timetable=over, time_zone="UTC")
    keep_time()
    tournament.refresh_from_db()
    assert tournament.state == "playing"
    assert sorted(tournament.entrants.values_list("state", flat=True)) == ["absent", *["checked_in"] * 3]


@pytest.mark.django_db
def test_nobody_enters_by_oneself_outside_of_the_time() -> None:
    tournament = open_event([])
    timetable = Timetable(entries_close_at=NOW - HOUR)
    set_timetable(tournament_id=tournament.pk, timetable=timetable, time_zone="UTC")
    tournament.refresh_from_db()
    with pytest.raises(LeagueError) as refusal:
        enter_oneself(tournament=tournament, user=User.objects.create_user("late"))
    assert refusal.value.code == "entries_closed"


@pytest.mark.django_db
def test_matchdays_are_released_at_their_times(make_tournament: Make) -> None:
    stage: dict[str, Any] = {"format": "round_robin", "options": {"matchdays": 3}}
    tournament = make_tournament(stage, 6, state="drawn")
    held = tournament.stages.get()
    day = 24 * 60
    set_rhythm(stage_id=held.pk, first_at=timezone.now() - HOUR, every_minutes=day, is_timed=True)
    timetable = Timetable(starts_at=NOW - HOUR, runs_itself=True)
    set_timetable(tournament_id=tournament.pk, timetable=timetable, time_zone="UTC")
    keep_time()
    advance_tournament(tournament_id=tournament.pk)
    days = Matchday.objects.filter(stage=held).order_by("number").values_list("state", flat=True)
    assert list(days) == [MatchdayState.RELEASED, MatchdayState.DRAWN, MatchdayState.DRAWN]
    set_rhythm(stage_id=held.pk, first_at=timezone.now() - 25 * HOUR, every_minutes=day, is_timed=True)
    advance_tournament(tournament_id=tournament.pk)
    assert list(days.all())[:2] == [MatchdayState.RELEASED, MatchdayState.RELEASED]
