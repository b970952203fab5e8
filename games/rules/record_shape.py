"""The match record's own words: which keys it has and of which types, and rounds told from their log in them.

What a record says is checked by `adjudicate`.
"""

from collections.abc import Sequence
from typing import Any

from games.rules.actions import END_NAMES, KEEP, split_swap
from games.rules.cards import CARD_NAMES, names_in
from games.rules.errors import RecordFault
from games.rules.match import FinishedRound, TrickEnd
from games.rules.outcome import Result

FORMAT = "aurum-record"
VERSION = 1

_BID_CHANGE = {"seat": int, "gold": int, "bid_of": int, "card": str}
_TRICK = {
    "leader": int,
    "bid_changes": [_BID_CHANGE],
    "plays": [str],
    "winner": (int, None),
    "gold_to": (int, None),
    "gold": (int, None),
}
_ROUND = {
    "first_seat": int,
    "hands": [[str]],
    "set_aside": [str],
    "bids": [str],
    "tricks": [_TRICK],
    "end": {"reason": str, "seat": int},
    "scores": [{"bid": int, "tricks": int, "bid_points": int, "gold_points": int, "total": int}],
    "winners": [int],
}
_RECORD = {
    "ruleset": {},
    "rounds": [_ROUND],
    "result": {"places": [[int]], "nuggets": [int], "totals": [int], "lots": bool},
}
_TYPE_NAMES = {int: "a whole number", str: "a text", bool: "true or false"}
_ITEM_NAMES = {"rounds": "round", "tricks": "trick"}


def check_shape(record: object) -> None:
    """Raise RecordFault unless this is a match record as far as keys and types go; other keys may stand beside."""
    if not isinstance(record, dict):
        raise RecordFault("not_a_record", "record", "a match record is a JSON object")
    for key, wanted in (("format", FORMAT), ("version", VERSION)):
        if type(record.get(key)) is not type(wanted) or record[key] != wanted:
            raise RecordFault("not_a_record", "record", f'"{key}" is not {wanted!r}')
    _check(record, _RECORD, "")


def _check(value: object, shape: Any, place: str) -> None:
    if isinstance(shape, dict):
        _check_keys(value, shape, place)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise RecordFault("wrong_type", place, "must be a list")
        for index, item in enumerate(value):
            _check(item, shape[0], _item_place(place, index))
    elif isinstance(shape, tuple):
        if value is not None:
            _check(value, shape[0], place)
    elif type(value) is not shape:
        raise RecordFault("wrong_type", place, f"must be {_TYPE_NAMES[shape]}")


def _check_keys(value: object, shape: dict[str, Any], place: str) -> None:
    if not isinstance(value, dict):
        raise RecordFault("wrong_type", place or "record", "must be an object")
    for key, inner in shape.items():
        if key not in value:
            raise RecordFault("missing_key", place or "record", f'"{key}" is missing')
        _check(value[key], inner, f"{place}, {key}" if place else key)


def _item_place(place: str, index: int) -> str:
    """`rounds` and `tricks` are counted from 1 as people do, lists by seat or side from 0."""
    outer, _, key = place.rpartition(", ")
    if key not in _ITEM_NAMES:
        return f"{place}[{index}]"
    name = f"{_ITEM_NAMES[key]} {index + 1}"
    return f"{outer}, {name}" if outer else name


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
