"""Answers of those who decide in their own time: checked, applied, and the table moved on as far as it goes at once."""

import uuid
from collections.abc import Callable
from dataclasses import replace

from django.db import connection, transaction
from django.utils import timezone

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchState
from games.play.agents import AgentFault, is_awaited
from games.play.summary import summarise
from games.play.table import STRIKES, Table
from games.rules.errors import IllegalAction
from games.rules.view import view
from games.services.lease import LEASE_SECONDS, ClaimedMatch, ClaimedSeat
from games.services.live import hand_over, store_waiting
from games.services.settle import PlayedMatch, settle_matches
from games.services.tables import close_table, open_table

_TAKE = """
    UPDATE games_match SET state = 'playing', lease_token = %s, lease_until = now() + make_interval(secs => %s)
    WHERE id = %s AND state = 'waiting'
"""


def answer_decision(*, match_id: int, seat: int, counter: int, text: str) -> None:
    """A seat decides. `counter` is how many actions its view showed: a stale or doubled click is refused."""

    def decide(table: Table) -> None:
        if counter != view(table.match, seat).log_end:
            raise LeagueError("stale_state", "The table has moved on since you looked.", "Look again and decide.", 409)
        try:
            table.match.apply_text(seat, text)
        except IllegalAction as error:
            raise LeagueError(error.code, error.message, f"Legal now: {', '.join(error.legal)}.", 422) from error

    _move(match_id, decide, seat)


def resign_seat(*, match_id: int, seat: int) -> None:
    """A seat gives up: the fallback plays on, the seat forfeits, the others keep their match."""
    _move(match_id, lambda table: table.forfeit(seat, AgentFault("resigned", "gave up the seat")), None)


def flag_late_seats(*, match_id: int) -> bool:
    """Time is up: people forfeit, connected bots get a strike and the fallback decides; False where nobody is late."""
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.state != MatchState.WAITING or match.deadline is None or match.deadline > timezone.now():
            return False
        kinds = dict(match.seats.values_list("seat", "agent"))

        def flag(table: Table) -> None:
            for seat in table.match.awaiting():
                if table.match.is_over or seat not in table.match.awaiting():
                    continue
                fault = AgentFault("timeout_wall", "no decision within the time allowed")
                if kinds[seat].startswith("person"):
                    table.forfeit(seat, fault)
                else:
                    table.strike(seat, fault)
                table.fall_back(seat)

        _move(match_id, flag, None)
    return True


@transaction.atomic
def _move(match_id: int, act: Callable[[Table], None], seat: int | None) -> None:
    """Take a waiting match, act on it, let quick agents answer, and store where it stands then."""
    match = _lock_waiting(match_id, seat)
    token = uuid.uuid4()
    claimed = _claim_of(match)
    if seat is not None:
        claimed = _charge(claimed, match, seat)
    table = open_table(claimed, only_quick=True)
    try:
        act(table)
        awaited = table.advance()
    finally:
        close_table(table)
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [token, LEASE_SECONDS, match_id])
    if not awaited:
        settle_matches(
            played=[PlayedMatch(claimed, summarise(table.match, table.forfeits), tuple(table.failures))], token=token
        )
    elif any(_is_for_worker(claimed, table, other) for other in awaited):
        hand_over(claimed=claimed, table=table, awaited=awaited, token=token)
    else:
        store_waiting(claimed=claimed, table=table, awaited=awaited, token=token)


def _lock_waiting(match_id: int, seat: int | None) -> Match:
    try:
        match = Match.objects.select_for_update().get(pk=match_id)
    except Match.DoesNotExist:
        raise LeagueError("match_unknown", "There is no such match.", status=404) from None
    if match.state in (MatchState.FINISHED, MatchState.VOID):
        raise LeagueError("match_over", "This match is over.", "Open it to see the result.", 409)
    if match.state != MatchState.WAITING:
        raise LeagueError("table_busy", "Another seat is deciding.", "Try again in a moment.", 409)
    if seat is not None and seat not in match.awaited:
        raise LeagueError("not_awaited", "It is not your turn.", "Wait until the table asks you.", 409)
    return match


def _claim_of(match: Match) -> ClaimedMatch:
    seats = tuple(
        ClaimedSeat(seat.seat, seat.side, seat.player_id, seat.agent, seat.player.kind, seat.player.name)
        for seat in match.seats.select_related("player").order_by("seat")
    )
    return ClaimedMatch(
        match.pk,
        match.kind,
        match.ruleset,
        match.is_rated,
        bytes(match.seed),
        match.deals,
        bytes(match.log),
        match.clock,
        match.clocks,
        match.attempt,
        seats,
    )


def _charge(claimed: ClaimedMatch, match: Match, seat: int) -> ClaimedMatch:
    """Take the time this decision cost from the seat's bank, and add the increment."""
    clock = claimed.clock
    if clock is None or "bank" not in clock or match.awaited_since is None:
        return claimed
    banks = dict(claimed.clocks.get("banks", {}))
    spent = (timezone.now() - match.awaited_since).total_seconds()
    left = banks.get(str(seat), clock["bank"]) - spent + clock.get("increment", 0.0)
    banks[str(seat)] = round(min(max(left, 0.0), clock["bank"]), 3)
    return replace(claimed, clocks={**claimed.clocks, "banks": banks})


def _is_for_worker(claimed: ClaimedMatch, table: Table, seat: int) -> bool:
    return not is_awaited(claimed.seats[seat].agent) and table.strikes.get(seat, 0) < STRIKES
