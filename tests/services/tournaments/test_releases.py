"""Releasing day by day: a slow table holds up those who sit at it and nobody else."""

from typing import Any

import pytest

from games.models import Match, MatchState, RunnerNeed
from games.services.play import play_ready_matches
from tests.services.tournaments.conftest import Make, play_on
from tournaments.models import Fixture, FixtureMatch, Matchday, MatchdayState, Tournament
from tournaments.selectors.progress import count_planned
from tournaments.services.advance import advance_tournament, finish_tournament
from tournaments.services.entries import withdraw_entrant

pytestmark = pytest.mark.django_db

DAILY: dict[str, Any] = {"format": "round_robin", "options": {"meetings": 1}, "release": "matchday"}


def hold_first_table(tournament: Tournament) -> tuple[Match, set[int]]:
    """Keep the first table's match from being played; it, and who sits at it."""
    link = FixtureMatch.objects.filter(stage__tournament=tournament).earliest("match_id")
    Match.objects.filter(pk=link.match_id).update(state=MatchState.HELD)
    return link.match, set(link.entrants)


def play_what_is_free(tournament: Tournament) -> None:
    for _ in range(20):
        advance_tournament(tournament_id=tournament.id)
        if not play_ready_matches(needs=RunnerNeed.HOUSE):
            return


def list_played(tournament: Tournament) -> list[tuple[int, set[int]]]:
    """Matchday and entrants of every table that has matches."""
    links = FixtureMatch.objects.filter(stage__tournament=tournament)
    return [(day, set(entrants)) for day, entrants in links.values_list("fixture__matchday__number", "entrants")]


def test_a_slow_table_holds_up_only_its_own(make_tournament: Make) -> None:
    tournament = make_tournament(DAILY, 15)
    match, slow = hold_first_table(tournament)
    play_what_is_free(tournament)
    later = [entrants for day, entrants in list_played(tournament) if day > 1]
    assert later, "those who are free go on to the second matchday"
    assert all(not entrants & slow for entrants in later)
    tables = {(day, frozenset(one)) for day, one in list_played(tournament)}
    for fixture in Fixture.objects.filter(matchday__stage__tournament=tournament).select_related("matchday"):
        seated = frozenset(fixture.seats.values_list("entrant_id", flat=True))
        earlier = Fixture.objects.filter(
            seats__entrant__in=seated, matchday__number__lt=fixture.matchday.number, state="pending"
        )
        assert ((fixture.matchday.number, seated) in tables) is not earlier.exists()
    Match.objects.filter(pk=match.pk).update(state=MatchState.READY)
    play_on(tournament)
    assert tournament.state == "finished"
    assert Match.objects.filter(state=MatchState.FINISHED).count() == 35
    assert set(Matchday.objects.values_list("state", flat=True)) == {MatchdayState.FINISHED}


def test_tables_that_wait_are_counted_as_planned(make_tournament: Make) -> None:
    tournament = make_tournament(DAILY, 15)
    hold_first_table(tournament)
    play_what_is_free(tournament)
    assert count_planned(tournament) + FixtureMatch.objects.count() == 35


def test_who_leaves_takes_waiting_tables_along(make_tournament: Make) -> None:
    tournament = make_tournament(DAILY, 15)
    _, slow = hold_first_table(tournament)
    play_what_is_free(tournament)
    withdraw_entrant(entrant_id=min(slow))
    play_on(tournament)
    assert tournament.state == "finished"
    gone = Fixture.objects.filter(seats__entrant=min(slow))
    assert set(gone.values_list("state", flat=True)) == {"void"}


@pytest.mark.parametrize("release", ["all", "matchday"])
def test_a_matchday_without_tables_holds_up_nothing(make_tournament: Make, release: str) -> None:
    tournament = make_tournament({**DAILY, "release": release}, 4)
    for entrant in tournament.entrants.order_by("id")[:1]:
        withdraw_entrant(entrant_id=entrant.id)
    play_on(tournament)
    assert tournament.state == "finished"
    assert not Matchday.objects.filter(state=MatchdayState.RELEASED).exists()


def test_a_ladder_finished_by_hand_leaves_no_matchday_open(make_tournament: Make) -> None:
    tournament = play_on(make_tournament({"format": "ladder"}, 6), waves=2)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    finish_tournament(tournament_id=tournament.id)
    assert not Matchday.objects.filter(state=MatchdayState.RELEASED).exists()
