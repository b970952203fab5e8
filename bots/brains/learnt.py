"""The brain that has learnt: one look, a net's value for every action worth a thought, and the best is done.

`Outlook` puts the value of the best action on a scale measured by bots/training/calibrate.py on matches of `learnt`
against itself: it says what share of the first place came of positions of that value, so it holds among equals.

Compiles with learnt.pxd, because the learnt choice is asked for in self-play and in the champion's search too.
"""

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from bots.brains.features import Features
from bots.brains.net import VALUE_UNIT, Net, load_net, read_own_weights
from bots.brains.stakes import describe_match
from games.rules.actions import CHANGE
from games.rules.round import Round
from games.rules.view import View

GOLD = 50
KEEP = 59
BID_OF = 60
SWAP = 64
ONE = 1


class LearntPolicy:
    """Rates the actions of one seat; `actions` and `values` hold `count` of them after `rate`."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.features = Features()
        self.actions = array("i", [0]) * 256
        self.values = array("i", [0]) * 256
        self.count = 0

    def rate(self, round_: Round, seat: int, gone: int) -> int:
        """Value every action worth a thought as `seat`, whose decision it is; the place of the best."""
        self.count = 0
        if round_.phase == CHANGE:
            self.list_changes(round_, seat)
        else:
            # Where three bid at once, the mask of the round is one seat's alone.
            legal = round_.legal if seat == round_.turn else round_.hands[seat]
            for action in range(BID_OF):
                if legal >> action & ONE:
                    self.actions[self.count] = action
                    self.count += 1
        self.features.look(round_, seat, gone)
        self.net.begin(self.features.active, self.features.own_count)
        best = 0
        for place in range(self.count):
            self.features.add_action(round_, seat, self.actions[place])
            value = self.net.answer(self.features.active, self.features.own_count, self.features.count)
            self.values[place] = value
            if value > self.values[best]:
                best = place
        return best

    def list_changes(self, round_: Round, seat: int) -> None:
        """Keeping, and every change that pays the cheapest gold and makes another bid of the side."""
        self.actions[0] = KEEP
        self.count = 1
        gold = 0
        while not round_.golds[seat] >> (GOLD + gold) & ONE:
            gold += 1
        hand = round_.hands[seat]
        for bid_of in range(round_.players):
            if not round_.legal >> (BID_OF + bid_of) & ONE:
                continue
            now = round_.bids[bid_of] % 10 + 1
            partner = round_.bids[(bid_of + 2) % 4] % 10 + 1 if round_.players == 4 else 0
            for card in range(GOLD):
                if hand >> card & ONE:
                    rank = card % 10 + 1
                    if (rank if rank > partner else partner) != (now if now > partner else partner):
                        self.actions[self.count] = SWAP + (gold * 4 + bid_of) * 50 + card
                        self.count += 1

    def choose(self, round_: Round, seat: int, gone: int) -> int:
        return self.actions[self.rate(round_, seat, gone)]


class LearntBrain:
    """Needs no luck; the seed is taken so that every brain is made alike."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.policies: dict[int, LearntPolicy] = {}

    def choose(self, view: View) -> int:
        if view.players not in self.policies:
            self.policies[view.players] = LearntPolicy(load_net(f"learnt{view.players}"))
        policy = self.policies[view.players]
        side = view.seat % view.ruleset.sides
        policy.features.set_context(side, describe_match(view, side))
        hands = [0] * 4
        hands[view.seat] = view.hand
        return policy.choose(view.imagine(hands), view.seat, view.set_aside)


def best_value(policy: LearntPolicy, view: View) -> float:
    """What the seat to act expects of its best action, in the net's own measure."""
    side = view.seat % view.ruleset.sides
    policy.features.set_context(side, describe_match(view, side))
    hands = [0] * 4
    hands[view.seat] = view.hand
    best = policy.rate(view.imagine(hands), view.seat, view.set_aside)
    return policy.values[best] / VALUE_UNIT


class Outlook:
    """Answers for every table of so many players."""

    def __init__(self, players: int) -> None:
        self.policy = LearntPolicy(load_net(f"learnt{players}"))
        self.scale = read_own_weights(f"outlook{players}")

    def win_chance(self, view: View) -> float:
        """For the seat that is to act: its side's share of the first place, from 0 to 1."""
        values, shares = (self.scale[f"{view.ruleset.scoring}_{part}"] for part in ("values", "shares"))
        return interpolate(best_value(self.policy, view), values, shares)


def interpolate(value: float, values: Sequence[float], shares: Sequence[float]) -> float:
    """On the line through points of rising `values`; beyond the outermost it stays where they are."""
    after = bisect_right(values, value)
    if after in (0, len(values)):
        return shares[min(after, len(values) - 1)]
    slope = (shares[after] - shares[after - 1]) / (values[after] - values[after - 1])
    return slope * (value - values[after - 1]) + shares[after - 1]
