"""The shape of a match record: which keys it has, and of which types; what they say is checked by `adjudicate`."""

from typing import Any

from games.rules.errors import RecordFault

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
