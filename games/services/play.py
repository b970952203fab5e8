"""Playing what is ready: claim many, play each, settle about once a second, and never let one match hurt another."""

import math
import os
import socket
import time
import uuid
from collections.abc import Sequence
from contextlib import ExitStack, suppress

import structlog
from django.db import InterfaceError, OperationalError, connection
from structlog.contextvars import bound_contextvars

from games.models import RunnerNeed
from games.play.agents import AgentSleeps, PlatformFault, can_run_sandbox, read_wait
from games.play.table import Table, summarise
from games.services.lease import (
    LEASE_SECONDS,
    TURNS,
    ClaimedMatch,
    ClaimedSeat,
    claim_matches,
    give_back_matches,
    keep_leases,
    return_matches,
    send_to_patience,
)
from games.services.settle import PlayedMatch, settle_matches
from games.services.tables import Fence, close_table, open_table, store_waiting

BATCH_SECONDS = 1.0
LONGEST_BATCH_SECONDS = 8.0
PLAYING_TO_WAITING = 4
"""A batch plays so many times as long as it waits for the servers, which may be far away."""

BUSY_TIMES = 4
"""Where others want the processor too, a second's work of house bots may take so many times as long: batches that
shrank with what a busy machine gives them would take more of it for claims and settlings than for matches."""

OVERDUE = 2
"""A batch that has worked for so many times as long as it should gives back what it has not begun."""

FIRST = {RunnerNeed.HOUSE: 64, RunnerNeed.SANDBOX: 4, RunnerNeed.PATIENCE: 1}
MOST = {RunnerNeed.HOUSE: 1000, RunnerNeed.SANDBOX: 8, RunnerNeed.PATIENCE: 1}


class BatchSize:
    """Follows the pace seen last: short matches share a claim and a settling, long ones are left to other workers."""

    def __init__(self) -> None:
        self._sizes = dict(FIRST)
        self.seconds = BATCH_SECONDS

    def of(self, need: RunnerNeed) -> int:
        return self._sizes[need]

    def learn(self, need: RunnerNeed, *, played: int, playing: float, waiting: float) -> None:
        """Claim as many the next time as this pace plays in a second, or in longer where the servers take their time.

        Waiting grows with a batch far less than playing: smaller batches would wait the same for less.
        """
        self.seconds = min(LONGEST_BATCH_SECONDS, max(BATCH_SECONDS, PLAYING_TO_WAITING * waiting))
        most = MOST[need] * self.seconds if need is RunnerNeed.HOUSE else MOST[need]
        self._sizes[need] = min(round(most), max(1, round(played * self.seconds / max(playing, 0.001))))


_size = BatchSize()
"""What a task learnt is known to the next one of this process; a batch that takes far longer is broken off."""


class WorkClock:
    """Seconds of work from now on: of house bots those of the processor, of all others those of the wall."""

    def __init__(self, need: RunnerNeed) -> None:
        self.is_own = need is RunnerNeed.HOUSE
        self.begin()

    def begin(self) -> None:
        self.wall, self.cpu = time.monotonic(), time.process_time()

    def read(self) -> float:
        wall = time.monotonic() - self.wall
        return max(time.process_time() - self.cpu, wall / BUSY_TIMES) if self.is_own else wall

    def is_over(self, seconds: float) -> bool:
        """Whether so much work is done, or so much time gone that whoever waits for results should have them."""
        return self.read() > seconds or time.monotonic() - self.wall > max(seconds, LONGEST_BATCH_SECONDS)


PATIENCE_SECONDS = 1.0
"""An honest bot works or waits for a core; those of an owner who let referees wait longer are played elsewhere."""
PATIENCE_A_SECOND = 0.05
LEAST_PATIENCE = 0.1
PATIENT_SECONDS = 3_600.0
"""For those who sleep: longer than a match can last, and no reason to keep a core for them."""


class Patience:
    """For how long bots may let referees of this process wait without working: all those of an owner together.

    It comes back slowly, so that who sleeps a little in each match takes no more than that of a worker.
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self._most = seconds
        self._left: dict[int | None, tuple[float, float]] = {}

    def of(self, owner: int | None) -> float:
        """Never so little that a bot would have to answer for what others of its owner have done."""
        return max(min(LEAST_PATIENCE, self._most), self._read(owner))

    def charge(self, owner: int | None, seconds: float) -> bool:
        """Whether it is spent with these seconds."""
        left = self._read(owner) - seconds
        if seconds:
            self._left[owner] = (left, time.monotonic())
        return seconds > 0 and left <= 0

    def _read(self, owner: int | None) -> float:
        left, at = self._left.get(owner, (self._most, 0.0))
        return min(self._most, left + PATIENCE_A_SECOND * (time.monotonic() - at))


_patience = Patience(PATIENCE_SECONDS)


class Lanes:
    """Uploads and house bots take turns, so that neither wait for all of the others, by time where one takes longer."""

    def __init__(self) -> None:
        self._taken: dict[RunnerNeed, float] = {RunnerNeed.SANDBOX: 0.0, RunnerNeed.HOUSE: 0.0}

    def list_next(self, needs: RunnerNeed) -> list[RunnerNeed]:
        if needs is RunnerNeed.PATIENCE:
            return [needs]
        least = min(self._taken.values())
        return sorted(
            (need for need in self._taken if need <= needs), key=lambda need: self._taken[need] > least + BATCH_SECONDS
        )

    def charge(self, need: RunnerNeed, seconds: float, nothing: Sequence[RunnerNeed]) -> None:
        """Who was served waits for the others; nobody saves time up while there is `nothing` of theirs."""
        if need is not RunnerNeed.PATIENCE:
            taken = self._taken.pop(need) + seconds
            self._taken[need] = taken
            self._taken.update({each: max(taken, self._taken[each]) for each in nothing})


_lanes = Lanes()

SLEEPERS_AT_ONCE = 3
"""By one program; it has a process more."""

HEARTBEAT_SECONDS = LEASE_SECONDS / 3

DatabaseConnectionError = (OperationalError, InterfaceError)
"""The database itself is away: nothing is wrong with any match."""

_unsettled: list[uuid.UUID] = []
"""Batches that this process held when its connection broke. It returns them when it next plays; if it dies before that,
their leases run out."""

log = structlog.get_logger()


def look_for_matches(*, is_live: bool = False, is_patient: bool = False, seconds: float = 20.0) -> int:
    """Play what this machine can: uploaded bots where the sandbox holds, sleepers where nobody waits for anything."""
    if is_patient:
        return _look_for_sleepers(seconds) if can_run_sandbox() else 0
    needs = RunnerNeed.SANDBOX if can_run_sandbox() else RunnerNeed.HOUSE
    return play_ready_matches(needs=needs, is_live=is_live, seconds=seconds)


def _look_for_sleepers(seconds: float) -> int:
    """In one of a few places, so that of the processes for those who may be kept waiting one is left for checks."""
    with ExitStack() as places:
        for number in range(SLEEPERS_AT_ONCE):
            place = places.enter_context(socket.socket(socket.AF_UNIX))
            # A name that one process at a time can hold, and that the kernel frees when it dies.
            with suppress(OSError):
                place.bind(f"\0aurum-sleepers-{os.getppid()}-{number}")
                return play_ready_matches(needs=RunnerNeed.PATIENCE, seconds=seconds)
    return 0


def play_ready_matches(*, needs: RunnerNeed, is_live: bool = False, seconds: float = 20.0) -> int:
    """Play until nothing is ready or the time is up; how many matches were settled.

    Who has patience for sleepers plays nothing else.
    """
    ends_at = time.monotonic() + seconds
    if _unsettled:
        return_matches(tokens=_unsettled)
        _unsettled.clear()
    settled, size = 0, _size
    while (started := time.monotonic()) < ends_at:
        token = uuid.uuid4()
        nothing: list[RunnerNeed] = []
        for need in _lanes.list_next(needs):
            claimed = claim_matches(token=token, limit=1 if is_live else size.of(need), needs=need, is_live=is_live)
            if claimed:
                break
            nothing.append(need)
        else:
            break
        patience = Patience(PATIENT_SECONDS) if need is RunnerNeed.PATIENCE else _patience
        batch = Batch(claimed, token, patience, settle_after=size.seconds, need=need)
        settled += batch.play()
        taken = time.monotonic() - started
        size.learn(need, played=batch.begun, playing=batch.working, waiting=taken - batch.playing)
        TURNS[need].charge(taken)
        _lanes.charge(need, taken, nothing)
    return settled


class Batch:
    """Matches claimed together. Each keeps its own fence: one that fails is given back alone."""

    def __init__(
        self,
        claimed: tuple[ClaimedMatch, ...],
        token: uuid.UUID,
        patience: Patience | None = None,
        settle_after: float = BATCH_SECONDS,
        need: RunnerNeed = RunnerNeed.HOUSE,
    ) -> None:
        self.open = {match.id: match for match in claimed}
        self.token = token
        self.patience = patience or Patience()
        self.claimed_by = connection.connection
        self.played: list[PlayedMatch] = []
        self.settled = self.begun = 0
        self.playing = self.working = 0.0
        self.settle_after = settle_after
        self.clock = WorkClock(need)
        self.kept_at = time.monotonic()

    def play(self) -> int:
        try:
            self._play_all()
        except DatabaseConnectionError:
            if self.claimed_by is None or self.claimed_by.closed:
                _unsettled.append(self.token)
            raise
        return self.settled

    def _play_all(self) -> None:
        for match in tuple(self.open.values()):
            if match.id not in self.open:
                continue
            if self.working > OVERDUE * self.settle_after:
                break
            self.begun += 1
            started, worked = time.monotonic(), self.clock.read()
            with bound_contextvars(match_id=match.id):
                self._play_one(match)
            self.playing += time.monotonic() - started
            self.working += self.clock.read() - worked
            if self.clock.is_over(self.settle_after):
                self._settle()
        self._settle()
        if self.open:
            return_matches(tokens=[self.token])

    def _play_one(self, claimed: ClaimedMatch) -> None:
        started = time.process_time()
        try:
            table = open_table(claimed, patience=self.patience.of)
            try:
                awaited = table.advance(self._pulse)
            finally:
                close_table(table)
                sleeper = self._find_sleeper(claimed, table)
            if awaited:
                store_waiting(claimed=claimed, table=table, awaited=awaited, fence=Fence(token=self.token))
                self.open.pop(claimed.id, None)
            else:
                summary = summarise(table.match, table.forfeits, sorted(table.early))
                cpu_us = round((time.process_time() - started) * 1_000_000)
                self.played.append(PlayedMatch(claimed, summary, tuple(table.failures), cpu_us))
            if sleeper is not None:
                self._leave_to_patience(sleeper)
        except AgentSleeps as asleep:
            self._leave_to_patience(claimed.seats[asleep.seat])
        except Exception as error:
            self._give_back(claimed, error)

    def _find_sleeper(self, claimed: ClaimedMatch, table: Table) -> ClaimedSeat | None:
        """Somebody whose owner's patience is spent by this match."""
        waits = [(seat, read_wait(agent)) for seat, agent in zip(claimed.seats, table.agents, strict=True)]
        spent = [seat for seat, waited in waits if self.patience.charge(seat.owner, waited)]
        return spent[0] if spent else None

    def _leave_to_patience(self, sleeper: ClaimedSeat) -> None:
        """All matches of bots of the sleeper's owner in this batch: each would take as long to find out."""
        played = {match.claimed.id for match in self.played}
        ids = [
            match.id
            for match in self.open.values()
            if match.id not in played
            and any(seat.agent.is_version and seat.owner == sleeper.owner for seat in match.seats)
        ]
        send_to_patience(ids=ids, token=self.token, player=sleeper.player, agent=sleeper.agent)
        for match_id in ids:
            del self.open[match_id]

    def _give_back(self, claimed: ClaimedMatch, error: Exception) -> None:
        if not isinstance(error, PlatformFault):
            log.exception("match_failed", attempt=claimed.attempt)
        trouble = f"{type(error).__name__}: {error}"
        give_back_matches(ids=[claimed.id], token=self.token, trouble=trouble)
        self.open.pop(claimed.id, None)

    def _settle(self) -> None:
        played, self.played = self.played, []
        try:
            if played:
                self.settled += len(settle_matches(played=played, token=self.token))
        except DatabaseConnectionError:
            raise
        except Exception:
            log.exception("batch_not_settled", matches=len(played))
            self._settle_each(played)
        for match in played:
            self.open.pop(match.claimed.id, None)
        self.clock.begin()

    def _settle_each(self, played: list[PlayedMatch]) -> None:
        """One match that cannot be counted must not keep the others from counting."""
        for match in played:
            with bound_contextvars(match_id=match.claimed.id):
                self._settle_one(match)

    def _settle_one(self, match: PlayedMatch) -> None:
        try:
            self.settled += len(settle_matches(played=[match], token=self.token))
        except DatabaseConnectionError:
            raise
        except Exception as error:
            self._give_back(match.claimed, error)

    def _pulse(self) -> None:
        """One match of slow bots may outlast a lease, so leases are kept between its decisions too."""
        if time.monotonic() - self.kept_at > HEARTBEAT_SECONDS:
            self._keep()

    def _keep(self) -> None:
        """Prolong what is still open; what is no longer ours is neither played nor settled."""
        mine = keep_leases(ids=list(self.open), token=self.token)
        self.open = {match_id: match for match_id, match in self.open.items() if match_id in mine}
        self.kept_at = time.monotonic()
