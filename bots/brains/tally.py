"""What a seat can count: unseen cards, how strong its own are against them, and the points it may expect.

It looks at a Round only through what its seat may know: its own hand and what lies open. Compiles with tally.pxd,
because every decision of every playout asks it.
"""

from games.rules.round import Round
from games.rules.scoring import bid_points

ONE = 1
SUIT_ONES = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40
DECK_OF_THREE = 0b0111111111 * (1 | 1 << 20 | 1 << 30 | 1 << 40)
DECK_OF_FOUR = (1 << 50) - 1
PAIRS = 0x5555555555555555
QUADS = 0x3333333333333333
NIBBLES = 0x0F0F0F0F0F0F0F0F
BYTES = 0x0101010101010101
ALL_BITS = 0xFFFFFFFFFFFFFFFF

GOLD_POINTS = 0b11_11_10_10_10_01_01_01_00
GOLD_WORTH = 0.6
SPREAD = 0.5
SPREAD_PER_TRICK = 0.15


def count_cards(mask: int) -> int:
    """How many cards a mask holds, without a table and without a loop."""
    mask -= mask >> 1 & PAIRS
    mask = (mask & QUADS) + (mask >> 2 & QUADS)
    mask = mask + (mask >> 4) & NIBBLES
    return (mask * BYTES & ALL_BITS) >> 56


def part_of(count: int, total: int) -> float:
    """The fraction, also where C would divide ints to an int."""
    return count / (total * 1.0)


def cards_below(rank: int) -> int:
    """All base metals of a lower rank."""
    return SUIT_ONES * ((ONE << (rank - 1)) - 1)


def gold_value(rank: int) -> float:
    """What a gold card is worth in points: those it scores, and a little for what it can still do."""
    return (GOLD_POINTS >> (2 * rank) & 3) + GOLD_WORTH


class Tally:
    """One seat's count at one moment; `look` sets it, everything else answers from it."""

    def __init__(self) -> None:
        self.strength = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        self.bids = [0, 0, 0, 0]
        self.needs = [0, 0, 0, 0]
        self.unseen = 0
        self.sides = 3
        self.side = 0
        self.bid = 0
        self.won = 0
        self.left = 0.0
        self.own = 0.0
        self.rest = 0.0

    def look(self, round_: Round, seat: int, gone: int) -> None:
        """Count for `seat`; `gone` are the cards set aside."""
        players = round_.players
        self.sides = 3 if players == 3 else 2
        self.side = seat % self.sides
        hand = round_.hands[seat]
        unseen = (DECK_OF_THREE if players == 3 else DECK_OF_FOUR) & ~(gone | round_.played | hand)
        held = 0
        shortest = 99
        for side in range(self.sides):
            self.bids[side] = 0
            self.needs[side] = 0
        for other in range(players):
            side = other % self.sides
            bid = round_.bids[other]
            if bid >= 0:
                unseen &= ~(ONE << bid)
                if bid % 10 + 1 > self.bids[side]:
                    self.bids[side] = bid % 10 + 1
            self.needs[side] -= round_.tricks[other]
            held += round_.sizes[other]
            if round_.sizes[other] < shortest:
                shortest = round_.sizes[other]
        for side in range(self.sides):
            self.needs[side] += self.bids[side]
        self.bid = self.bids[self.side]
        self.won = self.bid - self.needs[self.side]
        self.unseen = unseen
        self.left = shortest if players == 3 else shortest - 0.5
        total = count_cards(unseen)
        self.own = 0.0
        others = 0.0
        below = 0
        for rank in range(1, 11):
            same = SUIT_ONES << (rank - 1)
            equal = count_cards(unseen & same)
            share = (below + 0.3 * equal) / total if total > 0 else 1.0
            below += equal
            strength = share * share if players == 3 else share * share * share
            self.strength[rank] = strength
            self.own += strength * count_cards(hand & same)
            others += strength * equal
        self.rest = others * (held - round_.sizes[seat]) / total if total > 0 else 0.0
        if players == 4:
            self.own += self.rest / 3.0
            self.rest -= self.rest / 3.0

    def expect(self, own: float, left: float) -> float:
        """How many of the `left` tricks to come a side wins with cards of this strength."""
        if own + self.rest <= 0.0:
            return 0.0
        return left * own / (own + self.rest)

    def prospect(self, bid: int, won: int, more: float, left: float) -> float:
        """The bid points to expect: so many tricks won, `more` expected of `left` to come."""
        need = bid - won
        if need < 0:
            return bid
        if left < 0.05:
            return bid_points(bid, won)
        spread = SPREAD + SPREAD_PER_TRICK * left
        missing = rise((need - 0.5 - more) / spread)
        beyond = rise((more - need - 0.5) / spread)
        exact = 1.0 - missing - beyond
        if exact < 0.0:
            exact = 0.0
        return bid * (2.0 * exact + beyond)


def rise(x: float) -> float:
    """A smooth step from 0 to 1, 0.5 at zero: cheaper than an exponential, and as good here."""
    if x < 0.0:
        return 0.5 / ((1.0 - x) * (1.0 - x) * (1.0 - x))
    return 1.0 - 0.5 / ((1.0 + x) * (1.0 + x) * (1.0 + x))
