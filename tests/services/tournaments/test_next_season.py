"""From a finished season to the next: who goes up and down, who is left out, once however often it is asked for."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from aurum_league.common.errors import LeagueError
from tests.services.tournaments.conftest import make_bots, play_on
from tournaments.models import Entrant, League, StageStandings, Tournament
from tournaments.selectors.leagues import split_field
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players, withdraw_entrant
from tournaments.services.leagues import (
    Move,
    create_league,
    create_next_season,
    create_tournament,
    edit_league,
    plan_next_season,
)
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

pytestmark = pytest.mark.django_db

SEASON: dict[str, Any] = {
    "format": "league_season",
    "options": {"divisions": [3, 3, 3], "laps": 1, "meetings": 2},
}


def play_season(organiser: User, stage: dict[str, Any], *, leaves: bool = False) -> Tournament:
    league = create_league(name="City League", organiser=organiser)
    tournament = create_tournament(spec={"name": "First", "stages": [stage]}, organiser=organiser, league=league)
    open_tournament(tournament_id=tournament.id)
    enter_players(tournament_id=tournament.id, players=make_bots(9))
    draw_tournament(tournament_id=tournament.id)
    start_tournament(tournament_id=tournament.id)
    if leaves:
        withdraw_entrant(entrant_id=tournament.entrants.earliest("id").id)
    return play_on(tournament)


def list_divisions(tournament: Tournament) -> list[list[int]]:
    """Players of each division in the order of the final standings."""
    rows = StageStandings.objects.get(stage__tournament=tournament).rows
    players = dict(tournament.entrants.values_list("id", "player_id"))
    divisions: dict[str, list[int]] = {}
    for row in rows:
        divisions.setdefault(row["division"], []).append(players[row["entrant"]])
    return list(divisions.values())


def list_new_divisions(tournament: Tournament) -> list[list[int]]:
    """Players of each division as the next season is drawn."""
    draw_tournament(tournament_id=tournament.id)
    stage = tournament.stages.get()
    players = dict(Entrant.objects.filter(tournament=tournament).values_list("id", "player_id"))
    return [[players[one] for one in members] for _, members in split_field(tournament, stage)]


def test_the_first_go_up_and_the_last_go_down(organiser: User) -> None:
    season = play_season(organiser, SEASON)
    first, second, third = list_divisions(season)
    following = create_next_season(tournament_id=season.id, actor=organiser)
    assert (following.state, following.season, following.name) == ("open", 2, "City League 2")
    assert following.organiser == organiser
    assert [set(one) for one in list_new_divisions(following)] == [
        {*first[:2], second[0]},
        {first[2], second[1], third[0]},
        {second[2], *third[1:]},
    ]


def test_the_preview_says_what_is_made(organiser: User) -> None:
    season = play_season(organiser, SEASON)
    plan = plan_next_season(tournament=season, moves=1)
    moves = [[place.move for place in division] for division in plan.divisions]
    assert [sorted(division) for division in moves] == [
        [Move.STAYS, Move.STAYS, Move.UP],
        [Move.DOWN, Move.STAYS, Move.UP],
        [Move.DOWN, Move.STAYS, Move.STAYS],
    ]
    shown = [{place.entrant.player_id for place in division} for division in plan.divisions]
    assert Tournament.objects.count() == 1
    assert [set(one) for one in list_new_divisions(create_next_season(tournament_id=season.id))] == shown


def test_who_left_is_left_out_and_who_is_gone_cannot_block(organiser: User) -> None:
    season = play_season(organiser, SEASON, leaves=True)
    gone = season.entrants.earliest("id")
    retired = season.entrants.latest("id").player
    retired.is_active = False
    retired.save()
    plan = plan_next_season(tournament=season, moves=1)
    assert {entrant.player_id for entrant in plan.left_out} == {gone.player_id, retired.id}
    following = create_next_season(tournament_id=season.id)
    assert following.entrants.count() == 7
    assert sum(following.stages.get().options["divisions"]) == 7


def test_nobody_moves_where_nobody_shall(organiser: User) -> None:
    season = play_season(organiser, SEASON)
    following = create_next_season(tournament_id=season.id, moves=0, name="Second Spring")
    assert following.name == "Second Spring"
    assert [set(one) for one in list_new_divisions(following)] == [set(one) for one in list_divisions(season)]


@pytest.mark.parametrize(
    "stage",
    [
        pytest.param({"format": "round_robin", "options": {"matchdays": 2}}, id="one division"),
        pytest.param({**SEASON, "options": {"laps": 1, "meetings": 2}, "groups": 3}, id="groups dealt from one field"),
    ],
)
def test_a_season_without_divisions_is_seeded_by_its_standings(organiser: User, stage: dict[str, Any]) -> None:
    season = play_season(organiser, stage)
    following = create_next_season(tournament_id=season.id)
    rows = sorted(StageStandings.objects.get(stage__tournament=season).rows, key=lambda row: row["place"])
    best = season.entrants.get(pk=rows[0]["entrant"]).player_id
    assert following.entrants.get(seed_number=1).player_id == best
    draw_tournament(tournament_id=following.id)


def test_it_is_made_once(organiser: User) -> None:
    season = play_season(organiser, SEASON)
    first = create_next_season(tournament_id=season.id)
    assert create_next_season(tournament_id=season.id, moves=2) == first
    assert Tournament.objects.count() == 2
    assert season.events.filter(kind="next_season").count() == 1


def test_refusals(organiser: User) -> None:
    season = play_season(organiser, SEASON)
    with pytest.raises(LeagueError) as refusal:
        create_next_season(tournament_id=season.id, moves=-1)
    assert refusal.value.code == "bad_moves"
    Tournament.objects.filter(pk=season.pk).update(league=None, season=None)
    with pytest.raises(LeagueError) as refusal:
        create_next_season(tournament_id=season.id)
    assert refusal.value.code == "no_season"
    assert Tournament.objects.count() == 1


def test_a_league_is_renamed_at_its_old_address(organiser: User) -> None:
    league = create_league(name="City League", organiser=organiser)
    for _ in range(2):
        edit_league(league_id=league.pk, name=" Town League ", description="new")
    league.refresh_from_db()
    assert (league.name, league.slug, league.description) == ("Town League", "city-league", "new")
    wrong = (("", league.pk, "bad_name"), ("x" * 81, league.pk, "bad_name"), ("y", 0, "no_league"))
    for name, league_id, code in wrong:
        with pytest.raises(LeagueError) as refusal:
            edit_league(league_id=league_id, name=name)
        assert refusal.value.code == code
    assert League.objects.get().name == "Town League"
