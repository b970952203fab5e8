"""The messages a bot is sent, each made from what its seat may know; `schema.json` beside this file describes them."""

import hashlib
from dataclasses import dataclass
from typing import Any

from bots.contract.events import tell_events
from games.rules.history import tell_result
from games.rules.outcome import Result
from games.rules.record_shape import VERSION as RULES_VERSION
from games.rules.ruleset import Ruleset
from games.rules.view import View

CONTRACT = 1
"""Raised when a message changes so that a bot that reads it must change too; new keys and new messages do not count."""

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """For this decision and for all that are left: seconds of CPU time or on the wall, or billions of fuel."""

    decision: float
    bank: float


def draw_match_number(bot_seed: int) -> int:
    """The number that an uploaded bot knows its match by: it tells nothing, least of all a check from a match."""
    return int.from_bytes(hashlib.sha256(f"match {bot_seed}".encode()).digest()[:4], "big") + 1


def make_hello(bot: str, *, clock: str) -> Message:
    """The first message to a bot; `clock` says what it is charged: `cpu`, `wall` or `fuel`."""
    return {"type": "hello", "contract": CONTRACT, "rules": RULES_VERSION, "bot": bot, "clock": clock}


def make_match_start(*, match: int, ruleset: Ruleset, seat: int, names: tuple[str, ...], chance: int) -> Message:
    """`chance` is a seed of the bot's own, so that a match can be played again; it tells nothing of the cards."""
    return {
        "type": "match_start",
        "match": match,
        "ruleset": ruleset.to_dict(),
        "seat": seat,
        "side": seat % ruleset.sides,
        "seats": list(names),
        "chance": f"{chance:016x}",
    }


def make_happened(match: int, view: View, since: int) -> Message:
    """The actions from number `since` on that this seat may see."""
    return {"type": "happened", "match": match, "seat": view.seat, "events": tell_events(view, since)}


def make_decide(match: int, view: View, time: TimeLeft) -> Message:
    """A question, the only message that is answered. The view alone is enough to answer it: no memory is needed."""
    told = view.to_dict()
    legal = told.pop("legal")
    del told["clocks"]
    told["history"] = [_tell_both_bids(done) for done in told["history"]]
    return {
        "type": "decide",
        "match": match,
        "seat": view.seat,
        "counter": view.log_end,
        "legal": legal,
        "time": {"decision": round(time.decision, 3), "bank": round(time.bank, 3)},
        "view": told,
    }


def _tell_both_bids(done: Message) -> Message:
    """A finished round's bids as they lay at its end and as first laid, under the names of the current round's."""
    bids = list(done["bids"])
    for trick in done["tricks"]:
        for change in trick["bid_changes"]:
            bids[change["bid_of"]] = change["card"]
    return {**done, "bids": bids, "first_bids": done["bids"]}


def make_match_end(match: int, seat: int, result: Result | None, forfeits: list[int]) -> Message:
    """Without a result where the match was called off or decided by hand."""
    told = tell_result(result) if result is not None else None
    return {"type": "match_end", "match": match, "seat": seat, "result": told, "forfeits": forfeits}


def make_ready(seq: int) -> Message:
    return {"type": "ready", "seq": seq}


def make_closed(reason: str) -> Message:
    return {"type": "closed", "reason": reason}
