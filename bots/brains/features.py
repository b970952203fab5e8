"""What the learnt bots' nets are told of a position: the numbers of those features that hold, all others being absent.

Two audiences read it. `look` tells what one seat may know and `add_action` what it is about to do; `survey` tells a
whole position, for the search, which makes up the hidden hands. Seats and sides are counted from the seat that looks,
and suits stand in the order of its hand, since the rules know no suit from another. Compiles with features.pxd.
"""

from array import array

from bots.brains.counting import choose_action
from bots.brains.tally import Tally, cards_below, count_cards
from games.rules.actions import BID, CHANGE
from games.rules.round import Round
from games.rules.scoring import side_bid, side_gold_points, side_tricks

GOLD = 50
KEEP = 59
STOP = 59
SWAP = 64
ONE = 1
SUIT_BITS = 0b1111111111
SUIT_ONES = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40

# Where each group of features begins. First what lies open to all…
PHASE = 0
TRICK_NUMBER = PHASE + 3
TRICK_LENGTH = TRICK_NUMBER + 16
LEADER = TRICK_LENGTH + 4
BLOCKED = LEADER + 4
HIGH = BLOCKED + 5
HIGH_SEAT = HIGH + 19
LOW = HIGH_SEAT + 4
LOW_SEAT = LOW + 11
LOW_GOLD = LOW_SEAT + 4
SUPPLY = LOW_GOLD + 1
SEATS = SUPPLY + 12
BID_RANK, TRICKS, SIZE, GOLDS, A_SEAT = 0, 11, 21, 34, 46
SIDES = SEATS + 4 * A_SEAT
NEED, GOLD_POINTS, A_SIDE = 0, 14, 27
CONTEXT = SIDES + 3 * A_SIDE
CONTEXT_SIZE = 48
# …then what one seat knows and does…
HAND = CONTEXT + CONTEXT_SIZE
HAND_RANKS = HAND + 50
UNSEEN = HAND_RANKS + 50
UNSEEN_RANKS = UNSEEN + 50
KNOWN = UNSEEN_RANKS + 50
EXPECTED = KNOWN + 30
BEYOND = EXPECTED + 26
LAYS = BEYOND + 22
PLAYS = LAYS + 50
SPENDS = PLAYS + 60
KEEPS = SPENDS + 9
STOPS = KEEPS + 1
PARTNERS = STOPS + 1
NEW_RANK = PARTNERS + 1
OLD_RANK = NEW_RANK + 11
NEW_NEED = OLD_RANK + 11
NEW_BEYOND = NEW_NEED + 14
LEADS_NOW = NEW_BEYOND + 22
LOW_NOW = LEADS_NOW + 8
WOULD_TAKE = LOW_NOW + 8
BEATEN_BY = WOULD_TAKE + 10
BELOW_IT = BEATEN_BY + 7
FAVOURITE = BELOW_IT + 7
OWN_FEATURES = FAVOURITE + 1
# …then, for guessing at hidden hands instead of choosing, the base metals that each other seat has played…
HISTORY = OWN_FEATURES
PAST_FEATURES = HISTORY + 150
# …or, instead of it, everybody's hands.
HANDS = CONTEXT + CONTEXT_SIZE
HANDS_RANKS = HANDS + 200
ALL_FEATURES = HANDS_RANKS + 200

# How many cards, in steps that grow: 0, 1, 2, 3 to 4, 5 to 8, 9 to 16, more.
FEW = [0] * 51
for _count in range(51):
    FEW[_count] = 0 if _count == 0 else min(6, (_count - 1).bit_length() + 1)


class Features:
    """The features of one position at a time, `active` up to `count`."""

    def __init__(self) -> None:
        self.active = [0] * 400
        self.count = 0
        self.own_count = 0
        self.place = [0, 0, 0, 0, 0]
        self.tally = Tally()
        self.favourite = 0
        self.context = [0] * 96
        self.context_counts = [0, 0, 0, 0]

    def set_context(self, side: int, told: "list[int]") -> None:
        """What context.py tells of the match for one side."""
        self.context_counts[side] = len(told)
        for place in range(len(told)):
            self.context[side * 24 + place] = told[place]

    def add(self, feature: int) -> None:
        self.active[self.count] = feature
        self.count += 1

    def write(self, told: "array[int]") -> int:
        """Copy what holds now; how many that is."""
        for place in range(self.count):
            told[place] = self.active[place]
        return self.count

    def order_suits(self, hand: int) -> None:
        """Give every suit its place: more cards first, then higher ones."""
        keys = [0, 0, 0, 0, 0]
        for suit in range(5):
            held = hand >> (10 * suit) & SUIT_BITS
            keys[suit] = count_cards(held) << 10 | held
        for suit in range(5):
            place = 0
            for other in range(5):
                if keys[other] > keys[suit] or (keys[other] == keys[suit] and other < suit):
                    place += 1
            self.place[suit] = place

    def add_cards(self, start: int, cards: int) -> None:
        while cards:
            card = count_cards((cards & -cards) - 1)
            cards &= cards - 1
            self.add(start + 10 * self.place[card // 10] + card % 10)

    def add_ranks(self, start: int, cards: int) -> None:
        """How many of each rank: one feature for the first, one for the second…"""
        for rank in range(10):
            for number in range(count_cards(cards & SUIT_ONES << rank)):
                self.add(start + 5 * rank + number)

    def add_golds(self, start: int, golds: int) -> None:
        for rank in range(9):
            if golds >> (GOLD + rank) & ONE:
                self.add(start + rank)
        for rank in range(1, 4):
            if golds >> rank & ONE:
                self.add(start + 8 + rank)

    def add_table(self, round_: Round, seat: int) -> None:
        """What lies open to all, as `seat` sees it from its place."""
        players = round_.players
        self.add(PHASE + round_.phase)
        self.add(TRICK_NUMBER + (round_.trick_number if round_.trick_number < 15 else 15))
        self.add(TRICK_LENGTH + round_.trick_length)
        self.add(LEADER + (round_.leader - seat + players) % players)
        self.add_golds(SUPPLY, round_.supply)
        if round_.trick_length > 0:
            for suit in range(5):
                if round_.blocked >> (10 * suit) & ONE:
                    self.add(BLOCKED + self.place[suit])
            high = round_.high_rank
            self.add(HIGH + (high - 1 if high < GOLD else high - GOLD + 10))
            self.add(HIGH_SEAT + (round_.high_seat - seat + players) % players)
            self.add(LOW + round_.low_rank)
            self.add(LOW_SEAT + (round_.low_seat - seat + players) % players)
            if round_.low_rank <= 8 and round_.supply >> (GOLD + round_.low_rank) & ONE:
                self.add(LOW_GOLD)
        for step in range(players):
            self.add_seat(round_, SEATS + A_SEAT * step, (seat + step) % players)
        self.add_sides(round_, seat)

    def add_seat(self, round_: Round, start: int, other: int) -> None:
        bid = round_.bids[other]
        tricks = round_.tricks[other]
        size = round_.sizes[other]
        if round_.phase == BID and round_.players == 3:
            # Bids are secret then: nobody's is told, not even that it has been laid.
            bid = -1
            size = 12
        self.add(start + BID_RANK + (bid % 10 + 1 if bid >= 0 else 0))
        self.add(start + TRICKS + (tricks if tricks < 9 else 9))
        self.add(start + SIZE + size)
        self.add_golds(start + GOLDS, round_.golds[other])

    def add_sides(self, round_: Round, seat: int) -> None:
        sides = 3 if round_.players == 3 else 2
        for step in range(sides):
            side = (seat + step) % sides
            start = SIDES + A_SIDE * step
            need = side_bid(round_, sides, side) - side_tricks(round_, sides, side)
            points = side_gold_points(round_, sides, side)
            self.add(start + NEED + need_step(need))
            self.add(start + GOLD_POINTS + (points if points < 12 else 12))
        side = seat % sides
        for place in range(self.context_counts[side]):
            self.add(CONTEXT + self.context[side * 24 + place])

    def look(self, round_: Round, seat: int, gone: int) -> None:
        """Tell what `seat` knows."""
        self.count = 0
        hand = round_.hands[seat]
        self.order_suits(hand)
        self.add_table(round_, seat)
        self.favourite = choose_action(self.tally, round_, seat, gone)
        self.tally.look(round_, seat, gone)
        self.add_cards(HAND, hand)
        self.add_ranks(HAND_RANKS, hand)
        self.add_cards(UNSEEN, self.tally.unseen)
        self.add_ranks(UNSEEN_RANKS, self.tally.unseen)
        for step in range(1, round_.players):
            known = round_.known[(seat + step) % round_.players]
            for rank in range(10):
                if known & SUIT_ONES << rank:
                    self.add(KNOWN + 10 * (step - 1) + rank)
        more = self.tally.expect(self.tally.own, self.tally.left)
        need = self.tally.bid - self.tally.won
        self.add(EXPECTED + half_step(more, 0, 25))
        self.add(BEYOND + half_step(more - need, 10, 21))
        self.own_count = self.count

    def recall(self, round_: Round, seat: int, played: "list[int]") -> None:
        """Add to what `look` told the base metals that each seat has played (masks by seat)."""
        for step in range(1, round_.players):
            self.add_cards(HISTORY + 50 * (step - 1), played[(seat + step) % round_.players])

    def add_action(self, round_: Round, seat: int, action: int) -> None:
        """What the seat would do; takes the place of the action told before it."""
        self.count = self.own_count
        if action == self.favourite:
            self.add(FAVOURITE)
        if round_.phase == BID:
            rank = action % 10 + 1
            self.add(LAYS + 10 * self.place[action // 10] + action % 10)
            self.add_bid(rank if rank > self.tally.bid else self.tally.bid, self.tally.strength[rank], 1.0)
        elif round_.phase == CHANGE:
            if action == KEEP:
                self.add(KEEPS)
            else:
                self.add_swap(round_, seat, action - SWAP)
        elif action == STOP:
            self.add(STOPS)
        else:
            self.add_play(round_, action)

    def add_bid(self, bid: int, given: float, spent: float) -> None:
        """A side's bid as it would be, and how it fits the tricks to expect without the strength given away."""
        left = self.tally.left - spent
        need = bid - self.tally.won
        self.add(NEW_RANK + bid)
        self.add(NEW_NEED + need_step(need))
        self.add(NEW_BEYOND + half_step(self.tally.expect(self.tally.own - given, left) - need, 10, 21))

    def add_swap(self, round_: Round, seat: int, code: int) -> None:
        card = code % 50
        bid_of = code // 50 % 4
        rank = card % 10 + 1
        old = round_.bids[bid_of] % 10 + 1
        self.add(SPENDS + code // 200)
        if bid_of != seat:
            self.add(PARTNERS)
        self.add(OLD_RANK + old)
        self.add(LAYS + 10 * self.place[card // 10] + card % 10)
        bid = rank
        if round_.players == 4:
            partner = round_.bids[(bid_of + 2) % 4] % 10 + 1
            bid = rank if rank > partner else partner
        self.add_bid(bid, self.tally.strength[rank] - self.tally.strength[old], 0.0)

    def add_play(self, round_: Round, action: int) -> None:
        """A card played: who could still beat it or go below it, and what it leaves."""
        after = round_.players - 1 - round_.trick_length
        free = self.tally.unseen & ~round_.blocked
        given = 0.0
        if action < GOLD:
            rank = action % 10 + 1
            given = self.tally.strength[rank]
            free &= ~(SUIT_BITS * ONE << (action // 10 * 10))
            self.add(PLAYS + 10 * self.place[action // 10] + action % 10)
            self.add(BEATEN_BY + FEW[count_cards(free & ~cards_below(rank))])
            self.add(BELOW_IT + FEW[count_cards(free & cards_below(rank + 1))])
            is_high = round_.trick_length == 0 or rank >= round_.high_rank
            is_low = round_.trick_length == 0 or rank <= round_.low_rank
            self.add(LOW_NOW + after + (4 if is_low else 0))
            if is_low and rank <= 8 and round_.supply >> (GOLD + rank) & ONE:
                self.add(WOULD_TAKE + rank)
        else:
            self.add(PLAYS + action)
            is_high = action >= round_.high_rank
        self.add(LEADS_NOW + after + (4 if is_high else 0))
        left = self.tally.left - 1.0 if self.tally.left > 1.0 else 0.0
        need = self.tally.bid - self.tally.won
        if is_high and after == 0:
            need -= 1
        self.add(NEW_NEED + need_step(need))
        self.add(NEW_BEYOND + half_step(self.tally.expect(self.tally.own - given, left) - need, 10, 21))

    def survey(self, round_: Round) -> None:
        """Tell everything, hands included, from the place of the seat whose turn it is."""
        self.count = 0
        seat = round_.turn
        self.order_suits(round_.hands[seat])
        self.add_table(round_, seat)
        for step in range(round_.players):
            hand = round_.hands[(seat + step) % round_.players]
            self.add_cards(HANDS + 50 * step, hand)
            self.add_ranks(HANDS_RANKS + 50 * step, hand)


def need_step(need: int) -> int:
    """Tricks still wanted, from -4 or fewer to 9 or more, counted from nought."""
    if need < -4:
        return 0
    return need + 4 if need < 9 else 13


def half_step(value: float, zero: int, last: int) -> int:
    """The nearest number of half tricks, counted so that `zero` stands for none, kept between nought and `last`."""
    step = 0
    while step < last and value >= 0.5 * (step - zero) + 0.25:
        step += 1
    return step
