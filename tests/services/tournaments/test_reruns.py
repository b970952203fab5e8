"""Reruns: what would change is shown first, applied once, and nothing happens before."""

from typing import Any

import pytest

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchResult, MatchSeat, RunnerNeed
from games.services.play import play_ready_matches
from tests.services.tournaments.conftest import Make, play_on
from tournaments.models import FixtureMatch, Tournament
from tournaments.selectors.desk import preview_rerun
from tournaments.services.decisions import apply_rerun, drop_rerun, rerun_matches

pytestmark = pytest.mark.django_db


def finished(make_tournament: Make) -> tuple[Tournament, list[int]]:
    tournament = play_on(make_tournament({"format": "round_robin", "options": {"meetings": 1}}, 9))
    return tournament, list(FixtureMatch.objects.order_by("match_id").values_list("match_id", flat=True))


def standings_of(tournament: Tournament) -> list[dict[str, Any]]:
    return tournament.stages.get().standings.rows


def test_same_agents_give_the_same_results(make_tournament: Make) -> None:
    tournament, matches = finished(make_tournament)
    rerun = rerun_matches(tournament_id=tournament.id, match_ids=matches[:3], reason="to be sure")
    assert preview_rerun(rerun).waiting == 3
    with pytest.raises(LeagueError) as refusal:
        apply_rerun(rerun_id=rerun.id)
    assert refusal.value.code == "rerun_not_played"
    play_ready_matches(needs=RunnerNeed.HOUSE)
    preview = preview_rerun(rerun)
    assert (preview.waiting, preview.results, preview.places) == (0, (), ())


def test_change_is_shown_then_applied_once(make_tournament: Make) -> None:
    tournament, matches = finished(make_tournament)
    before = standings_of(tournament)
    MatchSeat.objects.filter(match_id__in=matches).update(agent="house:random")
    rerun = rerun_matches(tournament_id=tournament.id, match_ids=matches, reason="the wrong version played")
    play_ready_matches(needs=RunnerNeed.HOUSE)
    preview = preview_rerun(rerun)
    assert preview.results and preview.places
    assert standings_of(tournament) == before
    assert apply_rerun(rerun_id=rerun.id) == preview
    apply_rerun(rerun_id=rerun.id)
    places = {row["entrant"]: row["place"] for row in standings_of(tournament)}
    assert all(places[change.entrant_id] == change.after for change in preview.places)
    for change in preview.results:
        assert MatchResult.objects.get(pk=change.match_id).places == change.after["places"]
    assert tournament.events.filter(kind="rerun_applied").count() == 1


def test_dropped_rerun_changes_nothing(make_tournament: Make) -> None:
    tournament, matches = finished(make_tournament)
    before = standings_of(tournament)
    rerun = rerun_matches(tournament_id=tournament.id, match_ids=matches[:2], reason="by mistake")
    drop_rerun(rerun_id=rerun.id)
    drop_rerun(rerun_id=rerun.id)
    assert standings_of(tournament) == before
    assert Match.objects.filter(state="void").count() == 2
    with pytest.raises(LeagueError) as refusal:
        apply_rerun(rerun_id=rerun.id)
    assert refusal.value.code == "rerun_closed"


@pytest.mark.parametrize("reason", ["", "  "])
def test_rerun_needs_a_reason(make_tournament: Make, reason: str) -> None:
    tournament, matches = finished(make_tournament)
    with pytest.raises(LeagueError) as refusal:
        rerun_matches(tournament_id=tournament.id, match_ids=matches[:1], reason=reason)
    assert refusal.value.code == "bad_rerun"


@pytest.mark.parametrize("agent", ["person:1", "connected:1"])
def test_who_may_have_seen_the_cards_does_not_play_them_again(make_tournament: Make, agent: str) -> None:
    tournament, matches = finished(make_tournament)
    MatchSeat.objects.filter(match_id=matches[0], seat=1).update(agent=agent)
    with pytest.raises(LeagueError) as refusal:
        rerun_matches(tournament_id=tournament.id, match_ids=matches[:2], reason="I lost")
    assert refusal.value.code == "rerun_needs_bots"
    assert Match.objects.filter(state="ready").count() == 0
