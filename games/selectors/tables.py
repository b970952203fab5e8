"""A table as somebody may see it: a seat's own view and what happened since, or what everybody sees."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection

from games.models import Match, MatchState
from games.models.match import ENDED
from games.rules.actions import BID, KEEP, NOBODY
from games.rules.cards import gold_ranks
from games.rules.forfeits import count_places, count_seat_places
from games.rules.history import tell_finished_round
from games.rules.match import Match as Play
from games.rules.match import TrickEnd, replay, unpack_log
from games.rules.notation import action_text
from games.rules.ruleset import Ruleset
from games.rules.view import View, view
from games.selectors.matches import is_sealed, replay_match

MOST_HAPPENINGS = 60
"""Whoever comes back after a long time sees the last ones only."""

HERE = timedelta(seconds=30)
"""An open page says every few seconds that somebody sits there; whoever was not heard of for so long has gone."""

# One statement, because every decision asks it: the table, its seats, and whether its deals are open to be shown.
_TABLE = """
    SELECT match.id, match.ruleset, match.players, match.is_rated, match.state, match.awaited, match.deadline,
           match.closes_at, result.places, result.forfeits, match.seed, COALESCE(result.log, match.log) AS log,
           result.match_id IS NULL AND match.state <> 'open' OR NOT result.is_by_hand AND NOT EXISTS (
               SELECT 1 FROM games_match AS other WHERE other.deals = match.deals AND other.state <> ALL(%(ended)s))
           AS is_shown,
           match.clocks,
           (SELECT json_agg(json_build_array(seat.side, player.name, player.kind, seat.agent,
                            match.state = 'open' AND seat.seen_at IS NOT NULL
                            AND seat.seen_at > now() - make_interval(secs => %(here)s)) ORDER BY seat.seat)
            FROM games_matchseat AS seat JOIN games_player AS player ON player.id = seat.player_id
            WHERE seat.match_id = match.id) AS held
    FROM games_match AS match LEFT JOIN games_matchresult AS result ON result.match_id = match.id
    WHERE match.id = %(match)s
"""


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


class HeldSeat(NamedTuple):
    """`is_here` tells who has come to a table that waits for all its people, and means nothing once cards are dealt."""

    side: int
    name: str
    kind: str
    agent: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class SeatTable:
    """A match and its seats for the person in one of them.

    Places are as counted, by side and by seat.
    `seen` is None where nothing may be shown: before the deal, or of a result whose deals are still sealed.
    """

    id: int
    ruleset: str
    players: int
    is_rated: bool
    state: str
    awaited: list[int]
    deadline: datetime | None
    closes_at: datetime | None
    clocks: dict[str, dict[str, float]]
    places: list[int] | None
    seat_places: list[int] | None
    forfeits: list[int] | None
    held: tuple[HeldSeat, ...]
    seat: int
    seen: View | None
    happenings: list[Happening]


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A match as it is stored, for nobody to see before it is cut for a seat; `facts` are what every seat may know."""

    facts: dict[str, Any]
    seed: bytes
    log: bytes
    is_shown: bool


def find_seat_table(match_id: int, seat: int, since: int | None) -> SeatTable:
    """The table now, and what happened after the first `since` actions (nothing is told for None)."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLE, {"match": match_id, "ended": list(ENDED), "here": HERE.total_seconds()})
        row = dict(zip((column.name for column in cursor.description), cursor.fetchone(), strict=True))
    seed, log, is_shown = bytes(row.pop("seed")), bytes(row.pop("log")), row.pop("is_shown")
    places, forfeits = row.pop("places"), row["forfeits"] or []
    row["places"] = places and count_places(places, forfeits)
    row["seat_places"] = places and count_seat_places(places, forfeits)
    row["held"] = tuple(HeldSeat(*columns) for columns in row["held"])
    row["clocks"] = json.loads(row["clocks"])
    return see_from_seat(StoredTable(row, seed, log, is_shown), seat, since)


def see_from_seat(stored: StoredTable, seat: int, since: int | None) -> SeatTable:
    """What one seat may see of a table."""
    seen: View | None = None
    happenings: list[Happening] = []
    if stored.is_shown:
        ruleset = Ruleset.from_code(stored.facts["ruleset"])
        seen, happenings = _follow(ruleset, stored.seed, stored.log, seat, since)
    return SeatTable(**stored.facts, seat=seat, seen=seen, happenings=happenings)


def _follow(ruleset: Ruleset, seed: bytes, log: bytes, seat: int, since: int | None) -> tuple[View, list[Happening]]:
    entries = unpack_log(log)
    start = len(entries) if since is None else min(max(since, len(entries) - MOST_HAPPENINGS), len(entries))
    play = replay(ruleset, seed, entries[:start])
    happenings = [told for entry in entries[start:] if (told := _apply(play, entry, seat))]
    return view(play, seat), happenings


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


def table_view(match: Match, seat: int = NOBODY) -> dict[str, Any]:
    """What a seat (or, for NOBODY, a watcher) may know of a match now, ready for JSON.

    Of a finished match on deals that are still sealed only the places are told, and nothing before its people have met.
    """
    table: dict[str, Any] = {
        "match": match.pk,
        "state": match.state,
        "ruleset": match.ruleset,
        "commitment": match.commitment,
        "seats": [
            {
                "seat": held.seat,
                "side": held.side,
                "player": held.player.name,
                "slug": held.player.slug,
                "kind": held.player.kind,
            }
            for held in match.seats.select_related("player").order_by("seat")
        ],
        "awaited": list(match.awaited) if match.state == MatchState.WAITING else [],
        "deadline": match.deadline.isoformat() if match.deadline else None,
        "clock": match.clock,
        "banks": match.clocks.get("banks", {}),
        "forfeits": sorted(int(other) for other, count in match.clocks.get("strikes", {}).items() if count >= 3),
    }
    if match.state == MatchState.FINISHED:
        table["places"] = match.result.counted_places
        table["forfeits"] = match.result.forfeits
        if is_sealed(match) or match.result.is_by_hand:
            return {**table, "counter": 0, "view": None}
        play = replay_match(match)
    elif match.state == MatchState.OPEN:
        return {**table, "counter": 0, "view": None}
    else:
        play = replay(Ruleset.from_code(match.ruleset), bytes(match.seed), unpack_log(bytes(match.log)))
    seen = view(play, seat)
    return {**table, "counter": seen.log_end, "view": seen.to_dict()}
