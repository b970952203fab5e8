"""A match as it stands, with all that moving it on needs, read in one statement: a person waits for the answer.

Nothing is locked while bots think. Whoever read it writes only where nobody else has written since: `version` is
Postgres's own number of the row as it was read.
"""

import json
from dataclasses import dataclass
from datetime import datetime

from aurum_league.common.errors import LeagueError
from aurum_league.common.prepared import prepared_cursor
from games.models import MatchState
from games.services.lease import ClaimedMatch, ClaimedSeat

_READ = """
    SELECT match.id, match.kind, match.ruleset, match.is_rated, match.seed, match.deals, match.log, match.clock,
           match.clocks, match.attempt, match.state, match.awaited, match.awaited_since, match.deadline,
           (SELECT json_agg(json_build_array(seat.seat, seat.side, seat.player_id, seat.agent, player.kind, player.name)
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
        raise LeagueError("match_unknown", "There is no such match.", status=404)
    pk, kind, ruleset, is_rated, seed, deals, log, clock, clocks, attempt, *standing = row
    state, awaited, awaited_since, deadline, seats, now, version = standing
    claimed = ClaimedMatch(
        pk,
        kind,
        ruleset,
        is_rated,
        bytes(seed),
        deals,
        bytes(log),
        json.loads(clock) if clock else None,
        json.loads(clocks),
        attempt,
        tuple(ClaimedSeat(*seat) for seat in seats),
    )
    return ReadMatch(claimed, state, tuple(awaited), awaited_since, deadline, now, version)


def read_waiting(match_id: int) -> ReadMatch:
    """A match that waits for somebody; raises a sentence where it does not."""
    read = read_match(match_id)
    if read.state in (MatchState.FINISHED, MatchState.VOID):
        raise LeagueError("match_over", "This match is over.", "Open it to see the result.", 409)
    if read.state != MatchState.WAITING:
        raise LeagueError("table_busy", "Another seat is deciding.", "Try again in a moment.", 409)
    return read
