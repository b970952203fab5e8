"""Telling rounds from their log, in the words of the match record: bids, bid changes, tricks, scores."""

from collections.abc import Sequence
from typing import Any

from games.rules.actions import END_NAMES, KEEP, split_swap
from games.rules.cards import CARD_NAMES, names_in
from games.rules.match import FinishedRound, TrickEnd
from games.rules.outcome import Result


def tell_finished_round(done: FinishedRound) -> dict[str, Any]:
    """A finished round without the hands that were dealt; `shown` is the hand of the player who ended it."""
    told = tell_round(len(done.deal.hands), done.first_seat, done.log, done.trick_ends)
    return {
        "first_seat": done.first_seat,
        "set_aside": names_in(done.deal.set_aside),
        **told,
        "end": {"reason": END_NAMES[done.end_reason], "seat": done.end_seat},
        "shown": names_in(done.shown_hand),
        "scores": [
            {
                "bid": score.bid,
                "tricks": score.tricks,
                "bid_points": score.bid_points,
                "gold_points": score.gold_points,
                "total": score.total,
            }
            for score in done.outcome.scores
        ],
        "winners": list(done.outcome.winners),
    }


def tell_result(result: Result) -> dict[str, Any]:
    return {
        "places": [list(group) for group in result.places],
        "nuggets": list(result.nuggets),
        "totals": list(result.totals),
        "lots": result.lots,
    }


def tell_round(players: int, first_seat: int, log: Sequence[int], ends: Sequence[TrickEnd]) -> dict[str, Any]:
    """The bids as first laid and the tricks so far; `log` starts with the round's bids, or is empty before them."""
    bids: list[str | None] = [None] * players
    for entry in log[:players]:
        bids[entry & 3] = CARD_NAMES[entry >> 2]
    tricks: list[dict[str, Any]] = []
    plays: list[str] = []
    missing = 0
    for entry in log[players:]:
        if not missing:
            plays = []
            tricks.append(_open_trick(ends[len(tricks) - 1][1] if tricks else first_seat, plays))
            missing = players
        action = entry >> 2
        if action < KEEP:
            plays.append(CARD_NAMES[action])
            missing -= 1
        elif action != KEEP:
            tricks[-1]["bid_changes"].append(_tell_change(entry & 3, action))
    for trick, (winner, gold_to, gold) in zip(tricks, ends, strict=False):
        trick["winner"] = winner
        trick["gold_to"] = gold_to
        trick["gold"] = gold if gold >= 0 else None
    return {"bids": bids, "tricks": tricks}


def _open_trick(leader: int, plays: list[str]) -> dict[str, Any]:
    return {"leader": leader, "bid_changes": [], "plays": plays, "winner": None, "gold_to": None, "gold": None}


def _tell_change(seat: int, action: int) -> dict[str, Any]:
    gold, bid_of, card = split_swap(action)
    return {"seat": seat, "gold": gold, "bid_of": bid_of, "card": CARD_NAMES[card]}
