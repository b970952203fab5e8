"""Random playouts in the rules' own loop: what search bots stand on. Compiles with playout.pxd.

The generator is xorshift64: small, fast, the same plain and compiled. It never deals a real match (see deal.py).
"""

from games.rules.actions import CHANGE, OVER
from games.rules.cards import deck
from games.rules.round import Round

GOLD = 50
KEEP = 59
BID_OF = 60
SWAP = 64
ONE = 1
ALL_BITS = 0xFFFFFFFFFFFFFFFF
METALS = (1 << 50) - 1
GOLD_MASK = 0b111111111 << 50


class Chance:
    """A stream of quick pseudo-random numbers from a seed other than zero."""

    def __init__(self, seed: int) -> None:
        self.state = seed & ALL_BITS or ONE

    def below(self, bound: int) -> int:
        state = self.state
        state ^= state << 13 & ALL_BITS
        state ^= state >> 7
        state ^= state << 17 & ALL_BITS
        self.state = state
        return (state >> 16) % bound

    def pick(self, mask: int) -> int:
        """The number of one set bit of a mask that is not empty, each equally likely."""
        rest = mask
        count = 0
        while rest:
            rest &= rest - 1
            count += 1
        skip = self.below(count)
        rest = mask
        while skip > 0:
            rest &= rest - 1
            skip -= 1
        place = 0
        while not rest >> place & ONE:
            place += 1
        return place


def random_action(round_: Round, chance: Chance) -> int:
    """Any legal action, each equally likely; in the bid-change window keeping weighs as much as changing."""
    if round_.phase != CHANGE:
        return chance.pick(round_.legal)
    if chance.below(2) == 0:
        return KEEP
    gold = chance.pick(round_.legal & GOLD_MASK) - GOLD
    bid_of = chance.pick(round_.legal >> BID_OF)
    return SWAP + (gold * 4 + bid_of) * 50 + chance.pick(round_.legal & METALS)


def play_out(round_: Round, chance: Chance) -> int:
    """Play a round to its end at random; the number of decisions that took."""
    decisions = 0
    while round_.phase != OVER:
        round_.apply(random_action(round_, chance))
        decisions += 1
    return decisions


def random_rounds(players: int, rounds: int, seed: int) -> tuple[int, int]:
    """Deal and play whole rounds at random: how many decisions, and a checksum over every final position."""
    chance = Chance(seed)
    cards = list(deck(players))
    order = [0] * 50
    for place in range(len(cards)):
        order[place] = cards[place]
    hands = [0, 0, 0, 0]
    count = len(cards)
    decisions = 0
    checksum = 0
    for number in range(rounds):
        for top in range(count - 1, 0, -1):
            other = chance.below(top + 1)
            order[top], order[other] = order[other], order[top]
        for seat in range(players):
            mask = 0
            for place in range(seat * 12, seat * 12 + 12):
                mask |= ONE << order[place]
            hands[seat] = mask
        round_ = Round(players, hands, number % players, True)
        decisions += play_out(round_, chance)
        for seat in range(players):
            checksum = (checksum * 31 + round_.golds[seat] + round_.tricks[seat] + round_.hands[seat]) & ALL_BITS
    return decisions, checksum
