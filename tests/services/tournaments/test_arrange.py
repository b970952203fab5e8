"""Arranging by hand: pins, matchdays that change places or times, rests by wish, merging, splitting, looking first."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from aurum_league.models import Notice
from games.models import PlayerKind
from games.services.players import ensure_person
from tests.services.tournaments.conftest import Make, make_bots, play_on
from tournaments.models import Bye, EntrantState, Fixture, FixtureSeat, Matchday, Stage, Tournament, TournamentState
from tournaments.selectors.board import preview_swap, read_board
from tournaments.selectors.timetable import rhythm_of
from tournaments.services.arrange import (
    choose_going,
    look_at,
    merge_tournaments,
    move_matchday,
    pin_table,
    rest_entrant,
    split_tournament,
    swap_matchdays,
)
from tournaments.services.draw import draw_tournament, swap_entrants
from tournaments.services.entries import enter_players, withdraw_entrant
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
ROBIN: dict[str, Any] = {"format": "round_robin", "options": {"meetings": 1}}
SWISS: dict[str, Any] = {"format": "swiss", "options": {"matchdays": 3}}


def seats_at(stage: Stage, day: int, table: int) -> list[int | None]:
    found = FixtureSeat.objects.filter(
        fixture__matchday__stage=stage, fixture__matchday__number=day, fixture__table=table
    )
    return list(found.order_by("position").values_list("entrant_id", flat=True))


def read_days(stage: Stage) -> dict[int, list[list[int | None]]]:
    return {
        day.number: [seats_at(stage, day.number, table) for table in day.fixtures.values_list("table", flat=True)]
        for day in stage.matchdays.all()
    }


def swap_over(stage: Stage, day: int) -> list[int | None]:
    """The first table of a day, in which somebody of the second has taken a seat."""
    matchday = stage.matchdays.get(number=day)
    first, second = seats_at(stage, day, 1)[0], seats_at(stage, day, 2)[0]
    swap_entrants(matchday_id=matchday.pk, first=first or 0, second=second or 0)
    return seats_at(stage, day, 1)


def pin(stage: Stage, day: int, table: int, **given: Any) -> bool:
    fixture = Fixture.objects.get(matchday__stage=stage, matchday__number=day, table=table)
    return pin_table(fixture_id=fixture.pk, **given)


def test_a_pinned_table_outlives_the_next_draw_and_a_free_one_does_not(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9, state="drawn")
    stage = tournament.stages.get()
    drawn = read_days(stage)
    kept, lost = swap_over(stage, 1), swap_over(stage, 2)
    assert pin(stage, 1, 1)
    assert not pin(stage, 1, 1)
    draw_tournament(tournament_id=tournament.pk)
    assert seats_at(stage, 1, 1) == kept
    assert seats_at(stage, 2, 1) == drawn[2][0] != lost
    assert sorted(one or 0 for seats in read_days(stage)[1] for one in seats) == sorted(
        one or 0 for seats in drawn[1] for one in seats
    )
    assert stage.matchdays.get(number=1).is_edited
    assert pin(stage, 1, 1, is_pinned=False)
    draw_tournament(tournament_id=tournament.pk)
    assert read_days(stage) == drawn


def test_nobody_changes_places_at_a_pinned_table(make_tournament: Make) -> None:
    stage = make_tournament(ROBIN, 9, state="drawn").stages.get()
    pin(stage, 1, 1)
    with pytest.raises(LeagueError) as refusal:
        swap_over(stage, 1)
    assert refusal.value.code == "table_pinned"


def test_who_has_left_takes_the_pin_along(make_tournament: Make) -> None:
    tournament = make_tournament(SWISS, 10, state="drawn")
    stage = tournament.stages.get()
    pin(stage, 1, 1)
    gone = seats_at(stage, 1, 1)[0]
    withdraw_entrant(entrant_id=gone or 0)
    draw_tournament(tournament_id=tournament.pk)
    assert gone not in [one for seats in read_days(stage)[1] for one in seats]
    assert len(read_days(stage)[1]) == 3


def test_two_matchdays_change_places_with_their_pins(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9, state="drawn")
    stage = tournament.stages.get()
    before = read_days(stage)
    pin(stage, 1, 2)
    assert swap_matchdays(stage_id=stage.pk, first=1, second=3)
    after = read_days(stage)
    assert (after[1], after[3], after[2]) == (before[3], before[1], before[2])
    stage.refresh_from_db()
    assert [one["matchday"] for one in stage.pins] == [3]


@pytest.mark.parametrize(
    ("stage", "days", "code"),
    [
        pytest.param(SWISS, (1, 2), "days_follow_results", id="drawn from results"),
        pytest.param(ROBIN, (1, 99), "no_matchday", id="not there"),
    ],
)
def test_days_that_cannot_change_places(
    make_tournament: Make, stage: dict[str, Any], days: tuple[int, int], code: str
) -> None:
    drawn = make_tournament(stage, 9, state="drawn").stages.get()
    with pytest.raises(LeagueError) as refusal:
        swap_matchdays(stage_id=drawn.pk, first=days[0], second=days[1])
    assert refusal.value.code == code


def test_a_moved_matchday_has_its_time_and_its_people_are_told(organiser: User) -> None:
    spec = {"name": "Club", "entry_kind": "people", "is_rated": False, "clock": {"real_cards": 1}, "stages": [ROBIN]}
    tournament = create_tournament(spec=spec, organiser=organiser)
    open_tournament(tournament_id=tournament.pk)
    people = [ensure_person(User.objects.create_user(f"p{number}")) for number in range(3)]
    enter_players(tournament_id=tournament.pk, players=people)
    draw_tournament(tournament_id=tournament.pk)
    stage, at = tournament.stages.get(), timezone.now() + timedelta(days=3)
    for _again in range(2):
        move_matchday(stage_id=stage.pk, number=1, at=at)
    stage.refresh_from_db()
    assert rhythm_of(stage).find_time(1, "UTC") == at
    assert Notice.objects.filter(kind="postponed").count() == 3
    with pytest.raises(LeagueError) as refusal:
        move_matchday(stage_id=stage.pk, number=1, at=timezone.now() - timedelta(hours=1))
    assert refusal.value.code == "bad_times"
    move_matchday(stage_id=stage.pk, number=1, at=None)
    stage.refresh_from_db()
    assert rhythm_of(stage).find_time(1, "UTC") is None


def test_a_rest_by_wish_is_not_drawn_gives_nothing_and_ends(make_tournament: Make) -> None:
    """Twelve fill four tables; with one resting, two more have a bye that day."""
    tournament = make_tournament(SWISS, 12, state="drawn")
    stage = tournament.stages.get()
    wisher = seats_at(stage, 1, 1)[0] or 0
    rest_entrant(entrant_id=wisher, matchday=1)
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.DRAWN
    days = read_days(stage)
    assert len(days[1]) == 3
    assert wisher not in [one for seats in days[1] for one in seats]
    assert wisher not in Bye.objects.values_list("entrant_id", flat=True)
    rest_entrant(entrant_id=wisher, matchday=1, is_resting=False)
    assert len(read_days(stage)[1]) == 4


def test_who_rests_in_the_middle_plays_the_other_matchdays(make_tournament: Make) -> None:
    tournament = make_tournament(SWISS, 9)
    wisher = tournament.entrants.earliest("pk")
    rest_entrant(entrant_id=wisher.pk, matchday=2)
    play_on(tournament)
    assert tournament.state == TournamentState.FINISHED
    played = FixtureSeat.objects.filter(entrant=wisher).values_list("fixture__matchday__number", flat=True)
    assert 2 not in played
    assert {1, 3} & set(played)


def test_in_a_whole_schedule_one_who_rests_takes_the_place(make_tournament: Make) -> None:
    stage = make_tournament(ROBIN, 10, state="drawn").stages.get()
    day = next(day for day in stage.matchdays.all() if day.byes.exists())
    resting = day.byes.get().entrant_id
    wisher = seats_at(stage, day.number, 1)[0] or 0
    rest_entrant(entrant_id=wisher, matchday=day.number)
    assert day.byes.get().entrant_id == wisher
    assert resting in [one for seats in read_days(stage)[day.number] for one in seats]


def test_a_rest_that_nobody_can_take_over_is_refused(make_tournament: Make) -> None:
    stage = make_tournament(ROBIN, 9, state="drawn").stages.get()
    with pytest.raises(LeagueError) as refusal:
        rest_entrant(entrant_id=seats_at(stage, 1, 1)[0] or 0, matchday=1)
    assert refusal.value.code == "nobody_rests"


def make_open(organiser: User, name: str, entrants: int, **spec: Any) -> Tournament:
    tournament = create_tournament(spec={"name": name, "stages": [SWISS], **spec}, organiser=organiser)
    open_tournament(tournament_id=tournament.pk)
    enter_players(tournament_id=tournament.pk, players=make_bots(entrants))
    return tournament


def test_merging_takes_everybody_over_and_ends_the_other(organiser: User) -> None:
    first, second = make_open(organiser, "Early", 4), make_open(organiser, "Late", 3)
    assert merge_tournaments(tournament_id=first.pk, other_id=second.pk) == 3
    second.refresh_from_db()
    assert second.state == TournamentState.CANCELLED
    assert first.entrants.filter(state=EntrantState.ENTERED).count() == 7


def test_merging_into_a_full_event_makes_them_wait(organiser: User) -> None:
    first, second = make_open(organiser, "Early", 4, capacity=5), make_open(organiser, "Late", 3)
    merge_tournaments(tournament_id=first.pk, other_id=second.pk)
    assert first.entrants.filter(state=EntrantState.WAITING).count() == 2


def test_other_tables_are_not_merged(organiser: User) -> None:
    first, second = make_open(organiser, "Three", 4), make_open(organiser, "Four", 4, table_kind="solo4", ruleset="en4")
    with pytest.raises(LeagueError) as refusal:
        merge_tournaments(tournament_id=first.pk, other_id=second.pk)
    assert refusal.value.code == "cannot_merge"
    second.refresh_from_db()
    assert second.state == TournamentState.OPEN


def test_splitting_deals_strength_to_both(organiser: User) -> None:
    tournament = make_open(organiser, "Large", 8)
    made = split_tournament(tournament_id=tournament.pk, name="Large B", count=4)
    assert made.entrants.filter(state=EntrantState.ENTERED).count() == 4
    assert tournament.entrants.filter(state=EntrantState.ENTERED).count() == 4
    ids = list(tournament.entrants.order_by("pk").values_list("player_id", flat=True))
    moved = {ids.index(player) for player in made.entrants.values_list("player_id", flat=True)}
    assert moved == {1, 3, 5, 7}


@pytest.mark.parametrize("count", [0, 8, 9])
def test_nobody_and_everybody_cannot_go(organiser: User, count: int) -> None:
    tournament = make_open(organiser, "Large", 8)
    with pytest.raises(LeagueError) as refusal:
        split_tournament(tournament_id=tournament.pk, name="Large B", count=count)
    assert refusal.value.code == "bad_split"


@pytest.mark.parametrize(("entrants", "count"), [(2, 1), (7, 3), (8, 4), (9, 1), (500, 499)])
def test_as_many_go_as_were_asked(entrants: int, count: int) -> None:
    going = choose_going(entrants, count)
    assert len(set(going)) == count
    assert 0 <= min(going) <= max(going) < entrants


def test_looking_tells_what_doing_does_and_does_nothing(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9, state="drawn")
    stage = tournament.stages.get()
    before, events = read_days(stage), tournament.events.count()
    deed = partial(swap_matchdays, stage_id=stage.pk, first=1, second=2)
    changes = look_at(tournament, deed)
    assert (read_days(stage), tournament.events.count()) == (before, events)
    deed()
    assert changes
    for change in changes:
        entrant = tournament.entrants.get(player__name=change.name)
        for day, _was, table in change.list_days():
            assert entrant.pk in seats_at(stage, day, table or 0)


def test_a_deed_that_is_refused_is_refused_when_looked_at(organiser: User) -> None:
    tournament = make_open(organiser, "Large", 8)
    with pytest.raises(LeagueError):
        look_at(tournament, partial(split_tournament, tournament_id=tournament.pk, name="B", count=99))
    assert Tournament.objects.count() == 1


def test_a_swap_looked_at_is_the_swap_that_is_done(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9, state="drawn")
    stage = tournament.stages.get()
    day = Matchday.objects.select_related("stage__tournament").get(stage=stage, number=1)
    first, second = seats_at(stage, 1, 1)[0] or 0, seats_at(stage, 1, 2)[0] or 0
    told = preview_swap(day, first, second)
    assert (told.first, told.second, told.refused) == ((1, 2), (2, 1), "")
    assert any(row.is_worse for row in told.rows)
    swap_entrants(matchday_id=day.pk, first=first, second=second)
    again = preview_swap(day, first, second)
    assert [row.before for row in again.rows] == [row.after for row in told.rows]


def test_a_swap_at_a_pinned_table_says_so_before(make_tournament: Make) -> None:
    stage = make_tournament(ROBIN, 9, state="drawn").stages.get()
    pin(stage, 1, 1)
    day = Matchday.objects.select_related("stage__tournament").get(stage=stage, number=1)
    assert preview_swap(day, seats_at(stage, 1, 1)[0] or 0, seats_at(stage, 1, 2)[0] or 0).refused == "pinned"
    assert preview_swap(day, 1, 2).refused == "absent"


def test_the_board_shows_what_is_drawn(make_tournament: Make) -> None:
    stage = make_tournament(ROBIN, 10, state="drawn").stages.get()
    swap_over(stage, 2)
    pin(stage, 2, 1)
    stage.refresh_from_db()
    board = read_board(stage)
    assert {day.number: [[seat.entrant for seat in table.seats] for table in day.tables] for day in board} == read_days(
        stage
    )
    assert all(len(day.resting) == 1 for day in board)
    second = next(day for day in board if day.number == 2)
    assert [(table.is_edited, table.is_pinned) for table in second.tables[:2]] == [(True, True), (True, False)]
    assert stage.tournament.entrants.filter(player__kind=PlayerKind.HOUSE).count() == 10
