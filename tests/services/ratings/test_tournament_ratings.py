"""Ratings of tournament matches: fixed teams as themselves and by their members, and nothing for what became void."""

import pytest
from django.contrib.auth.models import User

from games.models import Match, Player, PlayerKind
from tests.services.ratings.conftest import settle_ready
from tests.services.tournaments.conftest import Make, make_bots, make_tournament, organiser, play_on
from tournaments.models import Fixture, FixtureMatch, FixtureState, Rating, RatingChange, RatingPool, Team
from tournaments.services.decisions import void_match
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.rebuild import audit_pool, refresh_ratings
from tournaments.services.release import start_tournament

__all__ = ["make_tournament", "organiser"]
pytestmark = pytest.mark.django_db

TEAMS = {"table_kind": "teams4", "ruleset": "en4"}


def make_teams(count: int, creator: User) -> list[Player]:
    """Fixed teams of two house bots each; their players."""
    members = make_bots(2 * count)
    teams = []
    for number, (first, second) in enumerate(zip(members[::2], members[1::2], strict=True)):
        player = Player.objects.create(
            kind=PlayerKind.TEAM, name=f"Team {number}", slug=f"team-{number}", owner=creator
        )
        Team.objects.create(player=player, first=first, second=second, created_by=creator)
        teams.append(player)
    return teams


def test_a_fixed_team_is_rated_as_itself_and_by_its_members(make_tournament: Make, organiser: User) -> None:
    tournament = make_tournament({"format": "round_robin", "options": {"meetings": 1}}, 0, state="open", **TEAMS)
    teams = make_teams(3, organiser)
    enter_players(tournament_id=tournament.id, players=teams)
    draw_tournament(tournament_id=tournament.id)
    start_tournament(tournament_id=tournament.id)
    play_on(tournament)
    matches = FixtureMatch.objects.filter(stage__tournament=tournament).count()
    pools = {str(pool): pool for pool in RatingPool.objects.all()}
    assert set(pools) == {"bots-4", "bots-4-teams"}
    assert pools["bots-4"].sequence == pools["bots-4-teams"].sequence == matches
    assert {rating.player for rating in pools["bots-4-teams"].ratings.all()} == set(teams)
    assert pools["bots-4"].ratings.count() == 6
    assert all(audit_pool(pool_id=pool.id).is_clean for pool in pools.values())


def test_a_bot_that_is_a_side_is_rated_once(make_tournament: Make) -> None:
    tournament = play_on(make_tournament({"format": "round_robin", "options": {"meetings": 1}}, 4, **TEAMS))
    assert [str(pool) for pool in RatingPool.objects.all()] == ["bots-4-teams"]
    assert Rating.objects.count() == 4
    assert RatingChange.objects.count() == 2 * Match.objects.filter(fixture_match__stage__tournament=tournament).count()


def test_a_match_that_ends_after_its_fixture_became_void_is_not_rated(make_tournament: Make) -> None:
    tournament = make_tournament({"format": "round_robin", "options": {"meetings": 1}}, 3)
    match = Match.objects.get(fixture_match__stage__tournament=tournament)
    Fixture.objects.update(state=FixtureState.VOID)
    settle_ready({match.id: ((1, 2, 3), ())})
    assert not RatingChange.objects.exists()


def test_a_voided_match_is_taken_back_from_the_ratings(make_tournament: Make, organiser: User) -> None:
    tournament = play_on(make_tournament({"format": "round_robin", "options": {"meetings": 1}}, 9))
    pool = RatingPool.objects.get()
    change = RatingChange.objects.filter(pool=pool, sequence=4)[0]
    void_match(match_id=change.match_id, reason="a wrong ruleset", actor=organiser)
    assert not audit_pool(pool_id=pool.id).is_clean
    refresh_ratings()
    assert audit_pool(pool_id=pool.id).is_clean
    assert not RatingChange.objects.filter(match=change.match_id).exists()
    pool.refresh_from_db()
    assert pool.sequence == pool.fitted_sequence == tournament.stages.get().matchdays.count() * 3 - 1
