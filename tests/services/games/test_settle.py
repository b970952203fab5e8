"""What a claim hands to a worker, and what settling stores, announces and tells."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from bots.brains import make_brain
from games.models import Match, MatchResult, MatchState, Player, PlayerKind, RunnerNeed, SeatFailure
from games.play.agents import AgentFault, AgentRef
from games.play.table import Failure, Summary, play_match, summarise
from games.rules.match import Match as Play
from games.rules.match import pack_log
from games.rules.ruleset import Ruleset
from games.services.lease import ClaimedMatch, ClaimedSeat, claim_matches, free_stale_leases, give_back_matches
from games.services.settle import PlayedMatch, settle_matches
from games.signals import SettledMatch, SettledSeat, match_moved, matches_settled
from tests.services.games.conftest import MakeMatches

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
TOKEN = uuid.UUID(int=5)
HOUSE = ("house:random", "house:greedy", "house:random")
CLOCK: dict[str, object] = {"bank": 60.0}
BEGUN = pack_log([0, 1])


@pytest.fixture
def stored(make_matches: MakeMatches) -> Match:
    """A match whose every column says something; a person sits in seat 1."""
    (match,) = make_matches(*HOUSE)
    Match.objects.filter(pk=match.pk).update(clock=CLOCK, is_rated=True, log=BEGUN, clocks={"1": {"bank": 4.0}})
    owner = User.objects.create_user("agnes")
    Player.objects.filter(slug="house-1").update(kind=PlayerKind.PERSON, owner=owner)
    return match


def claim(limit: int = 10) -> tuple[ClaimedMatch, ...]:
    return claim_matches(token=TOKEN, limit=limit, needs=RunnerNeed.HOUSE)


def play_out(claimed: ClaimedMatch) -> Summary:
    play = Play(Ruleset.from_code(claimed.ruleset), claimed.seed)
    play_match(play, [make_brain("random", seat) for seat in range(play.players)])
    return summarise(play)


def list_seats(match: Match) -> list[Any]:
    return list(match.seats.select_related("player").order_by("seat"))


def test_a_claim_hands_over_the_whole_match(stored: Match) -> None:
    (claimed,) = claim()
    seats = tuple(
        ClaimedSeat(seat.seat, seat.side, seat.player_id, seat.ref, seat.player.kind, seat.player.name)
        for seat in list_seats(stored)
    )
    assert claimed == ClaimedMatch(
        id=stored.pk,
        kind="casual",
        ruleset="en3",
        is_rated=True,
        seed=bytes(stored.seed),
        deals=stored.deals,
        log=BEGUN,
        clock={"bank": 60.0},
        clocks={"1": {"bank": 4.0}},
        attempt=1,
        seats=seats,
    )


def test_a_claim_is_in_the_order_of_its_matches(make_matches: MakeMatches) -> None:
    matches = make_matches(*HOUSE, count=4)
    for kind, match in zip(("trial", "scrimmage", "casual", "tournament"), matches, strict=True):
        Match.objects.filter(pk=match.pk).update(kind=kind)
    assert [claimed.id for claimed in claim()] == [match.pk for match in matches]


def test_settling_announces_who_played_what(stored: Match) -> None:
    (claimed,) = claim()
    summary = play_out(claimed)
    heard: list[SettledMatch] = []

    def hear(matches: tuple[SettledMatch, ...], **details: object) -> None:
        heard.extend(matches)

    matches_settled.connect(hear)
    try:
        settle_matches(played=[PlayedMatch(claimed, summary, ())], token=TOKEN)
    finally:
        matches_settled.disconnect(hear)
    seats = tuple(
        SettledSeat(seat.seat, seat.side, seat.player_id, seat.ref, seat.seat == 1) for seat in list_seats(stored)
    )
    assert heard == [SettledMatch(stored.pk, "casual", "en3", 3, True, str(stored.deals), seats, summary)]


def test_a_result_keeps_its_summary_and_the_match_nothing_else(stored: Match) -> None:
    (claimed,) = claim()
    summary = play_out(claimed)
    settle_matches(played=[PlayedMatch(claimed, summary, (), cpu_us=77)], token=TOKEN)
    result = MatchResult.objects.select_related("match").get(match=stored)
    kept = {name: getattr(result, name) for name in Summary.__slots__}
    assert kept | {"log": bytes(result.log)} == {name: getattr(summary, name) for name in Summary.__slots__}
    assert (result.cpu_us, result.is_by_hand) == (77, False)
    assert (result.match.lease_until, bytes(result.match.log)) == (None, b"")


@pytest.mark.parametrize("is_timed", [True, False])
def test_who_follows_a_timed_match_is_told_of_its_end(
    make_matches: MakeMatches,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    is_timed: bool,
) -> None:
    (match,) = make_matches(*HOUSE)
    Match.objects.update(clock=CLOCK if is_timed else None)
    (claimed,) = claim()
    summary = play_out(claimed)
    told: list[tuple[object, ...]] = []

    def hear(match_id: int, agents: tuple[AgentRef, ...], version: int, **details: object) -> None:
        told.append((match_id, tuple(map(str, agents)), version))

    match_moved.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            settle_matches(played=[PlayedMatch(claimed, summary, ())], token=TOKEN)
    finally:
        match_moved.disconnect(hear)
    assert told == ([(match.pk, HOUSE, len(summary.log) // 2 + 1)] if is_timed else [])


def test_a_failure_is_kept_once_and_not_endlessly_long(make_matches: MakeMatches) -> None:
    make_matches(*HOUSE)
    (claimed,) = claim()
    fault = AgentFault("crash", "d" * 5_000, asked="q" * 80_000, answered="a" * 80_000, stderr="e" * 20_000)
    failures = (Failure(2, 7, fault), Failure(2, 7, fault))
    settle_matches(played=[PlayedMatch(claimed, play_out(claimed), failures)], token=TOKEN)
    failure = SeatFailure.objects.get()
    assert (failure.match_id, failure.seat, failure.step, failure.verdict) == (claimed.id, 2, 7, "crash")
    texts = (failure.detail, failure.asked, failure.answered, failure.stderr)
    assert texts == ("d" * 4_000, "q" * 70_000, "a" * 70_000, "e" * 17_000)


@pytest.mark.parametrize(
    ("attempt", "state"),
    [
        pytest.param(2, MatchState.READY, id="an attempt is left"),
        pytest.param(3, MatchState.QUARANTINED, id="the last attempt"),
    ],
)
def test_what_is_given_back_is_nobodys(make_matches: MakeMatches, attempt: int, state: MatchState) -> None:
    (match,) = make_matches(*HOUSE)
    claim()
    Match.objects.filter(pk=match.pk).update(attempt=attempt)
    give_back_matches(ids=[match.pk], token=TOKEN, trouble="x" * 3_000)
    match.refresh_from_db()
    assert (match.state, match.lease_token, match.lease_until) == (state, None, None)
    assert match.trouble == "x" * 2_000


def test_what_a_dead_worker_held_is_nobodys(make_matches: MakeMatches) -> None:
    (match,) = make_matches(*HOUSE)
    claim()
    Match.objects.update(lease_until=timezone.now() - timedelta(hours=1))
    free_stale_leases()
    match.refresh_from_db()
    assert (match.lease_token, match.lease_until) == (None, None)
