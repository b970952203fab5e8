"""Which matches a claim takes, in which order, and what it writes; and what the sweep does about the rest."""

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from celery.signals import before_task_publish
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.models import Heartbeat, Match, MatchState, RunnerNeed
from games.services import notices
from games.services.clocks import sweep_matches
from games.services.lease import (
    LEASE_SECONDS,
    LIVE_PRIORITY,
    claim_matches,
    free_stale_leases,
    give_back_matches,
    keep_leases,
)
from games.services.play import play_ready_matches
from games.signals import matches_troubled
from tests.services.games.conftest import MakeMatches

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:task_always_eager has no effect on send_task"),
]
HOUSE = ("house:random", "house:greedy", "house:random")
LONG_AGO = timedelta(hours=1)


def claim(limit: int = 10, *, is_live: bool = False, needs: RunnerNeed = RunnerNeed.HOUSE) -> list[int]:
    return [match.id for match in claim_matches(token=uuid.uuid4(), limit=limit, needs=needs, is_live=is_live)]


def change(match: Match, **values: object) -> None:
    Match.objects.filter(pk=match.pk).update(**values)


def hold(match: Match, *, until: timedelta, attempt: int = 1, claimed_with: int = 5) -> None:
    lease = {"lease_token": uuid.uuid4(), "lease_until": timezone.now() + until}
    change(match, state=MatchState.PLAYING, attempt=attempt, claimed_with=claimed_with, **lease)


@pytest.fixture
def nudges(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The queues of messages as they are sent; nothing waits in them, whatever other tests have sent."""
    sent: list[str] = []
    own = uuid.uuid4().hex
    monkeypatch.setattr(notices, "PLAY_QUEUE", f"play-{own}")
    monkeypatch.setattr(notices, "LIVE_QUEUE", f"live-{own}")

    def keep(routing_key: str = "", **details: object) -> None:
        sent.append(routing_key.removesuffix(f"-{own}"))

    before_task_publish.connect(keep)
    yield sent
    before_task_publish.disconnect(keep)


@pytest.mark.parametrize(
    ("values", "is_claimed"),
    [
        pytest.param({}, True, id="ready"),
        pytest.param({"state": MatchState.HELD}, False, id="held back"),
        pytest.param({"state": MatchState.WAITING}, False, id="waiting for a person"),
        pytest.param({"needs": RunnerNeed.SANDBOX}, False, id="needs a sandbox"),
    ],
)
def test_what_is_claimed(make_matches: MakeMatches, values: dict[str, object], is_claimed: bool) -> None:
    (match,) = make_matches(*HOUSE)
    change(match, **values)
    assert claim() == ([match.pk] if is_claimed else [])


def test_a_worker_with_a_sandbox_takes_what_needs_one(make_matches: MakeMatches) -> None:
    first, second = make_matches(*HOUSE, count=2)
    change(second, needs=RunnerNeed.SANDBOX)
    assert claim(needs=RunnerNeed.SANDBOX) == [second.pk] and claim() == [first.pk]


def test_the_urgent_first_and_then_the_oldest(make_matches: MakeMatches) -> None:
    first, second, third, fourth = make_matches(*HOUSE, count=4)
    change(third, priority=5)
    assert [claim(1), claim(2)] == [[third.pk], [first.pk, second.pk]]
    assert claim() == [fourth.pk]


@pytest.mark.parametrize(("priority", "is_live"), [(LIVE_PRIORITY - 1, False), (LIVE_PRIORITY, True)])
def test_the_live_worker_takes_only_what_people_wait_for(
    make_matches: MakeMatches, priority: int, is_live: bool
) -> None:
    (match,) = make_matches(*HOUSE)
    change(match, priority=priority)
    assert claim(is_live=True) == ([match.pk] if is_live else [])


def test_what_a_claim_writes(make_matches: MakeMatches) -> None:
    match, _second, _third = make_matches(*HOUSE, count=3)
    token = uuid.uuid4()
    claimed, *_others = claim_matches(token=token, limit=7, needs=RunnerNeed.HOUSE)
    stored = Match.objects.get(pk=match.pk)
    assert (stored.state, stored.attempt, stored.claimed_with, stored.lease_token) == ("playing", 1, 3, token)
    assert stored.lease_until and stored.started_at
    assert abs((stored.lease_until - timezone.now()).total_seconds() - LEASE_SECONDS) < 5
    assert [str(seat.agent) for seat in claimed.seats] == list(HOUSE)
    assert [seat.player for seat in claimed.seats] == list(
        match.seats.order_by("seat").values_list("player", flat=True)
    )
    hold(match, until=-LONG_AGO)
    free_stale_leases()
    change(match, started_at=stored.started_at - LONG_AGO)
    claim()
    assert Match.objects.get(pk=match.pk).started_at == stored.started_at - LONG_AGO, "the first start is kept"


def test_suspects_come_first_and_the_last_attempt_before_all(make_matches: MakeMatches) -> None:
    fresh, once, twice = make_matches(*HOUSE, count=3)
    change(once, is_suspect=True, attempt=1)
    change(twice, is_suspect=True, attempt=2)
    assert [claim(), claim(), claim()] == [[twice.pk], [once.pk], [fresh.pk]]
    assert Match.objects.get(pk=twice.pk).claimed_with == 1, "whoever dies of it now, it was alone"


def test_a_heartbeat_prolongs_only_what_is_named(make_matches: MakeMatches) -> None:
    first, second = make_matches(*HOUSE, count=2)
    token = uuid.uuid4()
    claim_matches(token=token, limit=2, needs=RunnerNeed.HOUSE)
    Match.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    assert keep_leases(ids=[first.pk], token=token) == {first.pk}
    soon = timezone.now() + timedelta(seconds=LEASE_SECONDS / 2)
    assert list(Match.objects.filter(lease_until__gt=soon)) == [first]
    assert keep_leases(ids=[second.pk], token=uuid.uuid4()) == frozenset()


@pytest.mark.parametrize(
    ("attempt", "claimed_with", "state"),
    [
        pytest.param(2, 1, MatchState.READY, id="alone, an attempt is left"),
        pytest.param(3, 1, MatchState.QUARANTINED, id="alone, the last attempt"),
        pytest.param(3, 5, MatchState.READY, id="among others"),
    ],
)
def test_a_stale_lease(make_matches: MakeMatches, attempt: int, claimed_with: int, state: MatchState) -> None:
    stale, kept = make_matches(*HOUSE, count=2)
    hold(stale, until=timedelta(seconds=-2), attempt=attempt, claimed_with=claimed_with)
    hold(kept, until=timedelta(seconds=9))
    assert free_stale_leases() == 1
    stale.refresh_from_db()
    kept.refresh_from_db()
    assert (stale.state, stale.is_suspect, stale.lease_token) == (state, True, None)
    assert stale.trouble == f"The worker that played this match stopped answering (attempt {attempt})."
    assert (kept.state, kept.is_suspect) == (MatchState.PLAYING, False)


def test_giving_back_tells_why_and_leaves_the_others(make_matches: MakeMatches) -> None:
    first, second = make_matches(*HOUSE, count=2)
    token = uuid.uuid4()
    claim_matches(token=token, limit=2, needs=RunnerNeed.HOUSE)
    give_back_matches(ids=[first.pk], token=token, trouble="ValueError: it broke")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.trouble) == (MatchState.READY, "ValueError: it broke")
    assert second.state == MatchState.PLAYING


@pytest.mark.parametrize("attempt", [2, 3])
def test_only_what_is_set_aside_is_announced_and_only_the_rest_is_nudged(
    make_matches: MakeMatches,
    nudges: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    attempt: int,
) -> None:
    (match,) = make_matches(*HOUSE)
    hold(match, until=-LONG_AGO, attempt=attempt, claimed_with=1)
    told: list[int] = []

    def hear(match_ids: tuple[int, ...], **details: object) -> None:
        told.extend(match_ids)

    matches_troubled.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            free_stale_leases()
    finally:
        matches_troubled.disconnect(hear)
    is_set_aside = attempt == 3
    assert told == ([match.pk] if is_set_aside else [])
    assert nudges.count("play") == (0 if is_set_aside else 1)


def test_an_end_leaves_no_trace_of_the_play(make_matches: MakeMatches) -> None:
    (match,) = make_matches(*HOUSE)
    change(match, trouble="an earlier attempt", awaited=[1], deadline=timezone.now())
    play_ready_matches(needs=RunnerNeed.HOUSE)
    match.refresh_from_db()
    assert (match.trouble, match.awaited, match.deadline, bytes(match.log)) == ("", [], None, b"")
    assert match.finished_at and match.started_at and match.finished_at >= match.started_at


@pytest.mark.parametrize(
    ("prepare", "queues"),
    [
        pytest.param(lambda match: change(match, state=MatchState.HELD), set(), id="nothing is ready"),
        pytest.param(lambda match: None, {"play"}, id="bots' matches"),
        pytest.param(lambda match: change(match, priority=LIVE_PRIORITY), {"play", "live"}, id="people wait"),
        pytest.param(lambda match: hold(match, until=-LONG_AGO), {"play"}, id="a worker died"),
    ],
)
def test_a_sweep_wakes_whom_it_must(
    make_matches: MakeMatches,
    nudges: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    prepare: Callable[[Match], None],
    queues: set[str],
) -> None:
    (match,) = make_matches(*HOUSE)
    prepare(match)
    is_stale = Match.objects.filter(state=MatchState.PLAYING).exists()
    with django_capture_on_commit_callbacks(execute=True):
        assert sweep_matches() == is_stale
    assert set(nudges) == queues
    assert timezone.now() - Heartbeat.objects.get().beat_at < timedelta(seconds=60)


def test_every_line_about_a_match_names_it(make_matches: MakeMatches, caplog: pytest.LogCaptureFixture) -> None:
    broken = make_matches("house:nobody", "house:greedy", "house:random", count=2)
    play_ready_matches(needs=RunnerNeed.HOUSE)
    said = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    failed = [(line["event"], line["match_id"]) for line in said if line["event"] == "match_failed"]
    assert set(failed) == {("match_failed", match.pk) for match in broken}
