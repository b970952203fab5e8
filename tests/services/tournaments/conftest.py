"""An organiser, house players, and a tournament taken as far as a test wants it."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User

from games.models import Match, MatchState, Player, PlayerKind, RunnerNeed
from games.services.play import play_ready_matches
from tournaments.models import Tournament, TournamentState
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament
from tournaments.services.entries import enter_players
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import open_tournament
from tournaments.services.release import start_tournament

STATES = ("draft", "open", "drawn", "playing")

Make = Callable[..., Tournament]


@pytest.fixture
def organiser(db: None) -> User:
    return User.objects.create_user("organiser-of-tests")


def make_bots(count: int, brain: str = "greedy") -> list[Player]:
    """So many players of one house brain."""
    made = Player.objects.count()
    return Player.objects.bulk_create(
        [
            Player(kind=PlayerKind.HOUSE, name=f"Bot {number}", slug=f"house-{brain}_{number}")
            for number in range(made + 1, made + count + 1)
        ]
    )


@pytest.fixture
def make_tournament(organiser: User) -> Make:
    def make(stage: Mapping[str, Any], entrants: int = 9, state: str = "playing", **spec: Any) -> Tournament:
        stages = spec.pop("stages", [stage])
        tournament = create_tournament(
            spec={"name": "Test", "stages": stages, **spec}, organiser=organiser
        )
        steps = STATES[1 : STATES.index(state) + 1]
        if "open" in steps:
            open_tournament(tournament_id=tournament.id)
            enter_players(tournament_id=tournament.id, players=make_bots(entrants))
        if "drawn" in steps:
            draw_tournament(tournament_id=tournament.id)
        if "playing" in steps:
            start_tournament(tournament_id=tournament.id)
        tournament.refresh_from_db()
        return tournament

    return make


def play_on(tournament: Tournament, waves: int = 60) -> Tournament:
    """Play and advance in this process until the tournament ends or nothing moves."""
    for _ in range(waves):
        advance_tournament(tournament_id=tournament.id)
        tournament.refresh_from_db()
        if tournament.state != TournamentState.PLAYING:
            break
        play_ready_matches(needs=RunnerNeed.HOUSE)
        assert not Match.objects.filter(state=MatchState.QUARANTINED).exists()
    return tournament
