"""Guests and entries by list: what each line does, in how many queries, entered, undone, drawn and played by hand."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from aurum_league.common.errors import LeagueError
from games.models import Player, PlayerKind
from games.services.by_hand import HandResult
from games.services.players import ensure_person
from tests.services.tournaments.test_presence import open_event
from tournaments.models import EntrantState, FixtureMatch, RatingChange, Tournament
from tournaments.services.decisions import enter_result
from tournaments.services.draw import draw_tournament
from tournaments.services.guests import enter_list, plan_list, rename_guest, undo_list
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

pytestmark = pytest.mark.django_db
NAMES = "Name;Town\nAnna;Bonn\n bert ;\n@ada;\nANNA;\n@nobody;\n;\n"


def club_evening(**spec: Any) -> Tournament:
    return open_event([], needs_check_in=False, entry_kind="people", **spec)


def test_each_line_says_what_it_does() -> None:
    tournament = club_evening()
    ensure_person(User.objects.create_user("ada"))
    lines = plan_list(tournament=tournament, text=NAMES)
    assert [(line.text, line.deed, line.why) for line in lines] == [
        ("Anna", "guest", ""),
        ("bert", "guest", ""),
        ("@ada", "player", ""),
        ("ANNA", "nothing", "stands here twice"),
        ("@nobody", "refused", "nobody of that name is known here"),
    ]
    assert not tournament.entrants.exists() and not Player.objects.filter(kind=PlayerKind.GUEST).exists()


def test_a_list_is_entered_undone_and_entered_again() -> None:
    tournament = club_evening()
    entrants, number = enter_list(tournament_id=tournament.pk, text="Anna\nBert\nCleo")
    assert [entrant.player.kind for entrant in entrants] == ["guest"] * 3
    assert {line.why for line in plan_list(tournament=tournament, text="anna\nBERT")} == {"is in already"}
    assert len(undo_list(tournament_id=tournament.pk, number=number)) == 3
    assert undo_list(tournament_id=tournament.pk, number=number) == []
    assert set(tournament.entrants.values_list("state", flat=True)) == {EntrantState.WITHDRAWN}
    again, _number = enter_list(tournament_id=tournament.pk, text="Anna\nBert\nCleo")
    assert {one.player_id for one in again} == {one.player_id for one in entrants}, "the same guests, not new ones"


def test_two_organisers_have_an_anna_each_and_a_guest_can_be_renamed() -> None:
    first = club_evening()
    other = User.objects.create_user("other")
    spec = {"name": "Other", "entry_kind": "people", "is_rated": False, "stages": [{"format": "swiss"}]}
    second = create_tournament(spec=spec, organiser=other)
    open_tournament(tournament_id=second.pk)
    [one], _ = enter_list(tournament_id=first.pk, text="Anna")
    [two], _ = enter_list(tournament_id=second.pk, text="Anna")
    assert one.player_id != two.player_id
    assert rename_guest(entrant_id=one.pk, name="  Anna   B. ").player.name == "Anna B."
    with pytest.raises(LeagueError) as refusal:
        rename_guest(entrant_id=one.pk, name="\u202e")
    assert refusal.value.code == "bad_name"


def test_rated_events_and_bots_events_take_no_guests() -> None:
    tournament = club_evening(is_rated=True)
    [line] = plan_list(tournament=tournament, text="Anna")
    assert line.deed == "refused"
    with pytest.raises(LeagueError) as refusal:
        enter_list(tournament_id=tournament.pk, text="Anna")
    assert refusal.value.code == "empty_list"


def test_a_club_evening_is_drawn_and_its_results_are_entered_by_hand() -> None:
    tournament = club_evening()
    enter_list(tournament_id=tournament.pk, text="\n".join(f"Guest {number}" for number in range(6)))
    draw_tournament(tournament_id=tournament.pk)
    start_tournament(tournament_id=tournament.pk)
    match_id = FixtureMatch.objects.filter(stage__tournament=tournament).earliest("pk").match_id
    enter_result(match_id=match_id, result=HandResult((1, 2, 3), (), ()), reason="played with cards")
    assert FixtureMatch.objects.get(match_id=match_id).fixture.places
    assert not RatingChange.objects.exists()


def test_who_walks_in_while_it_is_played_is_entered_late_by_list() -> None:
    """A guest has no account: the list is the only door there is for them."""
    tournament = club_evening()
    enter_list(tournament_id=tournament.pk, text="\n".join(f"Guest {number}" for number in range(6)))
    draw_tournament(tournament_id=tournament.pk)
    start_tournament(tournament_id=tournament.pk)
    [late], number = enter_list(tournament_id=tournament.pk, text="guest 5\nWalk-in")
    assert (late.player.name, late.entered_on) == ("Walk-in", 2)
    with pytest.raises(LeagueError) as refusal:
        undo_list(tournament_id=tournament.pk, number=number)
    assert refusal.value.code == "wrong_state"


def test_a_long_list_takes_few_queries() -> None:
    tournament = club_evening()
    text = "\n".join(f"Guest {number}" for number in range(400))
    with CaptureQueriesContext(connection) as seen:
        assert len(plan_list(tournament=tournament, text=text)) == 400
    assert len(seen) <= 3
