"""One round as a state machine: bids, bid changes and tricks, applied action by action.

This file runs as it is and compiles as it is: round.pxd beside it only adds C types. That is why fixed lists of four
are filled place by place, and why constants have names: a literal `1 << k` would compile to a 32-bit shift.
"""

from collections.abc import Sequence

from games.rules.actions import (
    BID,
    BID_OF,
    CHANGE,
    DECLINED_GOLD,
    GOLD,
    KEEP,
    NO_LEAD,
    NO_PLAY,
    OVER,
    PLAY,
    STOP,
    SWAP,
)
from games.rules.refusal import refuse

HAND_SIZE = 12
ONE = 1
TEN_BITS = 0b1111111111
GOLD_MASK = 0b111111111 << 50
KEEP_BIT = 1 << 59
SUPPLY = (0b111111110 << 50) | 0b1110


class Round:
    """The whole truth about one round; what a seat may see of it is cut out by `view` alone."""

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

    def copy(self) -> "Round":
        other = Round.__new__(Round)
        other.players = self.players
        other.hands = [0, 0, 0, 0]
        other.sizes = [0, 0, 0, 0]
        other.golds = [0, 0, 0, 0]
        other.bids = [-1, -1, -1, -1]
        other.known = [0, 0, 0, 0]
        other.tricks = [0, 0, 0, 0]
        other.trick = [0, 0, 0, 0]
        other.copy_from(self)
        return other

    def copy_from(self, other: "Round") -> None:
        """Become the same position as `other`, of the same number of players, without a new object."""
        for seat in range(4):
            self.hands[seat] = other.hands[seat]
            self.sizes[seat] = other.sizes[seat]
            self.golds[seat] = other.golds[seat]
            self.bids[seat] = other.bids[seat]
            self.known[seat] = other.known[seat]
            self.tricks[seat] = other.tricks[seat]
            self.trick[seat] = other.trick[seat]
        self.supply = other.supply
        self.played = other.played
        self.first = other.first
        self.phase = other.phase
        self.bids_laid = other.bids_laid
        self.leader = other.leader
        self.turn = other.turn
        self.legal = other.legal
        self.asked = other.asked
        self.trick_number = other.trick_number
        self.trick_length = other.trick_length
        self.blocked = other.blocked
        self.low_rank = other.low_rank
        self.low_seat = other.low_seat
        self.high_rank = other.high_rank
        self.high_seat = other.high_seat
        self.closed = other.closed
        self.last_winner = other.last_winner
        self.last_gold_to = other.last_gold_to
        self.last_gold = other.last_gold
        self.end_reason = other.end_reason
        self.end_seat = other.end_seat

    def allows(self, action: int) -> bool:
        """Whether the seat whose turn it is may do this now."""
        if self.phase != CHANGE:
            return 0 <= action < BID_OF and self.legal >> action & ONE == ONE
        if action < SWAP:
            return action == KEEP
        code = action - SWAP
        card = code % 50
        bid_of = code // 50 % 4
        gold = code // 200
        if gold > 8:
            return False
        wanted = ONE << card | ONE << (GOLD + gold) | ONE << (BID_OF + bid_of)
        return self.legal & wanted == wanted

    def apply(self, action: int) -> None:
        """Do what the seat whose turn it is asks for; raises IllegalAction and changes nothing where it may not."""
        phase = self.phase
        if phase == CHANGE:
            self.change(action)
        elif action < 0 or action >= BID_OF or not self.legal >> action & ONE:
            refuse(self, self.turn, action)
        elif phase == PLAY:
            self.play(action)
        else:
            self.lay(self.turn, action)

    def lay_bid(self, seat: int, card: int) -> None:
        """Lay a bid out of turn, as three players do who all bid at once."""
        if self.phase != BID or (self.players == 4 and seat != self.turn) or self.bids[seat] >= 0:
            refuse(self, seat, card)
        if card < 0 or card >= GOLD or not self.hands[seat] >> card & ONE:
            refuse(self, seat, card)
        self.lay(seat, card)

    def lay(self, seat: int, card: int) -> None:
        self.hands[seat] &= ~(ONE << card)
        self.sizes[seat] -= 1
        self.bids[seat] = card
        self.bids_laid += 1
        if self.bids_laid == self.players:
            self.open_trick(self.first)
            return
        while self.bids[self.turn] >= 0:
            self.turn = (self.turn + 1) % self.players
        self.legal = self.hands[self.turn]

    def open_trick(self, leader: int) -> None:
        self.leader = leader
        self.trick_length = 0
        self.blocked = 0
        if not self.hands[leader]:
            self.end(NO_LEAD, leader)
            return
        self.trick_number += 1
        self.phase = CHANGE
        self.asked = 0
        self.seek_change()

    def seek_change(self) -> None:
        """Find the next seat that may change a bid before this trick, or let the leader lead."""
        players = self.players
        asked = self.asked
        while asked < players:
            seat = self.leader + asked
            if seat >= players:
                seat -= players
            golds = self.golds[seat] & GOLD_MASK
            if golds and self.hands[seat]:
                self.asked = asked
                self.turn = seat
                owners = ONE << (BID_OF + seat)
                if players == 4:
                    owners |= ONE << (BID_OF + (seat + 2) % 4)
                self.legal = self.hands[seat] | golds | KEEP_BIT | owners
                return
            asked += 1
        self.asked = asked
        self.phase = PLAY
        self.turn = self.leader
        self.legal = self.hands[self.leader]

    def change(self, action: int) -> None:
        if not self.allows(action):
            refuse(self, self.turn, action)
        if action >= SWAP:
            self.swap(action - SWAP)
        self.asked += 1
        self.seek_change()

    def swap(self, code: int) -> None:
        card = code % 50
        bid_of = code // 50 % 4
        gold = code // 200
        seat = self.turn
        old = self.bids[bid_of]
        self.hands[seat] = self.hands[seat] & ~(ONE << card) | ONE << old
        self.known[seat] = self.known[seat] & ~(ONE << card) | ONE << old
        self.bids[bid_of] = card
        self.golds[seat] = take_gold(self.golds[seat], gold)
        self.supply = add_gold(self.supply, gold)

    def play(self, action: int) -> None:
        seat = self.turn
        length = self.trick_length
        if action == STOP:
            self.end(DECLINED_GOLD, seat)
            return
        if action < GOLD:
            bit = ONE << action
            self.hands[seat] ^= bit
            self.sizes[seat] -= 1
            self.known[seat] &= ~bit
            self.played |= bit
            self.blocked |= TEN_BITS << (action // 10 * 10)
            strength = action % 10 + 1
            if length == 0 or strength <= self.low_rank:
                self.low_rank = strength
                self.low_seat = seat
        else:
            self.golds[seat] = take_gold(self.golds[seat], action - GOLD)
            strength = action
        if length == 0 or strength >= self.high_rank:
            self.high_rank = strength
            self.high_seat = seat
        self.trick[length] = action
        length += 1
        self.trick_length = length
        if length == self.players:
            self.close_trick()
        else:
            seat += 1
            self.seek_play(0 if seat == self.players else seat)

    def seek_play(self, seat: int) -> None:
        """Give the turn to the seat that follows, or end the round where it has nothing to play."""
        self.turn = seat
        golds = self.golds[seat] & GOLD_MASK
        metals = self.hands[seat] & ~self.blocked
        if metals:
            self.legal = metals | golds
        elif golds:
            self.legal = golds | KEEP_BIT
        else:
            self.end(NO_PLAY, seat)

    def close_trick(self) -> None:
        low = self.low_rank
        self.last_gold = -1
        if low <= 8 and self.supply >> (GOLD + low) & ONE:
            self.supply = take_gold(self.supply, low)
            self.golds[self.low_seat] = add_gold(self.golds[self.low_seat], low)
            self.last_gold = low
        self.last_gold_to = self.low_seat
        self.last_winner = self.high_seat
        self.tricks[self.high_seat] += 1
        self.closed += 1
        if self.high_rank >= GOLD:
            for place in range(self.players):
                if self.trick[place] >= GOLD:
                    self.supply = add_gold(self.supply, self.trick[place] - GOLD)
        self.open_trick(self.low_seat)

    def end(self, reason: int, seat: int) -> None:
        self.phase = OVER
        self.legal = 0
        self.turn = seat
        self.end_reason = reason
        self.end_seat = seat


def take_gold(collection: int, rank: int) -> int:
    """The collection with one gold of this rank less."""
    if collection >> rank & ONE:
        return collection & ~(ONE << rank)
    return collection & ~(ONE << (GOLD + rank))


def add_gold(collection: int, rank: int) -> int:
    """The collection with one gold of this rank more."""
    bit = ONE << (GOLD + rank)
    if collection & bit:
        return collection | ONE << rank
    return collection | bit
