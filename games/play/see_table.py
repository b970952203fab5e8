"""Seeing a table: from a match and a seat to the typed state of what that seat may know, now or step by step.

What a seat may know is cut by `view` alone; nothing here looks behind it, but for replays of matches that are over.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from games.play.table_state import (
    BID_LAID,
    PLAY,
    REVEAL,
    SWAP,
    BidChange,
    FinishedState,
    Happening,
    RoundEnd,
    RoundState,
    ScoreState,
    SeatView,
    TrickState,
)
from games.rules.actions import BID, KEEP, action_text
from games.rules.cards import CARD_NAMES, names_in
from games.rules.match import FinishedRound, Match
from games.rules.record_shape import tell_finished_round
from games.rules.view import view


def see_view(play: Match, seat: int) -> SeatView:
    """What this seat may know now; NOBODY is everybody."""
    told = view(play, seat).to_dict()
    return SeatView(
        ruleset=told["ruleset"],
        seat=told["seat"],
        nuggets=tuple(told["nuggets"]),
        totals=tuple(told["totals"]),
        history=tuple(map(_type_finished, told["history"])),
        round=_type_round(told["round"], told["seat"]) if told["round"] else None,
        legal=tuple(told["legal"]),
        clocks=tuple(told["clocks"]) if told["clocks"] is not None else None,
    )


def see_round(play: Match, seat: int) -> RoundState:
    """What this seat sees of the round that lies on the table, also of one that has just ended."""
    round_ = see_view(play, seat).round
    assert round_ is not None, "a match that is over has cleared its last round away"
    return round_


def clear_at(play: Match, applied: int) -> Match:
    """The match after its first actions; where they ended a round, the next one is dealt."""
    again = Match(play.ruleset, play.seed, play.deals)
    for entry in play.log[:applied]:
        again.apply(entry & 3, entry >> 2)
    return again


def stop_at(play: Match, applied: int) -> Match:
    """The match after its first actions, with a round that the last of them ended still lying on the table."""
    again = clear_at(play, applied - 1)
    last, round_ = play.log[applied - 1], again.round
    if round_.phase == BID:
        round_.lay_bid(last & 3, last >> 2)
    else:
        round_.apply(last >> 2)
    again.log.append(last)
    if round_.closed > len(again.trick_ends):
        again.trick_ends.append((round_.last_winner, round_.last_gold_to, round_.last_gold))
    return again


def follow(play: Match, entries: Iterable[int], seat: int) -> Iterator[Happening]:
    """Do these actions and tell what this seat sees of each; what changes nothing to see is not told."""
    for entry in entries:
        if told := _apply(play, entry, seat):
            yield told


def _apply(play: Match, entry: int, seat: int) -> Happening | None:
    """None for a kept bid, and for a bid that still lies face down."""
    acting, action = entry & 3, entry >> 2
    phase, rounds, closed = play.round.phase, len(play.rounds), play.round.closed
    is_lead = play.round.trick_length == 0
    play.apply(acting, action)
    done = play.rounds[-1] if len(play.rounds) > rounds else None
    is_secret = phase == BID and play.players == 3
    if (action == KEEP and not done) or (is_secret and play.round.phase == BID):
        return None
    round_ = see_round(stop_at(play, len(play.log)) if done else play, seat)
    return tell_action(
        action_text(phase, action),
        None if is_secret else acting,
        round_,
        is_lead=is_lead,
        closed=closed,
        result=type_finished(done) if done else None,
    )


def tell_action(
    text: str, seat: int | None, round_: RoundState, *, is_lead: bool, closed: int, result: FinishedState | None
) -> Happening:
    """An action in notation as a happening; `closed` is how many tricks were complete before it."""
    verb, *rest = text.split()
    last = round_.last_trick
    change = BidChange(seat or 0, int(rest[0][1:]), int(rest[1]), rest[2]) if verb == SWAP else None
    return Happening(
        kind=REVEAL if seat is None else verb,
        seat=seat,
        card=rest[0] if verb in (BID_LAID, PLAY) and seat is not None else None,
        change=change,
        is_lead=is_lead,
        trick=last if last and last.winner is not None and sum(round_.tricks_won) > closed else None,
        round=shorten(round_),
        result=result,
    )


def shorten(round_: RoundState) -> RoundState:
    """Without the tricks before the last one, which whoever follows has seen."""
    return replace(round_, tricks=(round_.last_trick,) if round_.last_trick else ())


def open_hands(round_: RoundState, play: Match, seats: Iterable[int]) -> RoundState:
    """With the hands of these seats laid open: everybody's in a replay, or that of the player who ended a round."""
    shown = set(seats)
    hands = tuple(
        tuple(names_in(play.round.hands[seat])) if seat in shown else hand for seat, hand in enumerate(round_.hands)
    )
    return replace(round_, hands=hands)


def open_everything(round_: RoundState, play: Match) -> RoundState:
    """With every hand and every bid laid open, for a replay."""
    bids = tuple(CARD_NAMES[bid] if bid >= 0 else None for bid in play.round.bids[: play.players])
    return replace(open_hands(round_, play, range(play.players)), bids=bids)


def type_finished(done: FinishedRound) -> FinishedState:
    return _type_finished(tell_finished_round(done))


def _type_finished(told: dict[str, Any]) -> FinishedState:
    scores = tuple(ScoreState(**score) for score in told["scores"])
    return FinishedState(
        first_seat=told["first_seat"],
        set_aside=tuple(told["set_aside"]),
        bids=tuple(told["bids"]),
        tricks=tuple(map(_type_trick, told["tricks"])),
        end=RoundEnd(**told["end"]),
        shown=tuple(told["shown"]),
        scores=scores,
        winners=tuple(told["winners"]),
        decided_by=_name_step(scores, told["winners"]),
    )


def _name_step(scores: Sequence[ScoreState], winners: Sequence[int]) -> str:
    """Which step of scoring decided the round."""
    best = max(score.total for score in scores)
    tied = [score for score in scores if score.total == best]
    if len(tied) == 1:
        return "points"
    if len(winners) > 1:
        return "each"
    return "exact_bid" if sum(score.bid == score.tricks for score in tied) == 1 else "highest_gold"


def _type_trick(told: dict[str, Any]) -> TrickState:
    return TrickState(
        leader=told["leader"],
        bid_changes=tuple(BidChange(**change) for change in told["bid_changes"]),
        plays=tuple(told["plays"]),
        winner=told["winner"],
        gold_to=told["gold_to"],
        gold=told["gold"],
    )


def _type_round(told: dict[str, Any], seat: int | None) -> RoundState:
    return RoundState(
        number=told["number"],
        first_seat=told["first_seat"],
        phase=told["phase"],
        turn=told["turn"],
        leader=told["leader"],
        hand=tuple(told["hand"]),
        hands=tuple(tuple(told["hand"]) if other == seat else None for other in range(len(told["hand_sizes"]))),
        hand_sizes=tuple(told["hand_sizes"]),
        known_in_hand=tuple(map(tuple, told["known_in_hand"])),
        gold=tuple(map(tuple, told["gold"])),
        supply=tuple(told["supply"]),
        set_aside=tuple(told["set_aside"]),
        bids=tuple(told["bids"]),
        first_bids=tuple(told["first_bids"]),
        trick=tuple(told["trick"]),
        tricks_won=tuple(told["tricks_won"]),
        tricks=tuple(map(_type_trick, told["tricks"])),
    )
