"""What a seat may believe of hidden hands: how likely each unseen card is with each other seat, by bids and plays.

A net answers with a weight for every card and seat; the sampler deals by them. It knows what the view tells and nothing
more: the log of the round for who played what. Compiles with belief.pxd.
"""

from array import array
from math import exp

from bots.brains.features import Features
from bots.brains.net import VALUE_UNIT, Net
from bots.brains.sampling import HandSampler
from bots.brains.stakes import describe_match
from games.rules.actions import BID
from games.rules.view import View

SUITS = 10
CARDS = 50
SECOND = 64
STEPS = 16
"""The logarithm of a weight is told in so many steps a unit."""

MOST_STEPS = 64
UNIT = VALUE_UNIT // STEPS
WEIGHTS = array("d", [exp((step - MOST_STEPS) / STEPS) for step in range(2 * MOST_STEPS + 1)])


def played_by_seat(view: View) -> list[int]:
    """The base metals that each seat has played this round, as masks."""
    played = [0, 0, 0, 0]
    for entry in view.log[view.log_start + view.players : view.log_end]:
        action = entry >> 2
        if action < CARDS:
            played[entry & 3] |= 1 << action
    return played


class Belief:
    """Answers for every table of so many players as the net has learnt from."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.features = Features()

    def weigh(self, view: View, sampler: HandSampler) -> None:
        """Let the sampler deal by what the bids and plays of this round say; before any bid they say nothing."""
        if view.phase == BID and (view.players == 3 or max(view.bids) < 0):
            return
        hands = [0] * 4
        hands[view.seat] = view.hand
        round_ = view.imagine(hands)
        side = view.seat % view.ruleset.sides
        self.features.set_context(side, describe_match(view, side))
        self.features.look(round_, view.seat, view.set_aside)
        self.features.recall(round_, view.seat, played_by_seat(view))
        self.answer(sampler, view.players, view.seat)

    def answer(self, sampler: HandSampler, players: int, seat: int) -> None:
        features = self.features
        others = players - 1
        self.net.begin(features.active, features.count)
        self.net.answer(features.active, features.count, features.count)
        for place in range(sampler.count):
            card = sampler.cards[place]
            told = (SUITS * features.place[card // SUITS] + card % SUITS) * others
            for step in range(others):
                value = self.net.out[told + step] // UNIT + MOST_STEPS
                value = value if value > 0 else 0
                value = value if value < 2 * MOST_STEPS else 2 * MOST_STEPS
                sampler.weights[place * 4 + (seat + 1 + step) % players] = WEIGHTS[value]
        sampler.prepare()
