"""The contract between the league and a bot: messages as JSON or a block of bytes, the same for every kind of bot."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any

from games.rules.actions import (
    ACTIONS,
    BID,
    BID_OF,
    CHANGE,
    DECLINED_GOLD,
    GOLD,
    KEEP,
    PLAY,
    SWAP,
    NotAnAction,
    action_text,
    number_text,
    parse_action,
    split_swap,
)
from games.rules.cards import GOLD_COPIES
from games.rules.match import FinishedRound, TrickEnd
from games.rules.outcome import Result, count_places
from games.rules.record_shape import VERSION as RULES_VERSION
from games.rules.record_shape import tell_result
from games.rules.ruleset import DECIDERS, EDITIONS, SCORINGS, Ruleset
from games.rules.view import View

__all__ = [
    "BLOCK_VERSION",
    "CONTRACT",
    "BlockWriter",
    "ContractError",
    "Message",
    "TimeLeft",
    "draw_match_number",
    "make_closed",
    "make_decide",
    "make_happened",
    "make_hello",
    "make_match_end",
    "make_match_start",
    "make_ready",
    "read_action",
    "read_number",
    "tell_events",
]


def tell_events(view: View, since: int) -> list[dict[str, Any]]:
    """Every visible action from number `since` on. While three players bid in secret, none of the round's is."""
    events: list[dict[str, Any]] = []
    start = 0
    for done in view.rounds[: view.round_count]:
        if start + len(done.log) > since:
            events += _tell_round(view.players, done.log, start, done.end_reason == DECLINED_GOLD)
        start += len(done.log)
    if view.result is None:
        events += _tell_round(view.players, view.log[view.log_start : view.log_end], start, False)
    return [event for event in events if event["counter"] >= since]


def _tell_round(players: int, log: Sequence[int], start: int, is_stopped: bool) -> Iterator[dict[str, Any]]:
    last = len(log) - 1
    for index, entry in enumerate(log):
        action = entry >> 2
        if index < players:
            phase = BID
        elif action < KEEP or (is_stopped and index == last):
            phase = PLAY
        else:
            phase = CHANGE
        yield {"counter": start + index, "seat": entry & 3, "action": action_text(phase, action)}


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
    """Without a result where the match was called off or decided by hand; `places` are those that count, by side."""
    told: Message = {"result": None, "places": None}
    if result is not None:
        played = [result.place_of(side) for side in range(len(result.nuggets))]
        told = {"result": tell_result(result), "places": count_places(played, forfeits)}
    return {"type": "match_end", "match": match, "seat": seat, **told, "forfeits": forfeits}


def make_ready(seq: int) -> Message:
    return {"type": "ready", "seq": seq}


def make_closed(reason: str) -> Message:
    return {"type": "closed", "reason": reason}


SHOWN = 12


class ContractError(ValueError):
    """An answer that cannot be taken; `verdict` is `protocol` for its form and `illegal` for its action."""

    def __init__(self, verdict: str, sentence: str) -> None:
        super().__init__(sentence)
        self.verdict = verdict


def read_action(payload: Mapping[str, Any], view: View) -> int:
    """The action that an answer such as {"action": "play B7"} names."""
    text = payload.get("action")
    if not isinstance(text, str):
        raise ContractError("protocol", 'An answer is an object with the key "action" and a text, such as "play B7".')
    try:
        phase, action = parse_action(text)
    except NotAnAction as error:
        raise ContractError("illegal", f"{error} {_tell_legal(view)}") from None
    if phase != view.phase or not _is_legal(view, action):
        raise ContractError("illegal", f"{text!r} cannot be done now. {_tell_legal(view)}")
    return action


def read_number(number: int, view: View) -> int:
    """The action that a bot answers by its number, as one that reads blocks does."""
    is_change = view.phase == CHANGE
    in_phase = number == KEEP or SWAP <= number < ACTIONS if is_change else 0 <= number <= KEEP
    if not in_phase or not _is_legal(view, number):
        shown = number_text(number) if 0 <= number < ACTIONS else "no action at all"
        raise ContractError("illegal", f"{number} ({shown}) cannot be done now. {_tell_legal(view)}")
    return number


def _is_legal(view: View, action: int) -> bool:
    """By the mask: writing out every bid change would cost more than the rest of the decision."""
    if action >= SWAP:
        gold, bid_of, card = split_swap(action)
        return all(view.legal >> bit & 1 for bit in (GOLD + gold, BID_OF + bid_of, card))
    return view.phase == CHANGE or bool(view.legal >> action & 1)


def _tell_legal(view: View) -> str:
    legal = view.legal_texts()
    more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
    return f"Legal: {', '.join(legal[:SHOWN])}{more}."


BLOCK_VERSION = 1
"""Raised when a field moves or changes its meaning. New fields go to the end of the fixed part, whose size is told."""

# Head; chance and fuel; masks; collections; cards and counts by seat; totals; single bytes; counters.
_FIXED = Struct("<HHI QQQ QQQQQQ 4Q 4Q 4b4b4b 4B4B4B 4H BBBBBBBbBBBbBbBBBBBB HH")
FIXED_SIZE = _FIXED.size
# Length, first seat, end's reason and seat, winners, entries, tricks, then set aside and shown, and a score a side.
_FINISHED = Struct("<HBBBBBB QQ 20B 4x")
_ALIGNMENT = 8
_ZERO = 1 << GOLD
_ZERO_BITS = _ZERO | 1
_LARGEST = (1 << 64) - 1
_NO_CARDS = (-1, -1, -1, -1)
_NO_SCORES = (0,) * 20


class BlockWriter:
    """Makes the blocks of one seat in one match; finished rounds are written once."""

    def __init__(self) -> None:
        self._rounds: list[bytes] = []

    def write(self, view: View, *, chance: int, fuel: int, bank: int) -> bytes:
        """A question as bytes; `chance` is the seed of this decision, `fuel` and `bank` what may be used."""
        while len(self._rounds) < view.round_count:
            self._rounds.append(write_finished_round(view.rounds[len(self._rounds)]))
        entries = view.log[view.log_start : view.log_end]
        # The list of trick ends goes on growing after the view was cut.
        ends = view.trick_ends[: sum(view.tricks)]
        tail = _write_actions(entries, ends) + b"".join(self._rounds[: view.round_count])
        return _write_fixed(view, entries, FIXED_SIZE + len(tail), (chance & _LARGEST, fuel, bank)) + tail


def write_finished_round(done: FinishedRound) -> bytes:
    scores = [
        value
        for score in done.outcome.scores
        for value in (score.bid, score.tricks, score.bid_points, score.gold_points, score.total)
    ]
    actions = _write_actions(done.log, done.trick_ends)
    head = _FINISHED.pack(
        _FINISHED.size + len(actions),
        done.first_seat,
        done.end_reason,
        done.end_seat,
        sum(1 << side for side in done.outcome.winners),
        len(done.log),
        len(done.trick_ends),
        done.deal.set_aside,
        done.shown_hand,
        *scores,
        *_NO_SCORES[len(scores) :],
    )
    return head + actions


def _write_actions(log: list[int] | tuple[int, ...], ends: list[TrickEnd] | tuple[TrickEnd, ...]) -> bytes:
    """Entries of two bytes, then three bytes a finished trick, up to the next multiple of eight."""
    written = Struct(f"<{len(log)}H{3 * len(ends)}b").pack(*log, *[value for end in ends for value in end])
    return written + bytes(-len(written) % _ALIGNMENT)


def _write_fixed(view: View, entries: list[int], length: int, charged: tuple[int, int, int]) -> bytes:
    players = view.players
    golds = view.golds
    length_of_trick = view.trick_length
    trick = (*view.trick[:length_of_trick], *_NO_CARDS[length_of_trick:])
    first_bids = [-1, -1, -1, -1]
    for entry in entries[:players]:
        first_bids[entry & 3] = entry >> 2
    ruleset = view.ruleset
    nuggets, totals = view.nuggets, view.totals
    missing = _NO_SCORES[: 4 - ruleset.sides]
    zeros = GOLD_COPIES[0] - sum(1 for gold in golds[:players] if gold & _ZERO) - trick.count(GOLD)
    return _FIXED.pack(
        BLOCK_VERSION, FIXED_SIZE, length,
        *charged,
        view.legal, view.hand, view.set_aside, view.supply & ~_ZERO_BITS, view.played, view.blocked,
        *golds, *view.known,
        *view.bids, *first_bids, *trick,
        *view.sizes, *view.tricks, *nuggets, *missing,
        *totals, *missing,
        players, ruleset.sides, view.seat, view.phase, view.round_count + 1, view.first, view.leader, view.turn,
        view.trick_number, length_of_trick,
        view.high_rank if length_of_trick else 0, view.high_seat if length_of_trick else -1,
        view.low_rank if length_of_trick else 0, view.low_seat if length_of_trick else -1,
        zeros if ruleset.zero_gold else 0, EDITIONS.index(ruleset.edition), ruleset.zero_gold,
        SCORINGS.index(ruleset.scoring), DECIDERS.index(ruleset.decider), view.round_count,
        view.log_end, len(entries),
    )  # fmt: skip
