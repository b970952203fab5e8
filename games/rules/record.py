"""The match record: a finished match as one JSON object that anybody can check without us, and back again."""

import json
from typing import Any

from games.rules.adjudicate import adjudicate
from games.rules.cards import names_in
from games.rules.deal import DEALING
from games.rules.errors import IllegalAction, RecordFault
from games.rules.match import FinishedRound, Match, pack_log, replay, unpack_log
from games.rules.record_shape import FORMAT, VERSION, tell_finished_round, tell_result
from games.rules.ruleset import Ruleset

Record = dict[str, Any]
"""A finished match as a JSON object: the keys that docs/RULES.md fixes, and any others beside them."""

_ROUND_KEYS = ("first_seat", "hands", "set_aside", "bids", "tricks", "end", "scores", "winners")
_FIXED_KEYS = {"format", "version", "ruleset", "rounds", "result"}
_OF_THE_LOG = _FIXED_KEYS | {"dealing", "seed", "signature"}
PACKED_COLUMNS = {"match": int, "result_version": int, "ruleset": str, "seed": bytes, "log": bytes, "about": dict}
PACKED_COLUMNS |= {"signature": str}


def make_record(match: Match, /, *, with_seed: bool = False, **extra: Any) -> Record:
    """The record of a match that is over; `extra` are keys of the caller's own beside the fixed ones.

    The seed is left out unless asked for: other matches on the same deals may still be played.
    """
    if match.result is None:
        raise ValueError("A match that is not over has no record.")
    if _FIXED_KEYS & extra.keys():
        raise ValueError(f"These keys are the record's own: {', '.join(sorted(_FIXED_KEYS & extra.keys()))}.")
    if with_seed and match.seed is not None:
        extra |= {"dealing": DEALING, "seed": match.seed.hex()}
    return {
        "format": FORMAT,
        "version": VERSION,
        "ruleset": match.ruleset.to_dict(),
        **extra,
        "rounds": [_tell_whole_round(finished) for finished in match.rounds],
        "result": tell_result(match.result),
    }


def _tell_whole_round(finished: FinishedRound) -> dict[str, Any]:
    told = tell_finished_round(finished)
    told["hands"] = [names_in(hand) for hand in finished.deal.hands]
    return {key: told[key] for key in _ROUND_KEYS}


def pack_record(match: Match, record: Record) -> dict[str, Any]:
    """A record with its seed as the row of a file: what follows from seed and log is left out."""
    about = {name: value for name, value in record.items() if name not in _OF_THE_LOG}
    return {
        "match": record["match"],
        "result_version": record["result_version"],
        "ruleset": match.ruleset.code,
        "seed": match.seed,
        "log": pack_log(match.log),
        "about": about,
        "signature": record.get("signature"),
    }


def unpack_record(row: dict[str, Any]) -> Record:
    """The record again, every key and value of it; raises RecordFault where the row cannot be one."""
    try:
        match = replay(Ruleset.from_code(row["ruleset"]), row["seed"], unpack_log(row["log"]))
        signature = {} if row["signature"] is None else {"signature": row["signature"]}
        return make_record(match, with_seed=True, **row["about"]) | signature
    except (IllegalAction, ValueError, KeyError, IndexError, TypeError) as error:
        raise RecordFault("bad_row", "log", f"it cannot be played again ({error})") from None


def dump_record(record: Record) -> str:
    """A record as one line of JSON, without the line's end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def load_record(text: str | bytes) -> Any:
    """The JSON of a record, not yet judged; raises RecordFault where it is no JSON that all readers read alike."""
    try:
        return json.loads(text, object_pairs_hook=_unique_keys)
    except RecursionError:
        raise RecordFault("not_json", "record", "the JSON is nested too deeply") from None
    except ValueError as error:
        raise RecordFault("not_json", "record", str(error)) from None


def read_record(record: Any) -> Match:
    """The match that a record tells, judged again on the way; raises RecordFault where it does not hold.

    Three players bid at once and the record does not say in which order: in the log they bid clockwise.
    """
    return adjudicate(record)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise ValueError("a key is there twice")
    return unique
