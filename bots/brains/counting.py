"""The brain that counts: cards, suits, tricks and points; it does what promises most points, one trick ahead.

`choose_action` works on any Round, but only with what the seat may know, so that the search plays its playouts with it
too. Compiles with counting.pxd.
"""

from bots.brains.tally import Tally, cards_below, count_cards, gold_value, part_of
from games.rules.actions import BID, CHANGE
from games.rules.round import Round
from games.rules.scoring import bid_points, side_total
from games.rules.view import View

GOLD = 50
KEEP = 59
STOP = 59
BID_OF = 60
SWAP = 64
ONE = 1
SUIT_BITS = 0b1111111111
GOLD_MASK = 0b111111111 << 50
FIRST_CHANGE = 6
CHANGE_MARGIN = 0.5
CHANGE_PATIENCE = 0.5
STOP_WORTH = 5.0


def choose_action(tally: Tally, round_: Round, seat: int, gone: int) -> int:
    """What the counting brain does as `seat`, whose turn it is; `gone` are the cards set aside."""
    if round_.phase == CHANGE and round_.trick_number < FIRST_CHANGE:
        return KEEP
    tally.look(round_, seat, gone)
    if round_.phase == BID:
        return choose_bid(tally, round_, seat)
    if round_.phase == CHANGE:
        return choose_change(tally, round_, seat)
    return choose_play(tally, round_)


def choose_bid(tally: Tally, round_: Round, seat: int) -> int:
    hand = round_.hands[seat]
    left = tally.left - 1.0
    best = -1
    best_value = -1000.0
    for card in range(GOLD):
        if hand >> card & ONE:
            rank = card % 10 + 1
            bid = rank if rank > tally.bid else tally.bid
            own = tally.own - tally.strength[rank]
            value = tally.prospect(bid, 0, tally.expect(own, left), left) + 0.02 * own
            if value > best_value:
                best = card
                best_value = value
    return best


def choose_change(tally: Tally, round_: Round, seat: int) -> int:
    """Keep the bids, or the change that gains most, if it gains more than waiting may."""
    left = tally.left
    best = KEEP
    best_value = tally.prospect(tally.bid, tally.won, tally.expect(tally.own, left), left)
    best_value += CHANGE_MARGIN + CHANGE_PATIENCE * left
    gold = 0
    while not round_.golds[seat] >> (GOLD + gold) & ONE:
        gold += 1
    cost = gold_value(gold)
    hand = round_.hands[seat]
    for bid_of in range(round_.players):
        if not round_.legal >> (BID_OF + bid_of) & ONE:
            continue
        old = round_.bids[bid_of] % 10 + 1
        partner = round_.bids[(bid_of + 2) % 4] % 10 + 1 if round_.players == 4 else 0
        for card in range(GOLD):
            if hand >> card & ONE:
                rank = card % 10 + 1
                bid = rank if rank > partner else partner
                if bid == tally.bid:
                    continue
                own = tally.own - tally.strength[rank] + tally.strength[old]
                value = tally.prospect(bid, tally.won, tally.expect(own, left), left) - cost
                if value > best_value:
                    best_value = value
                    best = SWAP + (gold * 4 + bid_of) * 50 + card
    return best


def choose_play(tally: Tally, round_: Round) -> int:
    best = -1
    best_value = -1000.0
    for action in range(STOP):
        if round_.legal >> action & ONE:
            value = play_value(tally, round_, action)
            if value > best_value:
                best = action
                best_value = value
    if round_.legal >> STOP & ONE and stop_value(tally, round_) >= best_value:
        return STOP
    return best


def stop_value(tally: Tally, round_: Round) -> float:
    """Ending the round now: a prize where it wins, a price where somebody else is ahead."""
    own = side_total(round_, tally.sides, tally.side)
    best = 0
    for side in range(tally.sides):
        if side != tally.side:
            total = side_total(round_, tally.sides, side)
            if total > best:
                best = total
    points = bid_points(tally.bid, tally.won)
    if own > best:
        return points + STOP_WORTH
    return points - STOP_WORTH


def play_value(tally: Tally, round_: Round, action: int) -> float:
    """The bid and gold points to expect after playing this card."""
    own = tally.own
    value = 0.0
    if action < GOLD:
        own -= tally.strength[action % 10 + 1]
        value += low_chance(tally, round_, action) * low_gain(round_, action % 10 + 1)
    else:
        value -= gold_value(action - GOLD)
    left = tally.left - 1.0 if tally.left > 1.0 else 0.0
    win = win_chance(tally, round_, action)
    more = tally.expect(own, left)
    value += win * tally.prospect(tally.bid, tally.won + 1, more, left)
    value += (1.0 - win) * tally.prospect(tally.bid, tally.won, more, left)
    return value


def low_gain(round_: Round, rank: int) -> float:
    if rank <= 8 and round_.supply >> (GOLD + rank) & ONE:
        return gold_value(rank)
    return 0.0


def low_chance(tally: Tally, round_: Round, card: int) -> float:
    """How likely this card stays the lowest of its trick."""
    rank = card % 10 + 1
    if round_.trick_length > 0 and rank > round_.low_rank:
        return 0.0
    free = tally.unseen & ~(round_.blocked | SUIT_BITS << (card // 10 * 10))
    total = count_cards(free)
    if total == 0:
        return 1.0
    share = 1.0 - part_of(count_cards(free & cards_below(rank + 1)), total)
    chance = 1.0
    for _ in range(round_.players - 1 - round_.trick_length):
        chance *= share
    return chance


def win_chance(tally: Tally, round_: Round, action: int) -> float:
    """How likely the trick goes to the seat's side after this card."""
    free = tally.unseen & ~round_.blocked
    strength = action
    if action < GOLD:
        free &= ~(SUIT_BITS << (action // 10 * 10))
        strength = action % 10 + 1
    ours = True
    if round_.trick_length > 0 and strength < round_.high_rank:
        strength = round_.high_rank
        ours = round_.high_seat % tally.sides == tally.side
    higher = 0.0
    total = count_cards(free)
    if strength < GOLD and total > 0:
        higher = 1.0 - part_of(count_cards(free & cards_below(strength)), total)
    holds = 1.0
    rescue = 1.0
    for place in range(round_.trick_length + 1, round_.players):
        other = (round_.leader + place) % round_.players
        side = other % tally.sides
        beats = beat_chance(tally.needs[side] > 0, round_.golds[other] & GOLD_MASK, strength, higher)
        if side == tally.side:
            rescue *= 1.0 - beats
        else:
            holds *= 1.0 - beats
    if ours:
        return holds
    return (1.0 - rescue) * holds


def beat_chance(wants: bool, golds: int, strength: int, higher: float) -> float:
    """How likely a seat still to play beats a card: by metal, of which a share is higher, or by gold it holds."""
    metal = higher * (1.6 - 0.6 * higher) if wants else higher * (0.5 + 0.5 * higher)
    if not golds >> (strength if strength > GOLD else GOLD):
        return metal
    trump = 0.25 if wants else 0.03
    return metal + (1.0 - metal) * trump


class CountingBrain:
    """Needs no luck; the seed is taken so that every brain is made alike."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.tally = Tally()

    def choose(self, view: View) -> int:
        hands = [0] * view.players
        hands[view.seat] = view.hand
        return choose_action(self.tally, view.imagine(hands), view.seat, view.set_aside)
