"""Answers of those who decide in their own time: checked, applied, and the table moved on as far as it goes at once."""

import uuid
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import NamedTuple

from django.db import connection, transaction
from structlog.contextvars import bound_contextvars

from aurum_league.common.errors import N_, LeagueError
from games.models import MatchState
from games.play.agents import AgentFault, is_quick
from games.play.table import STRIKES, Table, summarise
from games.rules.errors import IllegalAction
from games.rules.view import view
from games.selectors.tables import StoredTable
from games.services.lease import LEASE_SECONDS, ClaimedMatch
from games.services.settle import PlayedMatch, settle_matches
from games.services.tables import (
    Fence,
    ReadMatch,
    close_table,
    hand_over,
    open_table,
    read_match,
    read_waiting,
    seconds_allowed,
    store_waiting,
)

TRIES = 5
"""What still holds after somebody else moved the table at the same moment is tried again."""

_TAKE = """
    UPDATE games_match SET state = 'playing', lease_token = %s, lease_until = now() + make_interval(secs => %s)
    WHERE id = %s AND xmin = %s::xid
"""
_MARK_TOKEN = """
    UPDATE games_matchseat SET by_token = by_token + 1, token_decisions = array_append(token_decisions, %s::smallint)
    WHERE match_id = %s AND seat = %s
"""
MOVED_ON = LeagueError(
    "stale_state", N_("The table has moved on since you looked."), N_("Look again and decide."), status=409
)


class Moved(NamedTuple):
    """Whether a change was stored; `waits_as` is the table where it now waits for somebody, None where it ended or a
    worker goes on with it."""

    is_stored: bool
    waits_as: StoredTable | None = None


def answer_decision(
    *, match_id: int, seat: int, counter: int, text: str, is_by_token: bool = False
) -> StoredTable | None:
    """A seat decides. `counter` is how many actions its view showed: a stale or doubled click is refused.

    So is an answer after the deadline, by the database's clock, whether or not the sweep has come by. A person's
    decision that came by token is marked at the seat, and at a rated table it is refused.

    Answers with the table where it waits for somebody again, so that nobody has to read it anew.
    """
    number = 0

    def decide(table: Table) -> None:
        nonlocal number
        if counter != view(table.match, seat).log_end:
            raise MOVED_ON
        number = count_own(table.match.log, seat)
        try:
            table.match.apply_text(seat, text)
        except IllegalAction as error:
            raise LeagueError(
                error.code,
                "%(sentence)s",
                N_("Legal now: %(legal)s."),
                status=422,
                sentence=error.message,
                legal=list(error.legal),
            ) from error

    # Several bid at the same moment, and none of them sees the others' bids: nobody is refused for that.
    for _ in range(TRIES):
        read = read_waiting(match_id)
        if seat not in read.awaited:
            raise LeagueError(
                "not_awaited", N_("It is not your turn."), N_("Wait until the table asks you."), status=409
            )
        if read.deadline is not None and read.deadline <= read.now and seat in _list_late(read):
            raise LeagueError(
                "time_is_up", N_("Your time for this decision is up."), N_("Look again: the house decides."), status=409
            )
        is_marked = is_by_token and _require_hand(read.claimed, seat)
        with transaction.atomic() if is_marked else nullcontext():
            moved = _move(replace(read, claimed=_charge(read, seat)), decide)
            if moved.is_stored and is_marked:
                _mark_token(match_id, seat, number)
        if moved.is_stored:
            return moved.waits_as
    raise MOVED_ON


def _require_hand(claimed: ClaimedMatch, seat: int) -> bool:
    """Whether a program decides here for a person; a coded error where the table is rated."""
    if not claimed.seats[seat].agent.is_person:
        return False
    if claimed.is_rated:
        raise LeagueError(
            "rated_by_hand",
            N_("At rated tables people decide by hand."),
            N_("Play on the table's page, or register a bot for your program."),
            status=403,
        )
    return True


def count_own(log: Sequence[int], seat: int) -> int:
    """How many actions of the log are this seat's: others who take a bid back do not change it."""
    return sum(entry & 3 == seat for entry in log)


def _mark_token(match_id: int, seat: int, number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_MARK_TOKEN, [number, match_id, seat])


def resign_seat(*, match_id: int, seat: int) -> None:
    """A seat gives up: the fallback plays on, the seat forfeits, the others keep their match."""
    fault = AgentFault("resigned", "gave up the seat")
    for _ in range(TRIES):
        if _move(read_waiting(match_id), lambda table: table.forfeit(seat, fault)).is_stored:
            return
    raise MOVED_ON


def flag_late_seats(*, match_id: int) -> bool:
    """Time is up: people forfeit, connected bots get a strike and the fallback decides; False where nobody is late."""
    read = read_match(match_id)
    if read.state != MatchState.WAITING or read.deadline is None or read.deadline > read.now:
        return False

    def flag(table: Table) -> None:
        fault = AgentFault("timeout_wall", "no decision within the time allowed")
        for seat in _list_late(read):
            if read.claimed.seats[seat].agent.is_person:
                table.forfeit(seat, fault)
            else:
                table.strike(seat, fault)
            table.fall_back(seat)

    return _move(read, flag).is_stored


def start_at_once(*, match_id: int) -> None:
    """Deal a match that nobody has played on yet, where no slow agent sits at it; else it is left to a worker."""
    read = read_match(match_id)
    agents = [seat.agent for seat in read.claimed.seats]
    if read.state == MatchState.READY and all(agent.is_awaited or is_quick(agent) for agent in agents):
        _move(read, lambda table: None)


def _move(read: ReadMatch, act: Callable[[Table], None]) -> Moved:
    """Act on a match, let quick agents answer, and store where it stands then, unless it has changed meanwhile."""
    with bound_contextvars(match_id=read.claimed.id):
        return _move_on(read, act)


def _move_on(read: ReadMatch, act: Callable[[Table], None]) -> Moved:
    claimed = read.claimed
    table = open_table(claimed, only_quick=True)
    try:
        act(table)
        awaited = table.advance()
    finally:
        close_table(table)
    fence = Fence(version=read.version)
    if not awaited:
        return Moved(_settle(read, table))
    if any(_is_for_worker(claimed, table, seat) for seat in awaited):
        return Moved(hand_over(claimed=claimed, table=table, awaited=awaited, fence=fence))
    waits_as = store_waiting(claimed=claimed, table=table, awaited=awaited, fence=fence)
    return Moved(waits_as is not None, waits_as)


@transaction.atomic
def _settle(read: ReadMatch, table: Table) -> bool:
    token = uuid.uuid4()
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [token, LEASE_SECONDS, read.claimed.id, read.version])
        if not cursor.rowcount:
            return False
    summary = summarise(table.match, table.forfeits, sorted(table.early))
    played = PlayedMatch(read.claimed, summary, tuple(table.failures))
    return bool(settle_matches(played=[played], token=token))


def _charge(read: ReadMatch, seat: int) -> ClaimedMatch:
    """Take the time this decision cost from the seat's bank, and add the increment."""
    claimed, clock = read.claimed, read.claimed.clock
    if clock is None or "bank" not in clock or read.awaited_since is None:
        return claimed
    banks = dict(claimed.clocks.get("banks", {}))
    spent = (read.now - read.awaited_since).total_seconds()
    left = banks.get(str(seat), clock["bank"]) - spent + clock.get("increment", 0.0)
    banks[str(seat)] = round(min(max(left, 0.0), clock["bank"]), 3)
    return replace(claimed, clocks={**claimed.clocks, "banks": banks})


def _list_late(read: ReadMatch) -> list[int]:
    """The deadline is that of the shortest bank; where several are awaited at once, each has a bank of their own."""
    assert read.deadline is not None
    clock, clocks = read.claimed.clock, read.claimed.clocks
    overdue = (read.now - read.deadline).total_seconds() + seconds_allowed(clock, clocks, read.awaited)
    return [seat for seat in read.awaited if seconds_allowed(clock, clocks, [seat]) <= overdue]


def _is_for_worker(claimed: ClaimedMatch, table: Table, seat: int) -> bool:
    return not claimed.seats[seat].agent.is_awaited and table.strikes.get(seat, 0) < STRIKES
