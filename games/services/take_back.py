"""Taking back: a bid that nobody has seen, by oneself; among friends one's last decision, if all allow it.

What is asked, and who has agreed, lies with the clocks in the match's row, so that it stands and falls with the log.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from django.db import connection, transaction

from aurum_league.common.broker import publish
from aurum_league.common.errors import N_, LeagueError
from games.models import MatchKind
from games.play.table import STRIKES
from games.rules.actions import BID
from games.rules.match import Match, pack_log, replay, unpack_log
from games.rules.ruleset import Ruleset
from games.selectors.tables import StoredTable
from games.services.answer import MOVED_ON, TRIES, count_own
from games.services.lease import ClaimedMatch
from games.services.tables import (
    ASKS,
    BACKS,
    Fence,
    ReadMatch,
    close_table,
    find_last_decision,
    open_table,
    read_waiting,
    store_waiting,
)

_UNMARK = """
    UPDATE games_matchseat SET by_token = by_token - 1, token_decisions = array_remove(token_decisions, %s::smallint)
    WHERE match_id = %s AND seat = %s AND %s = ANY(token_decisions)
"""
_UNMARK_LATER = """
    UPDATE games_matchseat AS held
    SET token_decisions = kept.numbers, by_token = COALESCE(cardinality(kept.numbers), 0)
    FROM (SELECT ARRAY(SELECT unnest(token_decisions) INTERSECT SELECT generate_series(0, %(count)s - 1)) AS numbers
          FROM games_matchseat WHERE match_id = %(match)s AND seat = %(seat)s) AS kept
    WHERE match_id = %(match)s AND seat = %(seat)s AND token_decisions IS NOT NULL
"""
_NOTHING = LeagueError(
    "nothing_to_take_back",
    N_("There is nothing to take back."),
    N_("A bid can be taken back while it lies face down and others have yet to bid."),
    status=409,
)


def take_back_bid(*, match_id: int, seat: int) -> StoredTable | None:
    """A seat takes its bid up again while others have yet to lay theirs: face down, nobody has learnt anything by it.

    Nobody's clock starts anew, and the increment that the bid had earned is given back.
    """
    for _ in range(TRIES):
        read = read_waiting(match_id)
        claimed, entries = read.claimed, unpack_log(read.claimed.log)
        play = replay(Ruleset.from_code(claimed.ruleset), claimed.seed, entries)
        laid = [place for place in range(play.round_start, len(entries)) if entries[place] & 3 == seat]
        is_late = read.deadline is not None and read.deadline <= read.now
        if play.players != 3 or play.round.phase != BID or not laid or seat in read.awaited or is_late:
            raise _NOTHING
        number = count_own(entries[: laid[0]], seat)
        del entries[laid[0]]
        back = replace(claimed, log=pack_log(entries), clocks=_give_back(claimed, seat))
        waits_as = _wait_again(replace(read, claimed=back), (*read.awaited, seat))
        if waits_as is not None:
            with connection.cursor() as cursor:
                cursor.execute(_UNMARK, [number, match_id, seat, number])
            return waits_as
    raise MOVED_ON


def _wait_again(read: ReadMatch, awaited: tuple[int, ...]) -> StoredTable | None:
    table = open_table(read.claimed, only_quick=True)
    try:
        fence, seats = Fence(version=read.version), sorted(awaited)
        return store_waiting(claimed=read.claimed, table=table, awaited=seats, fence=fence, is_taken_back=True)
    finally:
        close_table(table)


def _give_back(claimed: ClaimedMatch, seat: int) -> dict[str, dict[str, float]]:
    banks = dict(claimed.clocks.get("banks", {}))
    if str(seat) in banks and claimed.clock:
        banks[str(seat)] = max(0.0, banks[str(seat)] - claimed.clock.get("increment", 0.0))
    return {**claimed.clocks, "banks": banks} if banks else dict(claimed.clocks)


def ask_take_back(*, match_id: int, seat: int) -> StoredTable | None:
    """Ask to take one's last decision of this round back; where nobody else is a person, it is taken back at once."""
    for _ in range(TRIES):
        read = read_waiting(match_id)
        _require_friendly(read)
        play = _replay(read.claimed)
        place = find_last_decision(play, seat)
        if place is None:
            raise LeagueError(
                "nothing_to_take_back",
                N_("There is nothing to take back."),
                N_("A decision can be taken back until its round is over."),
                status=409,
            )
        waits_as = _agree(read, play, {"seat": seat, "to": place, str(seat): 1})
        if waits_as is not None:
            return waits_as
    raise MOVED_ON


def answer_take_back(*, match_id: int, seat: int, is_allowed: bool) -> StoredTable | None:
    """Allow what somebody asks to take back, or refuse it; whoever asked withdraws it so. It is done once all allow."""
    for _ in range(TRIES):
        read = read_waiting(match_id)
        asked = read.claimed.clocks.get(ASKS)
        if asked is None or (is_allowed and asked["seat"] == seat):
            raise LeagueError("nothing_asked", N_("Nobody asks you to take something back."), status=409)
        agreed = {**asked, str(seat): 1.0}
        waits_as = _agree(read, _replay(read.claimed), agreed) if is_allowed else _note(read, None)
        if waits_as is not None:
            return waits_as
    raise MOVED_ON


def _require_friendly(read: ReadMatch) -> None:
    """A casual table of people and house bots that counts for nothing: programs hear of each move once."""
    claimed = read.claimed
    are_known = all(seat.agent.is_person or seat.agent.is_house for seat in claimed.seats)
    if claimed.kind != MatchKind.CASUAL or claimed.is_rated or not are_known:
        raise LeagueError(
            "takes_nothing_back",
            N_("At this table a decision stands."),
            N_("Decisions are taken back at casual tables of people and house bots that are not rated."),
            status=403,
        )


def _replay(claimed: ClaimedMatch) -> Match:
    return replay(Ruleset.from_code(claimed.ruleset), claimed.seed, unpack_log(claimed.log))


def _agree(read: ReadMatch, play: Match, asked: dict[str, float]) -> StoredTable | None:
    """Note that somebody agrees; the decision is undone where that was the last of the people who still play."""
    strikes = read.claimed.clocks.get("strikes", {})
    people = [held.seat for held in read.claimed.seats if held.agent.is_person]
    if all(str(seat) in asked or strikes.get(str(seat), 0) >= STRIKES for seat in people):
        return _go_back(read, play, int(asked["to"]))
    return _note(read, asked)


def _note(read: ReadMatch, asked: dict[str, float] | None) -> StoredTable | None:
    """Only what is asked changes: everybody's clock goes on."""
    clocks = {key: value for key, value in read.claimed.clocks.items() if key != ASKS}
    if asked is not None:
        clocks[ASKS] = asked
    return _store_changed(replace(read, claimed=replace(read.claimed, clocks=clocks)), read.awaited)


def _go_back(read: ReadMatch, play: Match, place: int) -> StoredTable | None:
    """The table as it was before that action; whoever made it is awaited again, with the time a decision has."""
    clocks = {key: value for key, value in read.claimed.clocks.items() if key != ASKS}
    clocks[BACKS] = {"count": clocks.get(BACKS, {}).get("count", 0) + 1}
    kept = play.log[:place]
    back = replace(read.claimed, log=pack_log(kept), clocks=clocks)
    with transaction.atomic():
        waits_as = _store_changed(replace(read, claimed=back), None)
        if waits_as is not None:
            with connection.cursor() as cursor:
                for seat in range(play.players):
                    given = {"count": count_own(kept, seat), "match": read.claimed.id, "seat": seat}
                    cursor.execute(_UNMARK_LATER, given)
    return waits_as


def _store_changed(read: ReadMatch, awaited: tuple[int, ...] | None) -> StoredTable | None:
    table = open_table(read.claimed, only_quick=True)
    try:
        seats = table.match.awaiting() if awaited is None else awaited
        fence, goes_on = Fence(version=read.version), awaited is not None
        waits_as = store_waiting(claimed=read.claimed, table=table, awaited=seats, fence=fence, is_taken_back=goes_on)
    finally:
        close_table(table)
    if waits_as is not None:
        transaction.on_commit(partial(publish, f"match:{read.claimed.id}", {"back": len(table.match.log)}))
    return waits_as


OWN_BID, ASK, ALLOW, REFUSE = "bid", "ask", "allow", "refuse"
DEEDS: dict[str, Callable[..., StoredTable | None]] = {
    OWN_BID: take_back_bid,
    ASK: ask_take_back,
    ALLOW: partial(answer_take_back, is_allowed=True),
    REFUSE: partial(answer_take_back, is_allowed=False),
}
"""What can be done about taking back, by the word that page and API send."""
