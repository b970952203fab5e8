"""The brain that counts: cards, suits, tricks and points; it steers to its exact bid with all it may know."""

from bots.brains.policy import choose_action
from bots.brains.tally import Tally
from games.rules.view import View


class CountingBrain:
    """Needs no luck; the seed is taken so that every brain is made alike."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.tally = Tally()

    def choose(self, view: View) -> int:
        hands = [0] * view.players
        hands[view.seat] = view.hand
        return choose_action(self.tally, view.imagine(hands), view.seat, view.set_aside)
