"""One round as a state machine: bids, bid changes and tricks, applied action by action.

This file runs as it is and compiles as it is: round.pxd beside it only adds C types. That is why lists of fixed length
are filled place by place, and why constants have names: a literal `1 << k` would compile to a 32-bit shift.
"""

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
from games.rules.errors import refuse
from games.rules.position import Position

ONE = 1
TEN_BITS = 0b1111111111
GOLD_MASK = 0b111111111 << 50
KEEP_BIT = 1 << 59

# SUIT_BITS[card]: all cards of its suit.
SUIT_BITS = [0] * 50
for _card in range(50):
    SUIT_BITS[_card] = TEN_BITS << (_card // 10 * 10)

# CHANGE_BITS[players * 4 + seat]: what a seat may always do before a trick, and whose bids it may change.
CHANGE_BITS = [0] * 20
for _seat in range(4):
    CHANGE_BITS[12 + _seat] = KEEP_BIT | ONE << (BID_OF + _seat)
    CHANGE_BITS[16 + _seat] = KEEP_BIT | ONE << (BID_OF + _seat) | ONE << (BID_OF + (_seat + 2) % 4)


class Round(Position):
    """The whole truth about one round; what a seat may see of it is cut out by `view` alone."""

    __slots__ = ()

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
            if action != KEEP:
                self.swap(action)
            self.seek_change(self.asked + 1)
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
        self.hands[seat] ^= ONE << card
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
        self.seek_change(0)

    def seek_change(self, asked: int) -> None:
        """Find the next seat that may change a bid before this trick, or let the leader lead."""
        players = self.players
        while asked < players:
            seat = self.leader + asked
            if seat >= players:
                seat -= players
            if self.golds[seat] and self.hands[seat]:
                self.asked = asked
                self.turn = seat
                self.legal = self.hands[seat] | self.golds[seat] & GOLD_MASK | CHANGE_BITS[players * 4 + seat]
                return
            asked += 1
        self.asked = asked
        self.phase = PLAY
        self.turn = self.leader
        self.legal = self.hands[self.leader]

    def swap(self, action: int) -> None:
        if not self.allows(action):
            refuse(self, self.turn, action)
        self.exchange(action - SWAP)

    def exchange(self, code: int) -> None:
        card = code % 50
        bid_of = code // 50 % 4
        gold = code // 200
        seat = self.turn
        old = self.bids[bid_of]
        self.hands[seat] ^= ONE << card | ONE << old
        self.known[seat] = self.known[seat] & ~(ONE << card) | ONE << old
        self.bids[bid_of] = card
        self.golds[seat] = take_gold(self.golds[seat], gold)
        self.supply = add_gold(self.supply, gold)

    def play(self, action: int) -> None:
        seat = self.turn
        length = self.trick_length
        if action < GOLD:
            bit = ONE << action
            self.hands[seat] ^= bit
            self.sizes[seat] -= 1
            if self.known[seat]:
                self.known[seat] &= ~bit
            self.played |= bit
            self.blocked |= SUIT_BITS[action]
            strength = action % 10 + 1
            if length == 0 or strength <= self.low_rank:
                self.low_rank = strength
                self.low_seat = seat
        elif action == STOP:
            self.end(DECLINED_GOLD, seat)
            return
        else:
            self.golds[seat] = take_gold(self.golds[seat], action - GOLD)
            strength = action
        if length == 0 or strength >= self.high_rank:
            self.high_rank = strength
            self.high_seat = seat
        self.trick[length] = action
        self.trick_length = length + 1
        if length + 1 == self.players:
            self.close_trick()
            return
        seat += 1
        if seat == self.players:
            seat = 0
        self.turn = seat
        hand = self.hands[seat]
        metals = hand ^ hand & self.blocked
        if metals:
            self.legal = metals | self.golds[seat] & GOLD_MASK
        elif self.golds[seat]:
            self.legal = self.golds[seat] & GOLD_MASK | KEEP_BIT
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
        return collection ^ ONE << rank
    return collection ^ ONE << (GOLD + rank)


def add_gold(collection: int, rank: int) -> int:
    """The collection with one gold of this rank more."""
    bit = ONE << (GOLD + rank)
    if collection & bit:
        return collection | ONE << rank
    return collection | bit
