"""The position of a round: what everybody holds and what lies on the table, as it is dealt and as it is copied.

Compiles with position.pxd. Fixed lists of four are filled place by place, because compiled they are arrays.
"""

from collections.abc import Sequence
from typing import Self

from games.rules.actions import BID, GOLD

HAND_SIZE = 12
ONE = 1
SUPPLY = (0b111111110 << 50) | 0b1110


class Position:
    """Everything that can be told of a round at one moment; what may be done in it, and to what end, `Round` knows."""

    # Plain Python is a tenth faster so; compiled, they mean nothing.
    __slots__ = (
        "asked", "bids", "bids_laid", "blocked", "closed", "end_reason", "end_seat", "first", "golds",
        "hands", "high_rank", "high_seat", "known", "last_gold", "last_gold_to", "last_winner", "leader",
        "legal", "low_rank", "low_seat", "phase", "played", "players", "sizes", "supply", "trick",
        "trick_length", "trick_number", "tricks", "turn",
    )  # fmt: skip

    def __init__(self, players: int, hands: Sequence[int], first: int, zero_gold: bool) -> None:
        self.players = players
        self.hands = [0, 0, 0, 0]
        self.sizes = [0, 0, 0, 0]
        self.golds = [0, 0, 0, 0]
        self.bids = [-1, -1, -1, -1]
        self.known = [0, 0, 0, 0]
        self.tricks = [0, 0, 0, 0]
        self.trick = [0, 0, 0, 0]
        self.start(hands, first, zero_gold)

    def start(self, hands: Sequence[int], first: int, zero_gold: bool) -> None:
        """Begin anew with these hands, in the same object."""
        for seat in range(self.players):
            self.hands[seat] = hands[seat]
        self.begin(first, zero_gold)

    def begin(self, first: int, zero_gold: bool) -> None:
        """Begin anew with the hands as they have been dealt."""
        for seat in range(self.players):
            self.sizes[seat] = HAND_SIZE
            self.golds[seat] = ONE << GOLD if zero_gold else 0
            self.bids[seat] = -1
            self.known[seat] = 0
            self.tricks[seat] = 0
            self.trick[seat] = 0
        self.supply = SUPPLY if self.players == 4 else SUPPLY & ~(ONE << (GOLD + 8))
        self.played = 0
        self.first = first
        self.phase = BID
        self.bids_laid = 0
        self.leader = first
        self.turn = first
        self.legal = self.hands[first]
        self.asked = 0
        self.trick_number = 0
        self.trick_length = 0
        self.blocked = 0
        self.low_rank = 0
        self.low_seat = -1
        self.high_rank = 0
        self.high_seat = -1
        self.closed = 0
        self.last_winner = -1
        self.last_gold_to = -1
        self.last_gold = -1
        self.end_reason = 0
        self.end_seat = -1

    def copy(self) -> Self:
        other = type(self)(self.players, self.hands, self.first, True)
        other.sizes[:] = self.sizes
        other.golds[:] = self.golds
        other.bids[:] = self.bids
        other.known[:] = self.known
        other.tricks[:] = self.tricks
        other.trick[:] = self.trick
        other.supply = self.supply
        other.played = self.played
        other.phase = self.phase
        other.bids_laid = self.bids_laid
        other.leader = self.leader
        other.turn = self.turn
        other.legal = self.legal
        other.asked = self.asked
        other.trick_number = self.trick_number
        other.trick_length = self.trick_length
        other.blocked = self.blocked
        other.low_rank = self.low_rank
        other.low_seat = self.low_seat
        other.high_rank = self.high_rank
        other.high_seat = self.high_seat
        other.closed = self.closed
        other.last_winner = self.last_winner
        other.last_gold_to = self.last_gold_to
        other.last_gold = self.last_gold
        other.end_reason = self.end_reason
        other.end_seat = self.end_seat
        return other
