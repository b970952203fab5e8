"""Leases, fences and settling on a real database: a match is played by one worker and counts once."""

import time
import uuid
from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, InternalError, connection, transaction
from django.utils import timezone

from bots.brains import make_brain
from games.models import Match, MatchResult, MatchState, RunnerNeed
from games.play.agents import Agent, SeatOrder, register_agents
from games.play.table import play_match, summarise
from games.rules.match import Match as Play
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.rules.view import View
from games.services.lease import (
    SUSPECTS_TOGETHER,
    ClaimedMatch,
    claim_matches,
    free_stale_leases,
    give_back_matches,
    keep_leases,
)
from games.services.play import play_ready_matches
from games.services.settle import PlayedMatch, settle_matches
from games.signals import matches_settled
from tests.services.games.conftest import MakeMatches

HOUSE = ("house:random", "house:greedy", "house:random")
pytestmark = pytest.mark.django_db


def claim(limit: int = 10) -> tuple[uuid.UUID, tuple[ClaimedMatch, ...]]:
    token = uuid.uuid4()
    return token, claim_matches(token=token, limit=limit, needs=RunnerNeed.HOUSE)


def played(claimed: ClaimedMatch) -> PlayedMatch:
    match = Play(Ruleset.from_code(claimed.ruleset), claimed.seed)
    play_match(match, [make_brain("random", seat) for seat in range(match.players)])
    return PlayedMatch(claimed, summarise(match), ())


def expire(*matches: Match) -> None:
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(
        lease_until=timezone.now() - timedelta(hours=1)
    )


def test_a_claimed_match_is_not_claimed_again(make_matches: MakeMatches) -> None:
    make_matches(*HOUSE, count=3)
    _, first = claim(2)
    _, second = claim(2)
    assert len(first) == 2 and len(second) == 1
    assert not {match.id for match in first} & {match.id for match in second}


def test_a_batch_is_played_and_every_log_gives_the_result_again(make_matches: MakeMatches) -> None:
    matches = make_matches(*HOUSE, count=5)
    assert play_ready_matches(needs=RunnerNeed.HOUSE) == 5
    for match in Match.objects.select_related("result").filter(pk__in=[match.pk for match in matches]):
        again = replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(match.result.log)))
        assert match.state == MatchState.FINISHED
        assert again.result is not None
        assert match.result.places == [again.result.place_of(side) for side in range(3)]


def test_a_worker_that_lost_its_lease_settles_nothing(make_matches: MakeMatches) -> None:
    (match,) = make_matches(*HOUSE)
    late_token, (late,) = claim()
    expire(match)
    assert free_stale_leases() == 1
    new_token, (again,) = claim()
    assert settle_matches(played=[played(late)], token=late_token) == frozenset()
    assert not MatchResult.objects.filter(match=match).exists()
    assert settle_matches(played=[played(again)], token=new_token) == {match.pk}
    assert settle_matches(played=[played(again)], token=new_token) == frozenset()
    assert MatchResult.objects.filter(match=match).count() == 1


def test_a_heartbeat_keeps_only_what_is_still_mine(make_matches: MakeMatches) -> None:
    first, second = make_matches(*HOUSE, count=2)
    token, _ = claim()
    expire(first)
    free_stale_leases()
    assert keep_leases(ids=[first.pk, second.pk], token=token) == {second.pk}


def test_a_match_that_fails_three_times_is_set_aside_and_the_others_go_on(make_matches: MakeMatches) -> None:
    (poison,) = make_matches("house:nobody-knows", "house:random", "house:random")
    fine = make_matches(*HOUSE, count=4)
    for _ in range(3):
        play_ready_matches(needs=RunnerNeed.HOUSE)
    poison.refresh_from_db()
    assert poison.state == MatchState.QUARANTINED
    assert "nobody-knows" in poison.trouble
    assert Match.objects.filter(pk__in=[match.pk for match in fine], state=MatchState.FINISHED).count() == 4


def test_a_lease_that_ran_out_three_times_is_set_aside_with_its_reason(make_matches: MakeMatches) -> None:
    (match,) = make_matches(*HOUSE)
    for _ in range(3):
        claim(1)
        expire(match)
        free_stale_leases()
    match.refresh_from_db()
    assert match.state == MatchState.QUARANTINED
    assert "stopped answering" in match.trouble


def test_a_batch_is_not_blamed_for_the_match_that_killed_its_worker(make_matches: MakeMatches) -> None:
    matches = make_matches(*HOUSE, count=4)
    claim(4)
    expire(*matches)
    free_stale_leases()
    poison = matches[0]
    _, together = claim(4)
    assert len(together) == 4
    expire(*matches)
    free_stale_leases()
    _, (alone,) = claim(4)
    assert alone.id == poison.pk
    expire(poison)
    free_stale_leases()
    poison.refresh_from_db()
    assert poison.state == MatchState.QUARANTINED
    assert play_ready_matches(needs=RunnerNeed.HOUSE) == 3


def test_matches_that_a_worker_died_on_are_tried_again_a_few_together(make_matches: MakeMatches) -> None:
    matches = make_matches(*HOUSE, count=SUSPECTS_TOGETHER + 5)
    claim(100)
    expire(*matches)
    free_stale_leases()
    fresh = make_matches(*HOUSE, count=2)
    sizes = [len(claim(100)[1]) for _ in range(4)]
    assert sizes == [SUSPECTS_TOGETHER, 5, len(fresh), 0]


def test_a_live_match_that_a_worker_died_on_is_claimed_again(make_matches: MakeMatches) -> None:
    """Live matches are claimed one by one from the start."""
    (match,) = make_matches(*HOUSE)
    for attempt in (1, 2, 3):
        (claimed,) = claim(1)[1]
        assert claimed.attempt == attempt
        expire(match)
        free_stale_leases()
    assert claim(1)[1] == ()


def test_a_lease_is_kept_between_the_decisions_of_one_match(
    make_matches: MakeMatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three bots that use up their banks take longer than a lease."""
    (match,) = make_matches("slow:random", "house:random", "house:random")
    ends: list[datetime | None] = []

    def open_slow(order: SeatOrder) -> Agent:
        brain = make_brain("random", 1)

        class Slow:
            def choose(self, view: View) -> int:
                ends.append(Match.objects.values_list("lease_until", flat=True).get(pk=match.pk))
                Match.objects.filter(pk=match.pk).update(lease_until=timezone.now())
                return brain.choose(view)

        return Slow()

    register_agents("slow", open_slow)
    monkeypatch.setattr("games.services.play.HEARTBEAT_SECONDS", 0)
    assert play_ready_matches(needs=RunnerNeed.HOUSE) == 1
    assert len(ends) > 10 and all(end and end > timezone.now() for end in ends)


def test_a_match_given_back_by_somebody_else_stays_where_it_is(make_matches: MakeMatches) -> None:
    (match,) = make_matches(*HOUSE)
    claim()
    give_back_matches(ids=[match.pk], token=uuid.uuid4(), trouble="not mine")
    match.refresh_from_db()
    assert match.state == MatchState.PLAYING


def test_an_error_in_a_receiver_leaves_the_match_unsettled(make_matches: MakeMatches) -> None:
    (match,) = make_matches(*HOUSE)
    token, (claimed,) = claim()

    def fail(**kwargs: object) -> None:
        raise IntegrityError("planted")

    matches_settled.connect(fail)
    try:
        with pytest.raises(IntegrityError), transaction.atomic():
            settle_matches(played=[played(claimed)], token=token)
    finally:
        matches_settled.disconnect(fail)
    match.refresh_from_db()
    assert match.state == MatchState.PLAYING
    assert not MatchResult.objects.filter(match=match).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task")
def test_a_worker_that_freezes_while_it_settles_frees_its_locks(
    make_matches: MakeMatches, monkeypatch: pytest.MonkeyPatch
) -> None:
    (match,) = make_matches(*HOUSE)
    token, (claimed,) = claim()
    monkeypatch.setattr("games.services.lease.TRANSACTION_SECONDS", 1)

    def freeze(**settled: object) -> None:
        time.sleep(2.5)

    matches_settled.connect(freeze)
    try:
        with pytest.raises(InternalError):
            settle_matches(played=[played(claimed)], token=token)
    finally:
        matches_settled.disconnect(freeze)
        connection.close()
    assert Match.objects.get(pk=match.pk).state == MatchState.PLAYING
    assert settle_matches(played=[played(claimed)], token=token) == {match.pk}
