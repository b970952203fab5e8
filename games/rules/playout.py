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
PAIRS = 0x5555555555555555
QUADS = 0x3333333333333333
BYTES = 0x0F0F0F0F0F0F0F0F
EACH_BYTE = 0x0101010101010101
HIGH_BITS = 0x8080808080808080


# PLACE_IN_BYTE[byte * 8 + skip]: where the set bit of a byte is that has `skip` set bits below it.
PLACE_IN_BYTE = [0] * 2048
for _byte in range(256):
    for _skip, _place in enumerate(place for place in range(8) if _byte >> place & 1):
        PLACE_IN_BYTE[_byte * 8 + _skip] = _place


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
        return (state >> 32) * bound >> 32

    def pick(self, mask: int) -> int:
        """The number of one set bit of a mask that is not empty, each equally likely.

        Without a branch: set bits are added up byte by byte, all bytes at once, and the byte is found by comparing all
        sums at once (S. Vigna, Broadword implementation of rank/select queries, 2008).
        """
        sums = mask - (mask >> 1 & PAIRS)
        sums = (sums & QUADS) + (sums >> 2 & QUADS)
        sums = (sums + (sums >> 4) & BYTES) * EACH_BYTE & ALL_BITS
        skip = self.below(sums >> 56)
        byte = (((skip * EACH_BYTE | HIGH_BITS) - sums & HIGH_BITS) >> 7) * EACH_BYTE >> 53 & 56
        skip -= (sums << 8 & ALL_BITS) >> byte & 255
        return byte + PLACE_IN_BYTE[(mask >> byte & 255) * 8 + skip]


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
    round_ = Round(players, hands, 0, True)
    for number in range(rounds):
        for top in range(count - 1, 0, -1):
            other = chance.below(top + 1)
            order[top], order[other] = order[other], order[top]
        for seat in range(players):
            mask = 0
            for place in range(seat * 12, seat * 12 + 12):
                mask |= ONE << order[place]
            hands[seat] = mask
        round_.start(hands, number % players, True)
        decisions += play_out(round_, chance)
        for seat in range(players):
            checksum = (checksum * 31 + round_.golds[seat] + round_.tricks[seat] + round_.hands[seat]) & ALL_BITS
    return decisions, checksum
