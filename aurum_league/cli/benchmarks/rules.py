"""Our rules at work: driven by Python agents, in their own loop, and as whole matches with views and records."""

import random
from types import ModuleType

from aurum_league.cli.benchmarks.speed import Work
from games.play.table import play_match
from games.rules.actions import BID_OF, CHANGE, GOLD, KEEP, OVER, swap_action
from games.rules.cards import ALL_METALS, GOLD_MASK, HAND_SIZE, deck
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


class RandomAgent:
    """A random agent in plain Python: what a bot costs at least. It sees views, or whole rounds where no table is.

    It takes the first legal action from a random place on, which is not quite uniform, but needs no list of them.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def choose(self, view: View | Round) -> int:
        if view.phase == CHANGE:
            return self.change_bid(view.legal) if self.random() < 0.5 else KEEP
        legal = view.legal
        place = int(self.random() * BID_OF)
        above = legal >> place
        if above:
            return place + (above & -above).bit_length() - 1
        return (legal & -legal).bit_length() - 1

    def change_bid(self, legal: int) -> int:
        gold = self.pick_bit(legal & GOLD_MASK) - GOLD
        return swap_action(gold, self.pick_bit(legal >> BID_OF), self.pick_bit(legal & ALL_METALS))

    def pick_bit(self, mask: int) -> int:
        above = mask >> int(self.random() * mask.bit_length())
        return mask.bit_length() - above.bit_length() + (above & -above).bit_length() - 1


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
