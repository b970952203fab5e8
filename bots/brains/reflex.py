"""The two bots that need no view, as they play a whole match from its round: `random` and `greedy`.

A view is made for those who must not see more than their seat; these two read their own hand, what they may do and
what lies on the table, and nothing else of the round. Compiles with reflex.pxd.
"""

from collections.abc import Sequence
from typing import Any

from games.rules.actions import BID, CHANGE, KEEP, STOP
from games.rules.match import Match
from games.rules.playout import Chance
from games.rules.round import Round

RANDOM, GREEDY = 1, 2
GOLD = 50
RANKS = 10
SWAP = 64
BID_OF = 60
STRONG_RANK = 8
ONE = 1
METALS = (1 << 50) - 1
GOLD_MASK = 0b111111111 << 50
OWNERS = 0b1111 << 60
ALL_BITS = 0xFFFFFFFFFFFFFFFF
STEP, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mix(value: int) -> int:
    """As `sampling` spreads near values far apart."""
    value = (value + STEP) & ALL_BITS
    value = ((value ^ value >> 30) * FIRST) & ALL_BITS
    value = ((value ^ value >> 27) * SECOND) & ALL_BITS
    return value ^ value >> 31


def place_of(mask: int, number: int) -> int:
    """The number of the set bit that has so many below it."""
    while number:
        mask &= mask - ONE
        number -= 1
    place = 0
    while not mask & ONE:
        mask >>= 1
        place += 1
    return place


def count_bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - ONE
        count += 1
    return count


def rank_of(card: int) -> int:
    return card - GOLD if card >= GOLD else card % RANKS + 1


def choose_random(round_: Round, seed: int, log_end: int, seat: int) -> int:
    chance = Chance(mix((seed + log_end * 4 + seat) & ALL_BITS))
    legal = round_.legal
    if round_.phase != CHANGE:
        return place_of(legal, chance.below(count_bits(legal)))
    if chance.below(2) == 0:
        return KEEP
    golds, owners, cards = count_bits(legal & GOLD_MASK), count_bits(legal & OWNERS), count_bits(legal & METALS)
    number = chance.below(1 + golds * owners * cards)
    if number == 0:
        return KEEP
    number -= 1
    gold = place_of(legal & GOLD_MASK, number // (owners * cards)) - GOLD
    owner = place_of((legal & OWNERS) >> BID_OF, number // cards % owners)
    return SWAP + (gold * 4 + owner) * 50 + place_of(legal & METALS, number % cards)


def choose_greedy(round_: Round, sides: int, seat: int) -> int:
    if round_.phase == BID:
        return choose_bid(round_, seat)
    if round_.phase == CHANGE:
        return KEEP
    return choose_play(round_, sides, seat)


def choose_bid(round_: Round, seat: int) -> int:
    expected = 1 if round_.players == 3 else 2
    left = round_.hands[seat]
    while left:
        expected += rank_of(place_of(left, 0)) >= STRONG_RANK
        left &= left - ONE
    best, best_off = -1, 100
    left = round_.legal
    while left:
        card = place_of(left, 0)
        left &= left - ONE
        off = rank_of(card) - expected
        if off < 0:
            off = -off
        if off < best_off:
            best, best_off = card, off
    return best


def choose_play(round_: Round, sides: int, seat: int) -> int:
    """Cards are held against each other by rank, then by number, as in a list sorted by rank."""
    bid = 0
    won = 0
    other = seat % sides
    while other < round_.players:
        rank = rank_of(round_.bids[other])
        if rank > bid:
            bid = rank
        won += round_.tricks[other]
        other += sides
    wants = won < bid
    least = highest = least_winning = highest_losing = -1
    left = round_.legal & METALS
    while left:
        card = place_of(left, 0)
        left &= left - ONE
        key = rank_of(card) * 64 + card
        if least < 0 or key < least:
            least = key
        if key > highest:
            highest = key
        if rank_of(card) < round_.high_rank:
            if key > highest_losing:
                highest_losing = key
        elif least_winning < 0 or key < least_winning:
            least_winning = key
    if round_.trick_length == 0:
        return (highest if wants else least) % 64
    if wants and least_winning >= 0:
        return (least_winning if round_.trick_length == round_.players - 1 else highest) % 64
    left = round_.legal & GOLD_MASK
    while wants and left:
        card = place_of(left, 0)
        left &= left - ONE
        if card >= round_.high_rank:
            return card
    if least < 0:
        return STOP
    return (highest_losing if highest_losing >= 0 and not wants else least) % 64


def play_on(match: Match, kinds: "list[int]", seeds: "list[int]") -> int:
    """Play a match from where it stands to its end; `kinds` and `seeds` are by seat. How many actions it has then."""
    sides = match.ruleset.sides
    players = match.players
    mixed = [mix(seed & ALL_BITS) for seed in seeds]
    while match.result is None:
        round_ = match.round
        seat = round_.turn
        if kinds[seat] == GREEDY:
            action = choose_greedy(round_, sides, seat)
        else:
            # While three players bid in secret, a seat sees nothing of the round's log.
            is_secret = players == 3 and round_.phase == BID
            log_end = match.round_start if is_secret else len(match.log)
            action = choose_random(round_, mixed[seat], log_end, seat)
        match.act(seat, action)
    return len(match.log)


def play_by_reflex(match: Match, agents: Sequence[Any]) -> bool:
    """Play the match to its end where every seat is held by such a bot; False, and nothing done, where one is not."""
    kinds = [getattr(agent, "reflex", 0) for agent in agents]
    if not all(kinds):
        return False
    play_on(match, kinds, [agent.seed for agent in agents])
    return True
