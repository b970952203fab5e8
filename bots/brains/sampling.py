"""Luck and hidden hands: where a brain's chance comes from, and hands dealt to fit all a view shows.

Compiles with sampling.pxd.
"""

from array import array

from bots.brains.tally import count_cards
from games.rules.actions import BID
from games.rules.cards import deck
from games.rules.playout import Chance
from games.rules.view import View

_MASK = 0xFFFFFFFFFFFFFFFF


def decision_chance(seed: int, view: View) -> Chance:
    """The stream for this decision; nothing is remembered, so a match that is taken up again goes on alike."""
    return Chance(decision_seed(seed, view))


def decision_seed(seed: int, view: View) -> int:
    """64 bits of this decision's own, from the bot's seed, the point that the match has reached, and the seat."""
    return _mix(_mix(seed & _MASK) + view.log_end * 4 + view.seat)


def _mix(value: int) -> int:
    """Spread near values far apart (the finaliser of SplitMix64)."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & _MASK
    return value ^ value >> 31


ONE = 1
FINE = float(1 << 30)


class HandSampler:
    """Deals the unseen cards to the other seats: the right number to each, and those known to be there."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.players = view.players
        self.seat = view.seat
        self.fixed = [0, 0, 0, 0]
        self.wanted = [0, 0, 0, 0]
        self.cards = [-1] * 50
        self.weights = [0.0] * 200
        self.others = [0, 0, 0]
        self.is_weighed = False
        self.count = 0
        is_secret = view.players == 3 and view.phase == BID
        seen = view.set_aside | view.played | view.hand
        for seat in range(view.players):
            if view.bids[seat] >= 0:
                seen |= ONE << view.bids[seat]
            if seat == view.seat:
                self.fixed[seat] = view.hand
            else:
                self.fixed[seat] = view.known[seat]
                seen |= view.known[seat]
                size = 12 if is_secret else view.sizes[seat]
                self.wanted[seat] = size - count_cards(view.known[seat])
        for card in deck(view.players):
            if not seen >> card & ONE:
                self.cards[self.count] = card
                self.count += 1

    def deal(self, chance: Chance) -> "list[int]":
        """Hands by seat, own hand included."""
        if self.is_weighed:
            return self.deal_weighed(chance)
        hands = [0, 0, 0, 0]
        place = 0
        for seat in range(self.players):
            mask = self.fixed[seat]
            for _ in range(self.wanted[seat]):
                other = place + chance.below(self.count - place)
                card = self.cards[other]
                self.cards[other] = self.cards[place]
                self.cards[place] = card
                mask |= ONE << card
                place += 1
            hands[seat] = mask
        return hands

    def prepare(self) -> None:
        """Deal from now on by `weights`: how much likelier each card is with a seat, at four places a card.

        `ways` holds, for the cards from each on and so many places left in two of the hands, the summed weights of all
        ways to deal them, so that every deal comes with just its own share of them.
        """
        place = 0
        for seat in range(self.players):
            if seat != self.seat:
                self.others[place] = seat
                place += 1
        one, two, three = self.others[0], self.others[1], self.others[2]
        self.rows = self.wanted[two] + 1
        self.span = (self.wanted[one] + 1) * self.rows
        self.ways = array("d", [0.0]) * ((self.count + 1) * self.span)
        self.ways[self.count * self.span] = 1.0
        for place in range(self.count - 1, -1, -1):
            after = (place + 1) * self.span
            left = self.count - place
            for first in range(self.wanted[one] + 1):
                for second in range(self.rows):
                    third = left - first - second
                    if third < 0 or (third > 0 if self.players == 3 else third > self.wanted[three]):
                        continue
                    total = 0.0
                    if first > 0:
                        total += self.weights[place * 4 + one] * self.ways[after + (first - 1) * self.rows + second]
                    if second > 0:
                        total += self.weights[place * 4 + two] * self.ways[after + first * self.rows + second - 1]
                    if third > 0:
                        total += self.weights[place * 4 + three] * self.ways[after + first * self.rows + second]
                    self.ways[place * self.span + first * self.rows + second] = total
        self.is_weighed = True

    def deal_weighed(self, chance: Chance) -> "list[int]":
        hands = [0, 0, 0, 0]
        for seat in range(self.players):
            hands[seat] = self.fixed[seat]
        one, two, three = self.others[0], self.others[1], self.others[2]
        first, second = self.wanted[one], self.wanted[two]
        for place in range(self.count):
            now = first * self.rows + second
            after = (place + 1) * self.span
            drawn = chance.below(1 << 30) / FINE * self.ways[place * self.span + now]
            if first > 0:
                drawn -= self.weights[place * 4 + one] * self.ways[after + now - self.rows]
            third = self.count - place - first - second
            if first > 0 and drawn < 0.0:
                seat = one
                first -= 1
            elif second > 0 and (third == 0 or drawn < self.weights[place * 4 + two] * self.ways[after + now - 1]):
                seat = two
                second -= 1
            elif third > 0:
                seat = three
            else:
                seat = one
                first -= 1
            hands[seat] |= ONE << self.cards[place]
        return hands

    def reveal(self, hands: "list[int]") -> None:
        """From now on deal just these: for measuring what it is worth to see all cards, never for play."""
        self.is_weighed = False
        for seat in range(self.players):
            self.fixed[seat] = hands[seat]
            self.wanted[seat] = 0
