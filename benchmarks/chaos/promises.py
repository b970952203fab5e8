"""Promises about time: how soon a lost match is played again, play goes on after Redis was away, and pages are read.

Time in which Postgres or Redis is away is not counted: nothing can be played then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from benchmarks.chaos.faults import KILLS, Strike
from benchmarks.chaos.ledger import Change, Finding
from benchmarks.site import Reading

AWAY = ("redis killed", "postgres killed")
SECONDS_PAST_LEASE = 10
SECONDS_TO_RESUME = 15
SECONDS_TO_RECONNECT = 3
"""After Postgres is back, a page may still meet a connection that broke with it."""


@dataclass(frozen=True, slots=True)
class Rescue:
    """A match that its worker did not end: the last that was heard of it, and when it was played again."""

    match_id: int
    last_heard: float
    played_again: float


def check_promises(
    history: dict[int, list[Change]],
    diary: Sequence[Strike],
    readings: Sequence[Reading],
    lease: float,
    slack: float = 0,
) -> list[Finding]:
    """`slack` is what a machine that is busy with something else may take longer."""
    return [
        check_rescues(history, diary, lease, slack),
        check_resumes(history, diary, slack),
        check_readings(readings, diary),
    ]


def check_rescues(history: dict[int, list[Change]], diary: Sequence[Strike], lease: float, slack: float = 0) -> Finding:
    """From the first blow after the worker was last heard of to the next claim."""
    limit = lease + SECONDS_PAST_LEASE + slack
    blows = sorted(strike.at for strike in diary if strike.fault in KILLS)
    took = {
        rescue: count_served(diary, _find_blow(rescue, blows, lease), rescue.played_again)
        for rescue in find_rescues(history, lease)
    }
    late = [f"match {rescue.match_id} was played again after {s:.1f} s" for rescue, s in took.items() if s > limit]
    measured = f"{len(took)} times, the slowest after {max(took.values(), default=0):.1f} s"
    return Finding(f"a match whose worker died is played again within {limit:.0f} s", measured, tuple(late))


def _find_blow(rescue: Rescue, blows: Sequence[float], lease: float) -> float:
    """Where no blow fits, the match itself killed its worker, right after it was claimed."""
    fitting = [blow for blow in blows if rescue.last_heard <= blow <= rescue.last_heard + lease]
    return fitting[0] if fitting else rescue.last_heard


def check_resumes(history: dict[int, list[Change]], diary: Sequence[Strike], slack: float = 0) -> Finding:
    """From each return of Redis to the next claim, where anything was there to be played."""
    limit = SECONDS_TO_RESUME + slack
    claims = sorted(change.at for changes in history.values() for change in changes if change.state == "playing")
    slowest, counted, late = 0.0, 0, []
    for strike in diary:
        returned = strike.until
        if strike.fault != "redis killed" or returned is None:
            continue
        if not any(was_ready(changes, returned) for changes in history.values()):
            continue
        resumed = next((claim for claim in claims if claim >= returned), None)
        took = float("inf") if resumed is None else count_served(diary, returned, resumed)
        counted += 1
        slowest = max(slowest, took)
        if took > limit:
            late.append(f"after Redis came back, nothing was claimed for {took:.1f} s")
    promise = f"play resumes within {limit:.0f} s after Redis returns"
    return Finding(promise, f"{counted} times with matches waiting, the slowest after {slowest:.1f} s", tuple(late))


def count_served(diary: Sequence[Strike], start: float, end: float) -> float:
    """Seconds of that time in which both servers were there."""
    counted, reached = end - start, start
    for strike in sorted((strike for strike in diary if strike.fault in AWAY), key=lambda strike: strike.at):
        until = end if strike.until is None else min(end, strike.until)
        counted -= max(0.0, until - max(reached, strike.at))
        reached = max(reached, until)
    return counted


def check_readings(readings: Sequence[Reading], diary: Sequence[Strike]) -> Finding:
    """Every page, but while Postgres is away: there is nothing to show then."""
    failed = [reading for reading in readings if reading.status != 200 and not _was_away(reading, diary, "postgres")]
    without_redis = [reading for reading in readings if _was_away(reading, diary, "redis", 0)]
    slowest = max((reading.ended - reading.began for reading in readings), default=0.0)
    measured = f"{len(readings)} readings, {len(without_redis)} of them without Redis, the slowest {slowest:.1f} s"
    breaches = [f"a page was answered with {reading.status or 'silence'}" for reading in failed]
    if not readings:
        breaches.append("the site never answered")
    return Finding("the site stays readable while Redis is away", measured, tuple(breaches))


def _was_away(reading: Reading, diary: Sequence[Strike], name: str, grace: float = SECONDS_TO_RECONNECT) -> bool:
    return any(
        strike.fault == f"{name} killed"
        and strike.at <= reading.ended
        and reading.began <= (strike.until if strike.until is not None else float("inf")) + grace
        for strike in diary
    )


def find_rescues(history: dict[int, list[Change]], lease: float) -> list[Rescue]:
    """Leases that ran out, in all of the history; a match given back in time is none."""
    found = []
    for match_id, changes in history.items():
        for freed, again in pairwise(changes):
            is_stale = freed.state == "ready" and freed.leased_until is not None and freed.leased_until < freed.at
            if is_stale and again.state == "playing" and freed.leased_until is not None:
                found.append(Rescue(match_id, freed.leased_until - lease, again.at))
    return found


def was_ready(changes: Sequence[Change], moment: float) -> bool:
    """Whether a match was there to be played at that moment."""
    before = [change.state for change in changes if change.at <= moment]
    return bool(before) and before[-1] == "ready"
