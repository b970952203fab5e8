"""Luck and hidden hands: where a brain's chance comes from, and hands dealt to fit all a view shows.

Compiles with sampling.pxd.
"""

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


class HandSampler:
    """Deals the unseen cards to the other seats: the right number to each, and those known to be there."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.players = view.players
        self.seat = view.seat
        self.fixed = [0, 0, 0, 0]
        self.wanted = [0, 0, 0, 0]
        self.cards = [-1] * 50
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

    def reveal(self, hands: "list[int]") -> None:
        """From now on deal just these: for measuring what it is worth to see all cards, never for play."""
        for seat in range(self.players):
            self.fixed[seat] = hands[seat]
            self.wanted[seat] = 0
