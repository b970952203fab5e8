"""Who is in the field: entries, waiting list, check-in, seeds, leaving, late entry and replacement."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from aurum_league.common.errors import LeagueError
from games.models import MatchSeat, MatchState, Player, PlayerKind, RunnerNeed
from games.services.play import play_ready_matches
from tests.services.tournaments.conftest import Make, make_bots, play_on
from tournaments.models import (
    Bye,
    Entrant,
    EntrantState,
    Fixture,
    FixtureMatch,
    FixtureSeat,
    Tournament,
)
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_late, enter_player, replace_entrant, withdraw_entrant
from tournaments.services.field import seed_entrants

pytestmark = pytest.mark.django_db

ROBIN: dict[str, Any] = {"format": "round_robin", "options": {"meetings": 1}}
DAILY: dict[str, Any] = {**ROBIN, "release": "matchday"}


def first_entrant(tournament: Tournament) -> Entrant:
    return tournament.entrants.order_by("id")[0]


def test_waiting_list_moves_up(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 5, state="open", capacity=3)
    states = list(tournament.entrants.order_by("id").values_list("state", flat=True))
    assert states == ["entered"] * 3 + ["waiting"] * 2
    withdraw_entrant(entrant_id=first_entrant(tournament).id)
    states = list(tournament.entrants.order_by("id").values_list("state", flat=True))
    assert states == ["withdrawn", "entered", "entered", "entered", "waiting"]


def test_seeds_by_hand_come_first(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 5, state="open")
    ids = list(tournament.entrants.order_by("id").values_list("id", flat=True))
    seed_entrants(tournament_id=tournament.id, order=[ids[4], ids[2]])
    draw_tournament(tournament_id=tournament.id)
    assert tournament.stages.get().field[:2] == [ids[4], ids[2]]


@pytest.mark.parametrize(
    ("kind", "entry_kind", "code"),
    [
        pytest.param(PlayerKind.PERSON, "bots", "wrong_kind", id="a person among bots"),
        pytest.param(PlayerKind.BOT, "people", "wrong_kind", id="a bot among people"),
        pytest.param(PlayerKind.TEAM, "mixed", "no_teams", id="a team where nobody has a partner"),
    ],
)
def test_who_may_not_enter(
    make_tournament: Make, organiser: User, kind: PlayerKind, entry_kind: str, code: str
) -> None:
    tournament = make_tournament(ROBIN, 0, state="open", entry_kind=entry_kind)
    player = Player.objects.create(kind=kind, name="Stranger", slug="stranger", owner=organiser)
    with pytest.raises(LeagueError) as refusal:
        enter_player(tournament_id=tournament.id, player=player)
    assert refusal.value.code == code


def test_leaving_undoes_nothing_that_was_played(make_tournament: Make) -> None:
    tournament = make_tournament(DAILY, 9)
    stage = tournament.stages.get()
    leaver = first_entrant(tournament)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    withdraw_entrant(entrant_id=leaver.id)
    play_on(tournament)
    assert tournament.state == "finished"
    played = FixtureMatch.objects.filter(entrants__contains=[leaver.id], match__state=MatchState.FINISHED).count()
    assert played == 1
    row = next(row for row in stage.standings.rows if row["entrant"] == leaver.id)
    assert row["tally"]["played"] == 1


def test_leaving_voids_what_was_released(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9)
    advance_tournament(tournament_id=tournament.id)
    leaver = first_entrant(tournament)
    withdraw_entrant(entrant_id=leaver.id)
    assert Fixture.objects.filter(state="void", seats__entrant=leaver).count() == 4
    assert play_on(tournament).state == "finished"


def test_late_entry_joins_from_the_next_matchday(make_tournament: Make) -> None:
    tournament = make_tournament({"format": "swiss", "options": {"matchdays": 3}}, 9)
    late = enter_late(tournament_id=tournament.id, player=make_bots(1)[0])
    assert late.entered_on == 2
    play_on(tournament)
    assert tournament.state == "finished"
    days = FixtureSeat.objects.filter(entrant=late).values_list("fixture__matchday__number", flat=True)
    byes = Bye.objects.filter(entrant=late).values_list("matchday__number", flat=True)
    assert sorted([*days, *byes]) == [2, 3]


def test_replacement_takes_over_place_and_seats(make_tournament: Make) -> None:
    tournament = make_tournament(ROBIN, 9)
    entrant = first_entrant(tournament)
    former, successor = entrant.player, make_bots(1)[0]
    replace_entrant(entrant_id=entrant.id, player=successor)
    replace_entrant(entrant_id=entrant.id, player=successor)
    play_on(tournament)
    assert tournament.state == "finished"
    assert not MatchSeat.objects.filter(player=former).exists()
    assert MatchSeat.objects.filter(player=successor).count() == 4
    assert Entrant.objects.get(player=former).state == EntrantState.REPLACED
    entrant.refresh_from_db()
    assert entrant.replaces is not None and entrant.replaces.player == former
