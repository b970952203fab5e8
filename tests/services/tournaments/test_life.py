"""A state machine over the life of a tournament: whatever happens in whatever order, the promises hold."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchResult, MatchState, RunnerNeed
from games.services.play import play_ready_matches
from tests.services.tournaments.conftest import make_bots
from tournaments.models import Bye, Fixture, FixtureSeat, Matchday, StageStandings
from tournaments.rules.lifecycle import TRANSITIONS, State
from tournaments.services.advance import advance_tournament
from tournaments.services.draw import draw_tournament, reopen_tournament
from tournaments.services.entries import (
    disqualify_entrant,
    enter_late,
    enter_players,
    replace_entrant,
    withdraw_entrant,
)
from tournaments.services.leagues import create_tournament
from tournaments.services.lifecycle import cancel_tournament, open_tournament, pause_tournament, resume_tournament
from tournaments.services.release import release_by_hand, start_tournament

REFUSALS = {"wrong_state", "too_few_entrants", "empty_draw", "has_left", "no_late_entry", "already_entered"}
FORMATS: dict[str, dict[str, Any]] = {
    "round robin": {"stages": [{"format": "round_robin"}]},
    "day by day": {"stages": [{"format": "round_robin", "options": {"meetings": 1}, "release": "matchday"}]},
    "swiss": {"stages": [{"format": "swiss", "options": {"matchdays": 3, "house_fills": True}}]},
    "by hand": {"stages": [{"format": "swiss", "options": {"matchdays": 2}, "release": "by_hand"}]},
    "sides": {"ruleset": "en4", "table_kind": "teams4", "stages": [{"format": "round_robin", "block_deals": 1}]},
    "knockout": {"ruleset": "en3-golden", "stages": [{"format": "knockout"}]},
}


class TournamentLife(RuleBasedStateMachine):
    """Each rule is one service; those refused at this moment must say so with a code and change nothing."""

    spec: dict[str, Any]

    def __init__(self) -> None:
        super().__init__()
        organiser = User.objects.create_user(f"organiser-{User.objects.count()}")
        self.tournament = create_tournament(spec={"name": "Life", **self.spec}, organiser=organiser)
        open_tournament(tournament_id=self.tournament.id)
        enter_players(tournament_id=self.tournament.id, players=make_bots(6))
        self.tournament.refresh_from_db()
        self.ended: set[int] = set()

    def attempt(self, service: Any, **arguments: Any) -> None:
        state, events = self.tournament.state, self.tournament.events.count()
        try:
            service(**arguments)
        except LeagueError as refusal:
            assert refusal.code in REFUSALS, refusal.code
            self.tournament.refresh_from_db()
            assert (self.tournament.state, self.tournament.events.count()) == (state, events)
        self.tournament.refresh_from_db()

    @rule(
        service=st.sampled_from(
            [draw_tournament, reopen_tournament, start_tournament, pause_tournament, resume_tournament, release_by_hand]
        )
    )
    def take_step(self, service: Any) -> None:
        self.attempt(service, tournament_id=self.tournament.id)

    @rule()
    def start_at_once(self) -> None:
        self.attempt(draw_tournament, tournament_id=self.tournament.id)
        self.attempt(start_tournament, tournament_id=self.tournament.id)

    @rule(chosen=st.integers(0, 9), service=st.sampled_from([withdraw_entrant, disqualify_entrant]))
    def leave(self, chosen: int, service: Any) -> None:
        entrants = list(self.tournament.entrants.order_by("id"))
        self.attempt(service, entrant_id=entrants[chosen % len(entrants)].id, reason="a reason")

    @rule()
    def enter_later(self) -> None:
        self.attempt(enter_late, tournament_id=self.tournament.id, player=make_bots(1)[0])

    @rule(chosen=st.integers(0, 9))
    def replace(self, chosen: int) -> None:
        entrants = list(self.tournament.entrants.order_by("id"))
        self.attempt(replace_entrant, entrant_id=entrants[chosen % len(entrants)].id, player=make_bots(1)[0])

    @rule()
    def play(self) -> None:
        play_ready_matches(needs=RunnerNeed.HOUSE)

    @rule()
    def advance(self) -> None:
        self.attempt(advance_tournament, tournament_id=self.tournament.id)

    @rule(times=st.integers(0, 20))
    def cancel_rarely(self, times: int) -> None:
        if times == 20:
            self.attempt(cancel_tournament, tournament_id=self.tournament.id)

    @invariant()
    def nothing_played_is_undone(self) -> None:
        mine = MatchResult.objects.filter(match__fixture_match__stage__tournament=self.tournament)
        ended = set(mine.values_list("pk", flat=True))
        assert self.ended <= ended
        self.ended = ended

    @invariant()
    def nobody_is_twice_on_a_matchday(self) -> None:
        for day in Matchday.objects.filter(stage__tournament=self.tournament):
            seats = FixtureSeat.objects.filter(fixture__matchday=day, entrant__isnull=False)
            seated = list(seats.values_list("entrant_id", flat=True))
            resting = list(Bye.objects.filter(matchday=day).values_list("entrant_id", flat=True))
            assert len(set(seated + resting)) == len(seated + resting)

    @invariant()
    def fixtures_know_what_is_open(self) -> None:
        for fixture in Fixture.objects.filter(matchday__stage__tournament=self.tournament, state="pending"):
            links = fixture.fixture_matches
            assert fixture.open_matches == links.exclude(match__state=MatchState.FINISHED).count()

    @invariant()
    def events_have_no_gaps(self) -> None:
        numbers = list(self.tournament.events.order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))

    @invariant()
    def finished_means_nothing_is_left(self) -> None:
        mine = Match.objects.filter(fixture_match__stage__tournament=self.tournament)
        left = mine.exclude(state__in=(MatchState.FINISHED, MatchState.VOID))
        if self.tournament.state == State.CANCELLED:
            begun = Fixture.objects.filter(fixture_matches__match__state=MatchState.FINISHED)
            left = left.exclude(fixture_match__fixture__in=begun).union(left.filter(state=MatchState.HELD))
        if self.tournament.state in (State.FINISHED, State.CANCELLED):
            assert not left.exists()
        if self.tournament.state == State.FINISHED:
            stored = StageStandings.objects.filter(stage__tournament=self.tournament)
            assert all(one.version == one.stage.results_version for one in stored)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.django_db
def test_life_keeps_its_promises(name: str) -> None:
    machine = type("Life", (TournamentLife,), {"spec": FORMATS[name]})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=6,
            phases=(Phase.generate,),
            stateful_step_count=20,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_every_state_can_be_left_or_is_an_end() -> None:
    left = {state for (state, _), following in TRANSITIONS.items() if following != state}
    assert set(State) - left == {State.FINISHED, State.CANCELLED}
