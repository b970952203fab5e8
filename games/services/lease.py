"""Leases: a worker claims matches, keeps them alive, and gives back what it could not play.

Each is one conditional statement on the database's own clock. A worker whose token no longer stands has lost the match.
"""

import json
import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction

from games.models import MatchState, RunnerNeed
from games.play.agents import AgentKind, AgentRef
from games.services.notices import MATCHES_A_NUDGE, nudge_on_commit
from games.signals import matches_troubled

LEASE_SECONDS: int = settings.LEASE_SECONDS
TRANSACTION_SECONDS: int = settings.TRANSACTION_SECONDS
MOST_ATTEMPTS = 3
SUSPECTS_TOGETHER = 5
LIVE_PRIORITY = 100

_READY = """
    lane = %(needs)s AND state = 'ready' AND (%(live)s IS FALSE OR priority >= %(live_priority)s)
"""
_SOUND = f"{_READY} AND NOT is_suspect"
# MATERIALIZED, so that the rows are chosen once: a plan that looked into the subquery for every row of a join would
# lock further rows each time, past the limit.
_TAKE = """
    UPDATE games_match AS match
    SET state = 'playing', attempt = attempt + 1, lease_token = %(token)s,
        lease_until = now() + make_interval(secs => %(lease)s), started_at = COALESCE(started_at, now()),
        claimed_with = (SELECT count(*) FROM chosen)
    FROM chosen
    WHERE match.id = chosen.id
    RETURNING match.id, match.kind, match.ruleset, match.is_rated, match.seed, match.deals, match.log, match.clock,
              match.clocks, match.attempt, match.account
"""
# Those that workers died on: one that had its last attempt but one is tried alone, or else a few together. Where there
# are none: among those with the highest priority, the account after the one that was served last, or else the first.
_CLAIM = f"""
    WITH alone AS MATERIALIZED (
        SELECT id FROM games_match WHERE {_READY} AND is_suspect AND attempt >= %(tried)s
        ORDER BY priority DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED
    ), together AS MATERIALIZED (
        SELECT id FROM games_match
        WHERE {_READY} AND is_suspect AND attempt < %(tried)s AND NOT EXISTS (SELECT FROM alone)
        ORDER BY priority DESC, id LIMIT LEAST(%(limit)s, %(together)s) FOR UPDATE SKIP LOCKED
    ), suspects AS MATERIALIZED (
        SELECT id FROM alone UNION ALL SELECT id FROM together
    ), first AS MATERIALIZED (
        SELECT priority, account FROM games_match WHERE {_SOUND} AND NOT EXISTS (SELECT FROM suspects)
        ORDER BY priority DESC, account LIMIT 1
    ), turn AS MATERIALIZED (
        SELECT first.priority, COALESCE((
            SELECT other.account FROM games_match AS other
            WHERE {_SOUND} AND other.priority = first.priority AND other.account > %(served)s
            ORDER BY other.account LIMIT 1
        ), first.account) AS account
        FROM first
    ), sound AS MATERIALIZED (
        SELECT id FROM games_match JOIN turn USING (priority, account)
        WHERE {_SOUND} ORDER BY id LIMIT %(limit)s FOR UPDATE OF games_match SKIP LOCKED
    ), chosen AS MATERIALIZED (
        SELECT id FROM suspects UNION ALL SELECT id FROM sound
    ) {_TAKE}
"""
# Those accounts themselves, one look into the index for each.
_WAITING = f"""
    WITH RECURSIVE waiting AS (
        (SELECT priority, account FROM games_match WHERE {_SOUND} ORDER BY priority DESC, account LIMIT 1)
        UNION ALL
        SELECT waiting.priority, (
            SELECT other.account FROM games_match AS other
            WHERE {_SOUND} AND other.priority = waiting.priority AND other.account > waiting.account
            ORDER BY other.account LIMIT 1
        ) FROM waiting WHERE waiting.account IS NOT NULL
    )
    SELECT account FROM waiting WHERE account IS NOT NULL ORDER BY account <= %(served)s, account
"""
# Where others are just taking all that this account has, whatever is left.
_CLAIM_ANY = f"""
    WITH chosen AS MATERIALIZED (
        SELECT id FROM games_match WHERE {_SOUND} ORDER BY priority DESC, id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
    ) {_TAKE}
"""
_SEATS = """
    SELECT seat.match_id, seat.seat, seat.side, seat.player_id, seat.agent, player.kind, player.name, seat.owner_id
    FROM games_matchseat AS seat JOIN games_player AS player ON player.id = seat.player_id
    WHERE seat.match_id = ANY(%s) ORDER BY seat.match_id, seat.seat
"""
_HEARTBEAT = """
    UPDATE games_match SET lease_until = now() + make_interval(secs => %s)
    WHERE id = ANY(%s) AND lease_token = %s AND state = 'playing' RETURNING id
"""
_GIVE_BACK = """
    UPDATE games_match
    SET state = CASE WHEN attempt >= %(most)s THEN 'quarantined' ELSE 'ready' END,
        lease_token = NULL, lease_until = NULL, trouble = %(trouble)s
    WHERE id = ANY(%(ids)s) AND lease_token = %(token)s AND state = 'playing'
    RETURNING id, state
"""
_RETURN = """
    UPDATE games_match
    SET state = 'ready', lease_token = NULL, lease_until = NULL, attempt = GREATEST(attempt - 1, 0)
    WHERE lease_token = ANY(%s) AND state = 'playing'
    RETURNING id, state
"""
# Played from its start again: nothing of it was stored, and nobody but its bots saw a card.
_BE_PATIENT = """
    UPDATE games_match
    SET state = 'ready', needs = 2, lease_token = NULL, lease_until = NULL,
        attempt = CASE WHEN state = 'playing' THEN GREATEST(attempt - 1, 0) ELSE attempt END
    WHERE id = ANY(%(ids)s) AND lease_token = %(token)s AND state = 'playing'
       OR state = 'ready' AND needs = 1 AND id IN (
            SELECT seat.match_id FROM games_matchseat AS seat
            JOIN games_player AS player ON player.id = seat.player_id
            JOIN games_player AS sleeper ON sleeper.id = %(player)s
            WHERE player.id = sleeper.id AND seat.agent = %(agent)s
               OR player.owner_id = sleeper.owner_id AND seat.agent LIKE %(uploads)s
       )
"""
_REMEMBER = """
    INSERT INTO games_sleeper (agent, slept_at) VALUES (%(agent)s, now())
    ON CONFLICT (agent) DO UPDATE SET slept_at = EXCLUDED.slept_at
"""
_EXPIRE = """
    WITH stale AS MATERIALIZED (
        SELECT id FROM games_match WHERE lane IS NOT NULL AND state = 'playing' AND lease_until < now()
        ORDER BY id LIMIT 5000 FOR UPDATE SKIP LOCKED
    )
    UPDATE games_match
    SET state = CASE WHEN attempt >= %(most)s AND claimed_with = 1 THEN 'quarantined' ELSE 'ready' END,
        lease_token = NULL, lease_until = NULL, is_suspect = TRUE,
        trouble = 'The worker that played this match stopped answering (attempt ' || attempt || ').'
    WHERE id IN (SELECT id FROM stale)
    RETURNING id, state
"""



class ClaimedSeat(NamedTuple):
    seat: int
    side: int
    player: int
    agent: AgentRef
    kind: str
    name: str
    owner: int | None = None
    slug: str = ""

    @classmethod
    def read(cls, seat: int, side: int, player: int, agent: str, *about: Any) -> "ClaimedSeat":
        """From the columns of a row."""
        return cls(seat, side, player, AgentRef.parse(agent), *about)


@dataclass(frozen=True, slots=True)
class ClaimedMatch:
    """A match this worker may play until its lease ends."""

    id: int
    kind: str
    ruleset: str
    is_rated: bool
    seed: bytes
    deals: uuid.UUID
    log: bytes
    clock: dict[str, float] | None
    clocks: dict[str, dict[str, float]]
    attempt: int
    seats: tuple[ClaimedSeat, ...]

    @classmethod
    def read(cls, row: Sequence[Any], seats: Iterable[ClaimedSeat]) -> "ClaimedMatch":
        """From the columns of a row, as every statement that reads one names them first."""
        match_id, kind, ruleset, is_rated, seed, deals, log, clock, clocks, attempt = row[:10]
        return cls(
            match_id,
            kind,
            ruleset,
            is_rated,
            bytes(seed),
            deals,
            bytes(log),
            json.loads(clock) if clock else None,
            json.loads(clocks),
            attempt,
            tuple(seats),
        )


SECONDS_OF_A_TURN = 1.0
SECONDS_TO_BE_BACK = 10.0


class Turns:
    """Whose matches this process claims: everybody who waits in turn, whoever has most matches.

    Whose matches took longer than a turn waits until the others have had as long: slow ones take no more than a share.
    """

    def __init__(self) -> None:
        self.served = 0
        self._ahead: dict[int, float] = {}
        self._served_at: dict[int, float] = {}

    def charge(self, seconds: float) -> None:
        """What the matches claimed last have taken, shared by all who were served of late."""
        now = time.monotonic()
        self._served_at[self.served] = now
        self._served_at = {who: at for who, at in self._served_at.items() if now - at < SECONDS_TO_BE_BACK}
        self._ahead[self.served] = self._ahead.get(self.served, 0.0) + seconds
        share = seconds / len(self._served_at.keys() | self._ahead.keys())
        self._ahead = {who: ahead - share for who, ahead in self._ahead.items() if ahead > share}

    def begin_after(self, cursor: Any, arguments: dict[str, Any]) -> int:
        """The account before the one whose turn it is; asks who waits only while somebody is to be passed over."""
        passed = {who for who, ahead in self._ahead.items() if ahead > SECONDS_OF_A_TURN}
        if not passed:
            return self.served
        cursor.execute(_WAITING, {**arguments, "served": self.served})
        waiting: list[int] = [row[0] for row in cursor.fetchall()]
        if not waiting:
            return self.served
        turn = min(waiting, key=lambda who: self._ahead[who] if who in passed else 0.0)
        if turn in passed:
            # All who wait are ahead of somebody who was here a moment ago: what they have in common is forgiven.
            least = self._ahead[turn]
            self._ahead = {who: ahead - least for who, ahead in self._ahead.items() if ahead > least}
        return turn - 1


TURNS = {need: Turns() for need in RunnerNeed}


def claim_matches(
    *, token: uuid.UUID, limit: int, needs: RunnerNeed, is_live: bool = False
) -> tuple[ClaimedMatch, ...]:
    """Take matches that workers died on, the last attempt alone, or else up to `limit` others; live ones only if asked.

    So one match that kills its workers is found out, the batch it was first claimed with is not blamed, and a batch
    that only had bad luck is soon played. Each statement is a transaction of its own, so that a far server is waited
    for twice: whoever dies between them has a lease that runs out.
    """
    arguments: dict[str, Any] = {
        "tried": MOST_ATTEMPTS - 1,
        "together": SUSPECTS_TOGETHER,
        "token": token,
        "lease": LEASE_SECONDS,
        "needs": int(needs),
        "live": is_live,
        "live_priority": LIVE_PRIORITY,
        "limit": limit,
    }
    turns = TURNS[needs]
    with connection.cursor() as cursor:
        arguments["served"] = turns.begin_after(cursor, arguments)
        for statement in (_CLAIM, _CLAIM_ANY):
            cursor.execute(statement, arguments)
            if rows := sorted(cursor.fetchall(), key=lambda row: row[0]):
                turns.served = rows[0][-1]
                return _seat(cursor, rows)
    return ()


def _seat(cursor: Any, rows: Sequence[tuple[Any, ...]]) -> tuple[ClaimedMatch, ...]:
    cursor.execute(_SEATS, [[row[0] for row in rows]])
    seats: dict[int, list[ClaimedSeat]] = {row[0]: [] for row in rows}
    for match_id, *columns in cursor.fetchall():
        seats[match_id].append(ClaimedSeat.read(*columns))
    return tuple(ClaimedMatch.read(row, seats[row[0]]) for row in rows)


def limit_transaction() -> str:
    """A worker that freezes in the midst of a transaction must not keep the others waiting for its locks."""
    most = f"'{TRANSACTION_SECONDS}s'"
    return f"""
        SELECT set_config('idle_in_transaction_session_timeout', {most}, TRUE),
               set_config('statement_timeout', {most}, TRUE)
    """


def keep_leases(*, ids: Sequence[int], token: uuid.UUID) -> frozenset[int]:
    """Prolong leases; the matches that are still this worker's."""
    with connection.cursor() as cursor:
        cursor.execute(_HEARTBEAT, [LEASE_SECONDS, list(ids), token])
        return frozenset(row[0] for row in cursor.fetchall())


@transaction.atomic
def give_back_matches(*, ids: Sequence[int], token: uuid.UUID, trouble: str) -> None:
    """Let others try matches that failed here; after the last attempt they are set aside for the organiser."""
    with connection.cursor() as cursor:
        cursor.execute(_GIVE_BACK, {"most": MOST_ATTEMPTS, "ids": list(ids), "token": token, "trouble": trouble[:2000]})
        _announce(cursor.fetchall())


@transaction.atomic
def send_to_patience(*, ids: Sequence[int], token: uuid.UUID, player: int, agent: AgentRef) -> None:
    """Leave matches to workers for whom nobody waits, and all that are ready of any bot of the sleeper's owner.

    Each bot would take as long to be found out, and a hundred of them are no more work to upload than one. What is
    created for the sleeper from now on goes there at once.
    """
    with connection.cursor() as cursor:
        about: dict[str, Any] = {"player": player, "agent": str(agent), "uploads": f"{AgentKind.VERSION.prefix}%"}
        cursor.execute(_REMEMBER, about)
        cursor.execute(_BE_PATIENT, {"ids": list(ids), "token": token, **about})
    nudge_on_commit(len(ids) * MATCHES_A_NUDGE, needs=RunnerNeed.PATIENCE)


@transaction.atomic
def return_matches(*, tokens: Sequence[uuid.UUID]) -> int:
    """Let others play what could not be settled or begun here; no match is to blame for that."""
    with connection.cursor() as cursor:
        cursor.execute(_RETURN, [list(tokens)])
        rows = cursor.fetchall()
        _announce(rows)
    return len(rows)


@transaction.atomic
def free_stale_leases() -> int:
    """Take matches away from workers that stopped answering; how many there were."""
    with connection.cursor() as cursor:
        cursor.execute(_EXPIRE, {"most": MOST_ATTEMPTS})
        rows = cursor.fetchall()
        _announce(rows)
    return len(rows)


def _announce(rows: Sequence[tuple[int, str]]) -> None:
    troubled = tuple(match_id for match_id, state in rows if state == MatchState.QUARANTINED)
    if troubled:
        matches_troubled.send(sender=None, match_ids=troubled)
    nudge_on_commit(len(rows) - len(troubled))
