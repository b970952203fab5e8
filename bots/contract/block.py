"""The view as a compact block of bytes, for bots that read no JSON; docs/WASM.md has the layout, field by field."""

from struct import Struct

from games.rules.actions import GOLD
from games.rules.cards import GOLD_COPIES
from games.rules.match import FinishedRound, TrickEnd
from games.rules.ruleset import DECIDERS, EDITIONS, SCORINGS
from games.rules.view import View

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
