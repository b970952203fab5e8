"""Check-in: by oneself, at the desk, all at once, at its end; and who was missing comes back."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from aurum_league.models import Notice
from games.services.players import ensure_person
from tests.pages.events import make_players
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.selectors.entrants import list_own_check_ins, read_check_in
from tournaments.services.draw import draw_tournament, reopen_tournament
from tournaments.services.entries import enter_late, enter_players, withdraw_entrant
from tournaments.services.field import (
    check_in_by_oneself,
    check_in_entrant,
    check_in_many,
    close_check_in,
    set_check_in_end,
)
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

pytestmark = pytest.mark.django_db
STAGE: dict[str, Any] = {"format": "round_robin", "options": {"matchdays": 2}}


def make_people(count: int) -> list[User]:
    return [User.objects.create_user(f"person{number}") for number in range(count)]


def open_event(people: list[User], *, bots: int = 0, **spec: Any) -> Tournament:
    organiser = User.objects.create_user("organiser", is_staff=True)
    given = {"name": "Evening", "entry_kind": "mixed", "is_rated": False, "needs_check_in": True, "stages": [STAGE]}
    tournament = create_tournament(spec=given | spec, organiser=organiser)
    open_tournament(tournament_id=tournament.pk)
    players = [ensure_person(user) for user in people] + make_players(bots)
    enter_players(tournament_id=tournament.pk, players=players)
    tournament.refresh_from_db()
    return tournament


def states(tournament: Tournament) -> list[str]:
    return list(tournament.entrants.order_by("pk").values_list("state", flat=True))


def test_bots_are_there_by_themselves_and_people_say_so() -> None:
    people = make_people(2)
    tournament = open_event(people, bots=2)
    assert states(tournament) == ["entered", "entered", "checked_in", "checked_in"]
    told = read_check_in(tournament)
    assert told and (told.done, told.expected, told.is_open) == (2, 4, True)
    assert [entrant.tournament for entrant in list_own_check_ins(people[0])] == [tournament]
    check_in_by_oneself(tournament=tournament, user=people[0])
    assert states(tournament)[0] == "checked_in" and list_own_check_ins(people[0]) == []


def test_who_is_missing_at_the_draw_is_set_aside_and_comes_back() -> None:
    people = make_people(5)
    tournament = open_event(people)
    ids = list(tournament.entrants.order_by("pk").values_list("pk", flat=True))
    check_in_many(tournament_id=tournament.pk, entrant_ids=ids[:3])
    draw_tournament(tournament_id=tournament.pk)
    assert set(tournament.stages.get().field) == set(ids[:3])
    assert states(tournament) == ["checked_in"] * 3 + ["absent"] * 2
    assert tournament.events.filter(kind="set_aside", detail={"entrants": ids[3:]}).exists()
    reopen_tournament(tournament_id=tournament.pk)
    check_in_entrant(entrant_id=ids[3], at_desk=True)
    draw_tournament(tournament_id=tournament.pk)
    assert set(tournament.stages.get().field) == set(ids[:4])
    start_tournament(tournament_id=tournament.pk)
    back = enter_late(tournament_id=tournament.pk, player=Entrant.objects.get(pk=ids[4]).player)
    assert back.pk == ids[4] and back.state == EntrantState.CHECKED_IN
    assert ids[4] in tournament.stages.get().field


def test_after_the_end_only_the_desk_checks_in() -> None:
    people = make_people(3)
    tournament = open_event(people)
    set_check_in_end(tournament_id=tournament.pk, ends_at=timezone.now() - timedelta(minutes=1))
    tournament.refresh_from_db()
    with pytest.raises(LeagueError) as refusal:
        check_in_by_oneself(tournament=tournament, user=people[0])
    assert refusal.value.code == "check_in_over"
    assert close_check_in(tournament_id=tournament.pk) == list(
        tournament.entrants.order_by("pk").values_list("pk", flat=True)
    )
    assert states(tournament) == ["absent"] * 3
    check_in_many(tournament_id=tournament.pk)
    assert states(tournament) == ["absent"] * 3, "all means all who are entered, not those who were set aside"
    check_in_many(tournament_id=tournament.pk, entrant_ids=[tournament.entrants.earliest("pk").pk])
    assert states(tournament).count("checked_in") == 1


def test_a_place_that_was_taken_meanwhile_is_not_given_twice() -> None:
    people = make_people(4)
    tournament = open_event(people, capacity=3)
    assert states(tournament) == ["entered"] * 3 + ["waiting"]
    ids = list(tournament.entrants.order_by("pk").values_list("pk", flat=True))
    check_in_many(tournament_id=tournament.pk, entrant_ids=ids[:2])
    close_check_in(tournament_id=tournament.pk)
    assert states(tournament) == ["checked_in", "checked_in", "absent", "entered"]
    assert [notice.user for notice in Notice.objects.filter(kind="moved_up")] == [people[3]]
    with pytest.raises(LeagueError) as refusal:
        check_in_entrant(entrant_id=ids[2], at_desk=True)
    assert refusal.value.code == "no_place"


def test_a_draw_with_too_few_says_so_and_sets_nobody_aside() -> None:
    tournament = open_event(make_people(4))
    check_in_entrant(entrant_id=tournament.entrants.earliest("pk").pk)
    with pytest.raises(LeagueError) as refusal:
        draw_tournament(tournament_id=tournament.pk)
    assert refusal.value.code == "not_checked_in" and "1 of 4" in str(refusal.value)
    assert states(tournament) == ["checked_in"] + ["entered"] * 3


def test_who_moves_up_from_the_waiting_list_is_told() -> None:
    first, *_others, last = people = make_people(4)
    tournament = open_event(people, capacity=3, entry_kind="people", needs_check_in=False)
    waiting = tournament.entrants.get(player__owner=last)
    assert waiting.state == EntrantState.WAITING
    withdraw_entrant(entrant_id=tournament.entrants.get(player__owner=first).pk)
    waiting.refresh_from_db()
    assert waiting.state == EntrantState.ENTERED
    assert list(Notice.objects.filter(kind="moved_up").values_list("user", flat=True)) == [last.pk]
