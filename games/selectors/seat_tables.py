"""A table as the person in one seat follows it: what they may see now, and what happened since they last looked."""

from dataclasses import dataclass
from typing import Any

from games.models import Match, MatchSeat, MatchState
from games.rules.actions import BID, KEEP
from games.rules.cards import gold_ranks
from games.rules.history import tell_finished_round
from games.rules.match import Match as Play
from games.rules.match import TrickEnd, replay, unpack_log
from games.rules.notation import action_text
from games.rules.ruleset import Ruleset
from games.rules.view import View, view
from games.selectors.seals import is_sealed

MOST_HAPPENINGS = 60
"""Whoever comes back after a long time sees the last ones only."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One action that this seat saw, and the table right after it.

    With three players the bids are one happening, when they are turned over together: `seat` is None then. `round_end`
    tells the round that this action ended.
    """

    seat: int | None
    action: str
    is_lead: bool
    trick_end: TrickEnd | None
    round_end: dict[str, Any] | None
    seen: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SeatTable:
    """`seen` is None where nothing may be shown: before the deal, or of a result whose deals are still sealed."""

    match: Match
    held: list[MatchSeat]
    seat: int
    seen: View | None
    happenings: list[Happening]


def find_seat_table(match_id: int, seat: int, since: int | None) -> SeatTable:
    """The table now, and what happened after the first `since` actions (nothing is told for None)."""
    seats = MatchSeat.objects.filter(match_id=match_id).select_related("match__result", "player")
    held = list(seats.order_by("seat"))
    match = held[0].match
    log = bytes(match.log)
    if match.state == MatchState.FINISHED:
        if match.result.is_by_hand or is_sealed(match):
            return SeatTable(match, held, seat, None, [])
        log = bytes(match.result.log)
    entries = unpack_log(log)
    ruleset, seed = Ruleset.from_code(match.ruleset), bytes(match.seed)
    start = len(entries) if since is None else min(max(since, len(entries) - MOST_HAPPENINGS), len(entries))
    play = replay(ruleset, seed, entries[:start])
    happenings = [told for entry in entries[start:] if (told := _apply(play, entry, seat))]
    return SeatTable(match, held, seat, view(play, seat), happenings)


def _apply(play: Play, entry: int, seat: int) -> Happening | None:
    """Do one action; None for what changes nothing to see: a kept bid, and a bid that still lies face down."""
    acting, action = entry & 3, entry >> 2
    phase, rounds, tricks = play.round.phase, len(play.rounds), play.round.closed
    is_lead = play.round.trick_length == 0
    play.apply(acting, action)
    is_over = len(play.rounds) > rounds
    is_bid = phase == BID and play.players == 3
    if (action == KEEP and not is_over) or (is_bid and play.round.phase == BID):
        return None
    done = play.rounds[-1] if is_over else None
    ends = list(done.trick_ends) if done else play.trick_ends
    return Happening(
        seat=None if is_bid else acting,
        action=action_text(phase, action),
        is_lead=is_lead,
        trick_end=ends[-1] if len(ends) > tricks else None,
        round_end=tell_finished_round(done) if done else None,
        seen=see_round(view(play, seat)),
    )


def see_round(seen: View) -> dict[str, Any]:
    """What lies on the table for this seat, without the tricks before the last one."""
    told: dict[str, Any] | None = seen.to_dict()["round"]
    if told is None:
        return {"gold": [gold_ranks(seen.golds[seat]) for seat in range(seen.players)]}
    tricks = [trick for trick in told["tricks"] if trick["plays"]]
    return {**told, "tricks": tricks[-1:]}
