"""Tables that wait for people and connected bots: read whole, set with their agents, moved on and stored."""

import json
import math
import uuid
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.sql import prepared_cursor
from games.models import MatchState, SeatFailure
from games.play.agents import (
    Agent,
    AgentKind,
    AgentRef,
    SeatOrder,
    close_agent,
    derive_bot_seed,
    is_quick,
    open_agent,
)
from games.play.table import STRIKES, Table
from games.rules.actions import KEEP
from games.rules.deal import commitment
from games.rules.match import Match, pack_log, replay, unpack_log
from games.rules.ruleset import Ruleset
from games.selectors.tables import HeldSeat, StoredTable, TableFacts
from games.services.lease import LIVE_PRIORITY, ClaimedMatch, ClaimedSeat
from games.services.notices import nudge_on_commit
from games.services.settle import failure_row
from games.signals import match_moved

_READ = """
    SELECT match.id, match.kind, match.ruleset, match.is_rated, match.seed, match.deals, match.log, match.clock,
           match.clocks, match.attempt, match.state, match.awaited, match.awaited_since, match.deadline,
           (SELECT json_agg(json_build_array(seat.seat, seat.side, seat.player_id, seat.agent, player.kind, player.name,
                                              seat.owner_id, player.slug)
                            ORDER BY seat.seat)
            FROM games_matchseat AS seat JOIN games_player AS player ON player.id = seat.player_id
            WHERE seat.match_id = match.id),
           statement_timestamp(), match.xmin::text
    FROM games_match AS match WHERE match.id = %s
"""


@dataclass(frozen=True, slots=True)
class ReadMatch:
    """`now` is the database's clock at the time of reading."""

    claimed: ClaimedMatch
    state: str
    awaited: tuple[int, ...]
    awaited_since: datetime | None
    deadline: datetime | None
    now: datetime
    version: str


def read_match(match_id: int) -> ReadMatch:
    """Raises where there is no such match."""
    with prepared_cursor() as cursor:
        cursor.execute(_READ, [match_id])
        row = cursor.fetchone()
    if row is None:
        raise LeagueError("match_unknown", N_("There is no such match."), status=404)
    state, awaited, awaited_since, deadline, seats, now, version = row[10:]
    claimed = ClaimedMatch.read(row, (ClaimedSeat.read(*seat) for seat in seats))
    return ReadMatch(claimed, state, tuple(awaited), awaited_since, deadline, now, version)


def read_waiting(match_id: int) -> ReadMatch:
    """A match that waits for somebody; raises a sentence where it does not."""
    read = read_match(match_id)
    if read.state in (MatchState.FINISHED, MatchState.VOID):
        raise LeagueError("match_over", N_("This match is over."), N_("Open it to see the result."), status=409)
    if read.state != MatchState.WAITING:
        raise LeagueError("table_busy", N_("Another seat is deciding."), N_("Try again in a moment."), status=409)
    return read


# Three players who bid at once: when one of them has bid, the clocks of the others go on from where they started.
_STILL_AWAITED = "cardinality(awaited) > cardinality(%(awaited)s::smallint[]) AND awaited @> %(awaited)s::smallint[]"
# A bid taken back: nobody's clock starts anew by it.
_GOES_ON = f"({_STILL_AWAITED} OR %(is_taken_back)s)"
_IS_MINE = "(lease_token = %(token)s AND state = 'playing' OR xmin = %(version)s::xid)"
_WAIT = f"""
    UPDATE games_match
    SET state = 'waiting', lease_token = NULL, lease_until = NULL, attempt = 0, log = %(log)s, awaited = %(awaited)s,
        clocks = %(clocks)s, trouble = '',
        awaited_since = CASE WHEN {_GOES_ON} THEN awaited_since ELSE statement_timestamp() END,
        deadline = CASE WHEN {_GOES_ON} THEN awaited_since ELSE statement_timestamp() END
            + make_interval(secs => %(seconds)s)
    WHERE id = %(id)s AND {_IS_MINE}
    RETURNING deadline
"""
_HAND_OVER = f"""
    UPDATE games_match
    SET state = 'ready', lease_token = NULL, lease_until = NULL, attempt = 0, log = %(log)s, awaited = %(awaited)s,
        clocks = %(clocks)s, deadline = NULL, priority = GREATEST(priority, %(priority)s)
    WHERE id = %(id)s AND {_IS_MINE}
    RETURNING id
"""
DEFAULT_BANK = 600.0


@dataclass(frozen=True, slots=True)
class Fence:
    """What must still be true of the row for a write to count: a worker's lease, or the version that was read."""

    token: uuid.UUID | None = None
    version: str | None = None


def store_waiting(
    *, claimed: ClaimedMatch, table: Table, awaited: Sequence[int], fence: Fence, is_taken_back: bool = False
) -> StoredTable | None:
    """Note where a match stands and who is awaited until when; None where the fence no longer stands.

    The table as it was stored spares whoever answers a person from reading it again.
    """
    clocks = _clocks(claimed, table)
    seconds = seconds_allowed(claimed.clock, clocks, awaited)
    values = {"awaited": list(awaited), "clocks": clocks, "seconds": seconds, "is_taken_back": is_taken_back}
    stored = _store(_WAIT, claimed, table, fence, values)
    if stored is None:
        return None
    facts = TableFacts(
        id=claimed.id,
        ruleset=claimed.ruleset,
        commitment=commitment(claimed.seed),
        is_rated=claimed.is_rated,
        state=MatchState.WAITING.value,
        awaited=tuple(awaited),
        deadline=stored[0],
        closes_at=None,
        clock=claimed.clock,
        clocks=clocks,
        places=None,
        forfeits=None,
        held=tuple(HeldSeat(one.side, one.name, one.slug, one.kind, str(one.agent), False) for one in claimed.seats),
    )
    return StoredTable(facts, claimed.seed, pack_log(table.match.log), has_cards=True)


def hand_over(*, claimed: ClaimedMatch, table: Table, awaited: Sequence[int], fence: Fence) -> bool:
    """Note where a match stands and leave the next decision, a slow agent's, to a worker."""
    values: dict[str, Any] = {"awaited": list(awaited), "clocks": _clocks(claimed, table), "priority": LIVE_PRIORITY}
    is_stored = _store(_HAND_OVER, claimed, table, fence, values) is not None
    nudge_on_commit(int(is_stored), is_live=True)
    return is_stored


ASKS, BACKS = "asks", "backs"
"""Beside banks and strikes: who asks to take a decision back (`seat`), which (`to`) and who agrees, by seat; how often
somebody has (`count`)."""


def find_last_decision(play: Match, seat: int) -> int | None:
    """Where in the log this seat's last decision of the round stands; None without one that can be taken back.

    A kept bid is none. Bids that three people turned over together stay: who takes one back would know the others.
    """
    first = play.round_start + (play.players if play.players == 3 else 0)
    own = (place for place in range(len(play.log) - 1, first - 1, -1) if play.log[place] & 3 == seat)
    return next((place for place in own if play.log[place] >> 2 != KEEP), None)


def _clocks(claimed: ClaimedMatch, table: Table) -> dict[str, dict[str, float]]:
    strikes: dict[str, float] = {str(seat): count for seat, count in table.strikes.items()}
    clocks = {**claimed.clocks, "strikes": strikes}
    asked = clocks.get(ASKS)
    if asked and find_last_decision(table.match, int(asked["seat"])) != asked["to"]:
        del clocks[ASKS]
    if table.early:
        clocks["early"] = {str(seat): 1 for seat in sorted(table.early)}
    return clocks


def _store(
    statement: str, claimed: ClaimedMatch, table: Table, fence: Fence, values: dict[str, Any]
) -> tuple[Any, ...] | None:
    """What the statement returns of the row; None where the fence no longer stands."""
    arguments = {**values, "clocks": json.dumps(values["clocks"]), "log": pack_log(table.match.log)}
    failures = [failure_row(claimed.id, failure) for failure in table.failures]
    # A plain decision is one statement and needs no transaction around it.
    with transaction.atomic(savepoint=False) if failures else nullcontext(), prepared_cursor() as cursor:
        cursor.execute(statement, {**arguments, "id": claimed.id, "token": fence.token, "version": fence.version})
        row: tuple[Any, ...] | None = cursor.fetchone()
        if row is None:
            return None
        SeatFailure.objects.bulk_create(failures, ignore_conflicts=True)
    agents = tuple(seat.agent for seat in claimed.seats)
    moved = partial(match_moved.send, sender=None, match_id=claimed.id, agents=agents, version=len(table.match.log))
    transaction.on_commit(moved)
    return row


def seconds_allowed(
    clock: dict[str, float] | None, clocks: dict[str, dict[str, float]], awaited: Sequence[int]
) -> float:
    """How long the awaited seats may take: a set time for each decision, or what is left of the shortest bank."""
    if clock is None:
        return DEFAULT_BANK
    if "each" in clock:
        return clock["each"]
    banks = clocks.get("banks", {})
    return min(banks.get(str(seat), clock["bank"]) for seat in awaited)


FALLBACK_AGENT = AgentRef(AgentKind.HOUSE, "greedy")
"""The published brain that decides for a seat that failed to."""


def open_table(
    claimed: ClaimedMatch, *, only_quick: bool = False, patience: Callable[[int | None], float] = lambda owner: math.inf
) -> Table:
    """Set a table where the match stands, with its agents opened (or only quick ones); close it with `close_table`."""
    ruleset = Ruleset.from_code(claimed.ruleset)
    match = replay(ruleset, claimed.seed, unpack_log(claimed.log)) if claimed.log else Match(ruleset, claimed.seed)
    strikes = {int(seat): int(count) for seat, count in claimed.clocks.get("strikes", {}).items()}
    names = tuple(seat.name for seat in claimed.seats)
    agents: list[Agent | None] = []
    table = Table(
        match,
        agents,
        lambda seat: open_agent(_order(claimed, ruleset, seat, FALLBACK_AGENT, names)),
        strikes,
        early={int(seat) for seat in claimed.clocks.get("early", {})},
    )
    try:
        for seat in claimed.seats:
            is_lost = strikes.get(seat.seat, 0) >= STRIKES
            is_ours = not seat.agent.is_awaited and not is_lost and (is_quick(seat.agent) or not only_quick)
            order = replace(_order(claimed, ruleset, seat.seat, seat.agent, names), patience=patience(seat.owner))
            agents.append(open_agent(order) if is_ours else None)
    except Exception:
        close_table(table)
        raise
    return table


def close_table(table: Table) -> None:
    for agent in table.agents:
        close_agent(agent)


def _order(claimed: ClaimedMatch, ruleset: Ruleset, seat: int, agent: AgentRef, names: tuple[str, ...]) -> SeatOrder:
    return SeatOrder(agent, seat, ruleset, derive_bot_seed(claimed.seed, claimed.id, seat), claimed.id, names)
