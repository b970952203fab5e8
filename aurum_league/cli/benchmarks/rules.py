"""Our rules at work: driven by Python agents, in their own loop, and as whole matches with views and records."""

import random
from types import ModuleType

from aurum_league.cli.benchmarks.speed import Work
from games.play.table import play_match
from games.rules.actions import BID_OF, CHANGE, GOLD, KEEP, OVER, swap_action
from games.rules.cards import ALL_METALS, GOLD_RANKS, HAND_SIZE, METALS, deck
from games.rules.deal import derive_seed
from games.rules.match import Match
from games.rules.playout import random_rounds
from games.rules.record import make_record
from games.rules.round import Round
from games.rules.ruleset import Ruleset
from games.rules.view import View

PLAYERS = 4
ROUNDS_A_BATCH = 20
PLAYOUTS_A_BATCH = 5_000
ALL_GOLD = (1 << GOLD_RANKS) - 1

# The bits up to a place, the place included.
UP_TO = [(2 << place) - 1 for place in range(BID_OF)]


class RandomAgent:
    """A random agent in plain Python: what a bot costs at least. It sees views, or whole rounds where no table is.

    It takes the first legal action from a random place down, which is not quite uniform, but needs no list of them.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def choose(self, view: View | Round) -> int:
        legal = view.legal
        if view.phase == CHANGE:
            return self.change_bid(legal) if self.random() < 0.5 else KEEP
        return (legal & UP_TO[int(self.random() * BID_OF)] or legal).bit_length() - 1

    def change_bid(self, legal: int) -> int:
        gold = self.pick_bit(legal >> GOLD & ALL_GOLD, GOLD_RANKS)
        return swap_action(gold, self.pick_bit(legal >> BID_OF, 4), self.pick_bit(legal & ALL_METALS, METALS))

    def pick_bit(self, mask: int, width: int) -> int:
        return (mask & UP_TO[int(self.random() * width)] or mask).bit_length() - 1


def rounds_with_agents(round_module: ModuleType) -> Work:
    """Decisions of rounds that Python deals and plays on the Round of this module, plain or compiled."""
    make_round = round_module.Round
    choose = RandomAgent(0).choose
    draw_key = random.Random(1).random
    bits = [1 << card for card in deck(PLAYERS)]

    def work() -> int:
        decisions = 0
        for number in range(ROUNDS_A_BATCH):
            bits.sort(key=lambda bit: draw_key())
            hands = [sum(bits[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]) for seat in range(PLAYERS)]
            round_ = make_round(PLAYERS, hands, number % PLAYERS, True)
            while round_.phase != OVER:
                round_.apply(choose(round_))
                decisions += 1
        return decisions

    return work


def playouts() -> Work:
    """Rounds that the rules deal and play out in their own loop."""
    rng = random.Random(2)

    def work() -> int:
        random_rounds(PLAYERS, PLAYOUTS_A_BATCH, rng.getrandbits(63))
        return PLAYOUTS_A_BATCH

    return work


def whole_matches() -> Work:
    """Decisions of three-player matches dealt from seeds, with a view for every decision and a record at the end."""
    agents = [RandomAgent(seat) for seat in range(3)]
    ruleset = Ruleset(3)
    number = 0

    def work() -> int:
        nonlocal number
        number += 1
        match = Match(ruleset, derive_seed(bytes(32), f"bench {number}"))
        play_match(match, agents)
        make_record(match)
        return len(match.log)

    return work
