"""The demo is alive: two seasons, a cup, an evening to join, a ladder; made once, and going on at the next start."""

import pytest

from aurum_league.operations.demo import DEMO_EVENTS, fill_demo, start_demo
from games.models import RunnerNeed
from games.services.play import play_ready_matches
from tournaments.models import Release, Tournament, TournamentState
from tournaments.services.advance import sweep_tournaments

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]


def play_all() -> None:
    """What the workers of a site would have played once nothing but the clock is waited for."""
    played = True
    while played:
        sweep_tournaments()
        played = bool(play_ready_matches(needs=RunnerNeed.HOUSE))


def read_states() -> dict[str, str]:
    return dict(Tournament.objects.values_list("name", "state"))


def test_the_demo_is_alive() -> None:
    start_demo()
    play_all()
    for _again in range(2):
        fill_demo()
    play_all()
    assert read_states() == {
        "Demo League 1": TournamentState.FINISHED,
        "Demo League 2": TournamentState.PLAYING,
        "Demo Cup": TournamentState.FINISHED,
        "Demo Evening": TournamentState.OPEN,
        "Demo Ladder": TournamentState.PLAYING,
    }
    slow = Tournament.objects.get(name="Demo League 2").stages.get()
    assert slow.release == Release.TIMED
    assert slow.matchdays.filter(state="finished").count() == 1
    evening = Tournament.objects.get(name="Demo Evening")
    assert evening.needs_check_in
    assert not evening.is_rated
    assert set(DEMO_EVENTS) < set(read_states())
