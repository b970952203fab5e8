"""A table as it is stored, what a seat or a watcher may see of it now, and a finished one step by step."""

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection

from aurum_league.common.errors import LeagueError
from games.models import MatchState
from games.models.match import ENDED
from games.play.agents import AgentRef
from games.play.see_table import (
    clear_at,
    follow,
    open_everything,
    open_hands,
    see_round,
    see_view,
    stop_at,
    tell_action,
    type_finished,
)
from games.play.table import STRIKES
from games.play.table_state import DEAL, END, BackAsked, Happening, SeatState, SeatView, TableState
from games.rules.actions import BID, CHANGE, KEEP, NOBODY, PLAY, action_text
from games.rules.match import FinishedRound, replay, unpack_log
from games.rules.match import Match as Play
from games.rules.outcome import count_places
from games.rules.ruleset import Ruleset
from games.rules.view import view
from games.selectors.archives import read_archived_logs

MOST_HAPPENINGS = 60
"""Whoever comes back after a long time sees the last ones only."""

HERE = timedelta(seconds=30)
"""An open page says every few seconds that somebody sits there; whoever was not heard of for so long has gone."""

# One statement, because every decision asks it: the table, its seats, and whether its deals are open to be shown.
_TABLE = """
    SELECT match.id, match.ruleset, match.commitment, match.is_rated, match.state, match.awaited, match.deadline,
           match.closes_at, match.clock, match.clocks, result.places, result.forfeits,
           (SELECT json_agg(json_build_array(seat.side, player.name, player.slug, player.kind, seat.agent,
                            match.state = 'open' AND seat.seen_at IS NOT NULL
                            AND seat.seen_at > now() - make_interval(secs => %(here)s)) ORDER BY seat.seat)
            FROM games_matchseat AS seat JOIN games_player AS player ON player.id = seat.player_id
            WHERE seat.match_id = match.id),
           match.seed, COALESCE(result.log, match.log), result.archive_id, result.version,
           CASE WHEN result.match_id IS NULL THEN match.state <> 'open' ELSE NOT result.is_by_hand END,
           NOT EXISTS (SELECT 1 FROM games_match AS other
                       WHERE other.deals = match.deals AND other.id <> match.id AND other.state <> ALL(%(ended)s))
    FROM games_match AS match
    LEFT JOIN games_matchresult AS result ON result.match_id = match.id AND match.state = 'finished'
    WHERE match.id = %(match)s
"""


class HeldSeat(NamedTuple):
    side: int
    name: str
    slug: str
    kind: str
    agent: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What everybody may know of a match as it is stored; places are as counted."""

    id: int
    ruleset: str
    commitment: str
    is_rated: bool
    state: str
    awaited: tuple[int, ...]
    deadline: datetime | None
    closes_at: datetime | None
    clock: Mapping[str, float] | None
    clocks: Mapping[str, Mapping[str, float]]
    places: tuple[int, ...] | None
    forfeits: tuple[int, ...] | None
    held: tuple[HeldSeat, ...]


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A match as it is stored, for nobody to see before it is cut for a seat.

    `has_cards`: there is something to see. `is_sealed`: others have yet to play the same deals, so that nobody but
    those who play sees any of it, and they no more once their match is over.
    """

    facts: TableFacts
    seed: bytes
    log: bytes
    has_cards: bool
    is_sealed: bool = False

    def is_shown_to(self, seat: int) -> bool:
        is_playing = seat != NOBODY and self.facts.places is None
        return self.has_cards and (is_playing or not self.is_sealed)


def find_table(match_id: int, seat: int = NOBODY, since: int | None = None) -> TableState:
    """The table now, and what happened after the first `since` actions (nothing is told for None)."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLE, {"match": match_id, "ended": list(ENDED), "here": HERE.total_seconds()})
        *facts, seed, log, archive, version, has_cards, is_open = cursor.fetchone()
    if has_cards and archive is not None and not len(log):
        try:
            log = read_archived_logs(archive, {match_id: version})[match_id]
        except LeagueError:
            has_cards = False
    number, ruleset, commitment, is_rated, state, awaited, deadline, closes_at, *rest = facts
    clock, clocks, places, forfeits, held = rest
    stored = TableFacts(
        *(number, ruleset, commitment, is_rated, state, tuple(awaited), deadline, closes_at),
        json.loads(clock) if clock else None,
        json.loads(clocks),
        None if places is None else tuple(count_places(places, forfeits)),
        None if forfeits is None else tuple(forfeits),
        tuple(HeldSeat(*columns) for columns in held),
    )
    return see_stored(StoredTable(stored, bytes(seed), bytes(log), has_cards, not is_open), seat, since)


def see_stored(stored: StoredTable, seat: int = NOBODY, since: int | None = None) -> TableState:
    """What one seat, or everybody, may see of a table."""
    facts = stored.facts
    seen: SeatView | None = None
    counter, happenings = 0, tuple[Happening, ...]()
    if stored.is_shown_to(seat):
        counter, seen, happenings = _follow(stored, seat, since)
    strikes = facts.clocks.get("strikes", {})
    lost = tuple(sorted(int(other) for other, count in strikes.items() if count >= STRIKES))
    return TableState(
        match=facts.id,
        state=facts.state,
        ruleset=facts.ruleset,
        is_rated=facts.is_rated,
        commitment=facts.commitment,
        seats=tuple(_tell_seat(number, held, number in lost) for number, held in enumerate(facts.held)),
        awaited=facts.awaited if facts.state == MatchState.WAITING else (),
        deadline=facts.deadline,
        closes_at=facts.closes_at,
        clock=facts.clock,
        banks=facts.clocks.get("banks", {}),
        forfeits=lost if facts.forfeits is None else facts.forfeits,
        places=facts.places if facts.state == MatchState.FINISHED else None,
        counter=counter,
        taken_back=int(facts.clocks.get("backs", {}).get("count", 0)),
        asks_back=_tell_asked(facts),
        view=seen,
        happenings=happenings,
    )


def _tell_asked(facts: TableFacts) -> BackAsked | None:
    asked = facts.clocks.get("asks")
    if asked is None or facts.state != MatchState.WAITING:
        return None
    return BackAsked(int(asked["seat"]), tuple(sorted(int(key) for key in asked if key.isdigit())))


def _follow(stored: StoredTable, seat: int, since: int | None) -> tuple[int, SeatView, tuple[Happening, ...]]:
    entries = unpack_log(stored.log)
    start = len(entries) if since is None else min(max(since, len(entries) - MOST_HAPPENINGS), len(entries))
    play = replay(Ruleset.from_code(stored.facts.ruleset), stored.seed, entries[:start])
    happenings = tuple(follow(play, entries[start:], seat))
    return view(play, seat).log_end, see_view(play, seat), happenings


def _tell_seat(seat: int, held: HeldSeat, has_forfeited: bool) -> SeatState:
    is_person = AgentRef.parse(held.agent).is_person
    return SeatState(
        seat=seat,
        side=held.side,
        player=held.name,
        slug=held.slug,
        kind="person" if is_person else held.kind,
        is_here=held.is_here or not is_person,
        has_forfeited=has_forfeited,
    )


BID_STEP, SWAP_STEP, PLAY_STEP = "bid", "swap", "play"


@dataclass(frozen=True, slots=True, order=True)
class ReplayStep:
    """A place to stop at, after `applied` actions of its round.

    Trick 0 is the bids; `number` counts within the trick.
    """

    round_number: int
    trick: int
    number: int
    kind: str
    applied: int


def list_steps(play: Play) -> list[ReplayStep]:
    """Every step of the match in order; seats that keep their bids make no step."""
    return [step for number, done in enumerate(play.rounds, 1) for step in _list_round(number, done)]


def _list_round(number: int, done: FinishedRound) -> Iterator[ReplayStep]:
    players = len(done.deal.hands)
    yield ReplayStep(number, 0, 0, DEAL, 0)
    for laid in range(1, players + 1):
        yield ReplayStep(number, 0, laid, BID_STEP, laid)
    trick, inside, plays = 1, 0, 0
    for applied, entry in enumerate(done.log[players:], players + 1):
        if entry >> 2 == KEEP:
            continue
        if plays == players:
            trick, inside, plays = trick + 1, 0, 0
        inside += 1
        is_play = entry >> 2 < KEEP
        plays += is_play
        yield ReplayStep(number, trick, inside, PLAY_STEP if is_play else SWAP_STEP, applied)
    yield ReplayStep(number, trick, inside + 1, END, len(done.log))


def find_step(steps: Sequence[ReplayStep], round_number: int, trick: int, number: int) -> int:
    """The index of this step, or of the nearest one where there is none."""
    places = [(step.round_number, step.trick, step.number) for step in steps]
    index = bisect_left(places, (round_number, trick, number))
    return min(index, len(steps) - 1)


def see_step(play: Play, step: ReplayStep, seat: int | None) -> Happening:
    """What happened at a step and the table right after it, as this seat saw it, or with every card open for None."""
    done = play.rounds[step.round_number - 1]
    applied = sum(len(before.log) for before in play.rounds[: step.round_number - 1]) + step.applied
    stopped = stop_at(play, applied) if step.applied else clear_at(play, applied)
    round_ = see_round(stopped, NOBODY if seat is None else seat)
    if seat is None:
        round_ = open_everything(round_, stopped)
    elif step.kind == END:
        round_ = open_hands(round_, stopped, [done.end_seat])
    if step.kind == DEAL:
        return Happening(DEAL, done.first_seat, None, None, False, None, round_, None)
    if step.kind == END:
        return Happening(END, done.end_seat, None, None, False, None, round_, type_finished(done))
    entry = done.log[step.applied - 1]
    phase = BID if step.kind == BID_STEP else CHANGE if step.kind == SWAP_STEP else PLAY
    told = tell_action(
        action_text(phase, entry >> 2),
        entry & 3,
        round_,
        is_lead=step.kind == PLAY_STEP and len(round_.last_trick.plays if round_.last_trick else ()) == 1,
        closed=step.trick - 1,
        result=None,
    )
    return replace(told, card=round_.bids[entry & 3]) if step.kind == BID_STEP else told


def gold_at_end(play: Play, number: int) -> tuple[tuple[int, ...], ...]:
    """The gold that each seat is scored for in a round, by rank."""
    applied = sum(len(done.log) for done in play.rounds[:number])
    return tuple(tuple(int(card[1:]) for card in cards) for cards in see_round(stop_at(play, applied), NOBODY).gold)
