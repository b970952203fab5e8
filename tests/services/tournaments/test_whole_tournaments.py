"""Whole tournaments of every format, played in this process to their end."""

import uuid
from typing import Any

import pytest

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchResult, MatchState, RunnerNeed
from games.services.lease import claim_matches
from games.services.play import Batch
from tests.services.tournaments.conftest import Make, play_on
from tournaments.models import Stage, StageStandings, TournamentEvent
from tournaments.rules.certificate import certify
from tournaments.rules.pairing import TableKind
from tournaments.selectors.situation import read_history
from tournaments.services.advance import advance_tournament, finish_tournament
from tournaments.services.lifecycle import pause_tournament

pytestmark = pytest.mark.django_db

FOUR = {"ruleset": "en4-golden", "table_kind": "teams4"}
WHIST = {"ruleset": "en4", "table_kind": "solo4"}
GOLDEN = {"ruleset": "en3-golden"}


@pytest.mark.parametrize(
    ("stage", "entrants", "spec", "matches"),
    [
        pytest.param({"format": "round_robin", "options": {"meetings": 1}}, 9, {}, 12, id="round robin of nine"),
        pytest.param({"format": "round_robin"}, 5, {}, 5, id="round robin with byes"),
        pytest.param({"format": "round_robin", "options": {"meetings": 1}}, 5, FOUR, 10, id="round robin of sides"),
        pytest.param({"format": "round_robin", "options": {"meetings": 1}}, 8, WHIST, 14, id="whist"),
        pytest.param(
            {"format": "round_robin", "options": {"matchdays": 1}, "block_deals": 2}, 3, {}, 6, id="block of six"
        ),
        pytest.param(
            {"format": "round_robin", "options": {"matchdays": 1}, "matches_each": 4}, 3, {}, 4, id="four a fixture"
        ),
        pytest.param({"format": "swiss", "options": {"matchdays": 3}}, 10, {}, 9, id="swiss with a bye"),
        pytest.param(
            {"format": "swiss", "options": {"matchdays": 2, "house_fills": True}}, 8, {}, 6, id="swiss, house fills"
        ),
        pytest.param({"format": "swiss", "options": {"matchdays": 3}}, 6, FOUR, 9, id="swiss of sides"),
        pytest.param({"format": "swiss", "options": {"matchdays": 3}}, 8, WHIST, 6, id="swiss of individuals at four"),
        pytest.param({"format": "knockout"}, 8, FOUR, 7, id="knockout of sides"),
        pytest.param({"format": "knockout", "block_deals": 1}, 9, GOLDEN, None, id="knockout of equals ends by lots"),
        pytest.param({"format": "knockout"}, 9, GOLDEN, 4, id="knockout at tables of three"),
        pytest.param({"format": "knockout", "options": {"is_double": True}}, 4, FOUR, None, id="double elimination"),
        pytest.param(
            {"format": "league_season", "options": {"divisions": [3, 3], "laps": 1}}, 6, {}, None, id="two divisions"
        ),
        pytest.param({"format": "gauntlet"}, 5, {}, 2, id="gauntlet"),
        pytest.param(
            {"format": "round_robin", "options": {"meetings": 1}, "release": "matchday"}, 9, {}, 12, id="day by day"
        ),
    ],
)
def test_plays_to_the_end(
    make_tournament: Make, stage: dict[str, Any], entrants: int, spec: dict[str, Any], matches: int | None
) -> None:
    tournament = play_on(make_tournament(stage, entrants, **spec))
    assert tournament.state == "finished"
    assert tournament.finished_at is not None
    ended = Match.objects.filter(state=MatchState.FINISHED).count()
    assert ended == MatchResult.objects.count() == Match.objects.count()
    assert matches in (None, ended)
    stored = StageStandings.objects.get(stage__tournament=tournament)
    assert stored.version == stored.stage.results_version
    assert sorted(row["entrant"] for row in stored.rows) == sorted(stored.stage.field)
    assert len(stored.rows) == entrants
    for row in stored.rows:
        assert row["values"]["match_points"] in (None, row["points"])
        assert row["values"]["wins"] in (None, row["wins"])
        assert row["certainty"] is None or row["certainty"]["best"] <= row["certainty"]["worst"]
    numbers = list(TournamentEvent.objects.filter(tournament=tournament).values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def test_groups_lead_to_a_final(make_tournament: Make) -> None:
    stages = [
        {"format": "league_season", "name": "Groups", "groups": 3, "options": {"laps": 1, "meetings": 2}, "cut": 3},
        {"format": "knockout", "name": "Final"},
    ]
    tournament = play_on(make_tournament({}, 9, stages=stages, **GOLDEN))
    assert tournament.state == "finished"
    groups, final = tournament.stages.order_by("number")
    rows = groups.standings.rows
    winners = {row["entrant"] for row in rows if row["place"] == 1}
    assert len(winners) >= 3
    assert set(final.field) <= winners
    assert len(final.field) == 3
    assert sorted(row["place"] for row in final.standings.rows)[0] == 1


def test_ladder_runs_until_it_is_finished_by_hand(make_tournament: Make) -> None:
    tournament = play_on(make_tournament({"format": "ladder"}, 6), waves=4)
    assert tournament.state == "playing"
    ended = Match.objects.filter(state=MatchState.FINISHED).count()
    assert ended >= 6
    advance_tournament(tournament_id=tournament.id)
    with pytest.raises(LeagueError) as refusal:
        finish_tournament(tournament_id=tournament.id)
    assert refusal.value.code == "still_playing"
    pause_tournament(tournament_id=tournament.id)
    for _ in range(2):
        finish_tournament(tournament_id=tournament.id)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert Match.objects.filter(state=MatchState.FINISHED).count() == ended
    assert not Match.objects.exclude(state__in=(MatchState.FINISHED, MatchState.VOID)).exists()
    assert tournament.stages.get().standings.version == tournament.stages.get().results_version


def test_a_ladder_waits_for_tables_under_way(make_tournament: Make) -> None:
    tournament = make_tournament({"format": "ladder"}, 6)
    token = uuid.uuid4()
    claimed = claim_matches(token=token, limit=1, needs=RunnerNeed.HOUSE)
    pause_tournament(tournament_id=tournament.id)
    with pytest.raises(LeagueError) as refusal:
        finish_tournament(tournament_id=tournament.id)
    assert refusal.value.code == "still_playing"
    Batch(claimed, token).play()
    finish_tournament(tournament_id=tournament.id)
    assert list(Match.objects.exclude(state=MatchState.VOID).values_list("state", flat=True)) == ["finished"]


def test_what_ends_by_itself_is_not_finished_by_hand(make_tournament: Make) -> None:
    tournament = make_tournament({"format": "round_robin"}, 6)
    pause_tournament(tournament_id=tournament.id)
    with pytest.raises(LeagueError) as refusal:
        finish_tournament(tournament_id=tournament.id)
    assert refusal.value.code == "ends_by_itself"


def test_stored_schedule_has_the_promised_balance(make_tournament: Make) -> None:
    tournament = make_tournament({"format": "round_robin", "options": {"meetings": 1}}, 9, state="drawn")
    stage = Stage.objects.get(tournament=tournament)
    days = [[table.pairing.seats for table in day.tables] for day in read_history(stage, TableKind.SOLO3)]
    certificate = certify(days, TableKind.SOLO3, stage.field)
    assert all(certificate[name].is_at_bound for name in ("matches", "meetings", "byes", "seats"))
