"""What an organiser decides: pause, cancel, quarantined matches, and results by hand."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchState
from games.services.by_hand import HandResult
from tests.services.tournaments.conftest import Make, play_on
from tournaments.models import (
    FixtureMatch,
    TournamentEvent,
)
from tournaments.services.decisions import enter_result, forfeit_match, play_again, void_match
from tournaments.services.lifecycle import cancel_tournament, pause_tournament, resume_tournament

pytestmark = pytest.mark.django_db

ROBIN: dict[str, Any] = {"format": "round_robin", "options": {"meetings": 1}}
DAILY: dict[str, Any] = {**ROBIN, "release": "matchday"}


def test_pause_holds_back_and_resume_frees(make_tournament: Make) -> None:
    tournament = make_tournament(DAILY, 9)
    pause_tournament(tournament_id=tournament.id)
    assert set(Match.objects.values_list("state", flat=True)) == {"held"}
    play_on(tournament)
    assert set(Match.objects.values_list("state", flat=True)) == {"held"}
    resume_tournament(tournament_id=tournament.id)
    assert play_on(tournament).state == "finished"


def test_cancel_voids_the_rest(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9)
    cancel_tournament(tournament_id=tournament.id, reason="no hall")
    assert set(Match.objects.values_list("state", flat=True)) == {"void"}
    event = TournamentEvent.objects.filter(tournament=tournament).last()
    assert event is not None and (event.kind, event.reason) == ("cancelled", "no hall")


def quarantine(match: Match) -> Match:
    Match.objects.filter(pk=match.pk).update(state=MatchState.QUARANTINED, attempt=3, trouble="it broke")
    return match


def test_quarantined_match_is_played_again(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9)
    match = quarantine(Match.objects.earliest("id"))
    play_again(match_id=match.id)
    play_again(match_id=match.id)
    assert play_on(tournament).state == "finished"
    assert tournament.events.filter(kind="played_again").count() == 1


def test_quarantined_match_is_forfeited(make_tournament: Make) -> None:
    tournament = make_tournament({"format": "round_robin", "options": {"matchdays": 1}}, 3)
    match = quarantine(Match.objects.get())
    link = match.fixture_match
    forfeit_match(match_id=match.id, seats=[1], reason="its bot is broken")
    forfeit_match(match_id=match.id, seats=[1], reason="its bot is broken")
    assert play_on(tournament).state == "finished"
    rows = tournament.stages.get().standings.rows
    assert rows[-1]["entrant"] == link.entrants[1]
    assert (rows[-1]["place"], rows[-1]["tally"]["forfeits"]) == (3, 1)
    assert rows[0]["values"]["mean_points"] == 1.5


def test_voided_match_counts_for_nobody(make_tournament: Make) -> None:
    tournament = make_tournament({"format": "round_robin", "options": {"matchdays": 1}, "block_deals": 1}, 3)
    match = quarantine(Match.objects.earliest("id"))
    void_match(match_id=match.id, reason="power cut")
    void_match(match_id=match.id, reason="power cut")
    assert play_on(tournament).state == "finished"
    tallies = [row["tally"] for row in tournament.stages.get().standings.rows]
    assert [(tally["played"], tally["voids"]) for tally in tallies] == [(0, 6)] * 3


def test_changed_result_changes_standings_and_is_told(make_tournament: Make, organiser: User) -> None:
    tournament = play_on(make_tournament({"format": "round_robin", "options": {"matchdays": 1}}, 3))
    link = FixtureMatch.objects.get()
    last = tournament.stages.get().standings.rows[-1]["entrant"]
    places = tuple(1 if entrant == last else 2 for entrant in link.entrants)
    enter_result(match_id=link.match_id, result=HandResult(places), reason="miscounted", actor=organiser)
    rows = tournament.stages.get().standings.rows
    assert rows[0]["entrant"] == last
    event = tournament.events.get(kind="result_changed")
    assert (event.actor, event.reason, event.detail["after"]) == (organiser, "miscounted", list(places))
    with pytest.raises(LeagueError) as refusal:
        enter_result(match_id=link.match_id, result=HandResult((1, 3, 3)), reason="nonsense")
    assert refusal.value.code == "bad_result"
