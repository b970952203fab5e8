"""Many tables in two blocks of memory, moved on one by one in a scratch Round by the rules' own methods.

A table is WORDS numbers of 64 bits and BYTES small ones. An Engine takes up one table at a time, so that each thread
needs one of its own and no lock of Python's, and the tables need no objects. Compiles with engine.pxd; plain, it does
the same, slower.
"""

from typing import Any

import cython

from games.learn.memory import load_round, store_round
from games.learn.places import (
    BYTES,
    CHANCE,
    EXACT,
    FIRST_SEAT,
    LAST_BID,
    NUGGETS,
    OUT,
    PLANNED,
    PLAYED_BY,
    ROUNDS,
    SPENT,
    TOTALS,
    WHOSE,
    WORDS,
)  # fmt: skip
from games.learn.planes import write_planes
from games.rules.actions import BID, CHANGE, OVER, PLAY
from games.rules.cards import deck
from games.rules.playout import Chance
from games.rules.round import Round
from games.rules.ruleset import Ruleset
from games.rules.scoring import (
    bid_points,
    is_decided,
    place_key,
    round_key,
    side_best_gold,
    side_bid,
    side_gold_points,
    side_tricks,
)

GOLD = 50
KEEP = 59
BID_OF = 60
ONE = 1
METALS = (1 << 50) - 1
GOLD_MASK = 0b111111111 << 50
KEEP_BIT = 1 << 59
OWN_OR_PARTNER = 1 << 60 | 1 << 62
ALL_BITS = 0xFFFFFFFFFFFFFFFF
GOLDEN_ROUNDS = 3
PLANES = 28

# SPREAD[byte]: its eight bits as eight bytes, the lowest first, in one number.
SPREAD = [0] * 256
for _byte in range(256):
    SPREAD[_byte] = sum(1 << (8 * _bit) for _bit in range(8) if _byte >> _bit & 1)


class Engine:
    """The rules of one ruleset at work on tables; `words`, `bytes_` and all else are the arrays of Tables."""

    def __init__(self, ruleset: Ruleset, rules: int) -> None:
        self.players = ruleset.players
        self.sides = ruleset.sides
        self.zero_gold = ruleset.zero_gold
        self.is_cumulative = ruleset.is_cumulative
        self.ends_at_two = ruleset.ends_at_two_nuggets
        self.compares_gold = ruleset.compares_highest_gold
        self.is_golden = ruleset.decider == "golden_round"
        self.rules = rules
        self.round_ = Round(ruleset.players, [0, 0, 0, 0], 0, True)
        self.chance = Chance(1)
        self.deck = [0] * 50
        self.order = [0] * 50
        self.count = 0
        for card in deck(ruleset.players):
            self.deck[self.count] = card
            self.count += 1
        self.keys = [0, 0, 0, 0]
        self.scores = [0, 0, 0, 0]

    def open(self, arrays: "Arrays", first: int, last: int) -> None:
        """Deal the first round of a match at these tables."""
        with cython.nogil:
            for table in range(first, last):
                self.open_match(arrays, table)
                self.show(arrays, table)

    def step(self, arrays: "Arrays", first: int, last: int) -> None:
        """Do what is asked for at these tables; all of it must be legal."""
        with cython.nogil:
            for table in range(first, last):
                self.act(arrays, table)
                self.show(arrays, table)

    def find_illegal(self, arrays: "Arrays", first: int, last: int) -> int:
        """The first table whose action is not legal, or -1."""
        for table in range(first, last):
            action = arrays.actions[table]
            if action < 0 or action > 63 or not arrays.legal[table] >> action & ONE:
                return table
        return -1

    def draw(self, arrays: "Arrays", first: int, last: int) -> None:
        """Any legal action at each table, from its own chance; at the start of a bid change, half the time to keep."""
        with cython.nogil:
            for table in range(first, last):
                self.chance.state = arrays.words[table * WORDS + CHANCE]
                legal = arrays.legal[table]
                if legal & KEEP_BIT and self.chance.below(2) == 0:
                    arrays.actions[table] = KEEP
                else:
                    arrays.actions[table] = self.chance.pick(legal)
                arrays.words[table * WORDS + CHANCE] = self.chance.state

    def open_match(self, arrays: "Arrays", table: int) -> None:
        word = table * WORDS
        byte = table * BYTES
        self.chance.state = arrays.words[word + CHANCE]
        arrays.bytes_[byte + FIRST_SEAT] = self.chance.below(self.players)
        arrays.bytes_[byte + ROUNDS] = 0
        arrays.bytes_[byte + PLANNED] = 0
        for side in range(self.sides):
            arrays.bytes_[byte + NUGGETS + side] = 0
            arrays.bytes_[byte + EXACT + side] = 0
            arrays.words[word + TOTALS + side] = 0
        self.deal(arrays, table)

    def deal(self, arrays: "Arrays", table: int) -> None:
        """Shuffle by the table's own chance and begin a round."""
        word = table * WORDS
        byte = table * BYTES
        for place in range(self.count):
            self.order[place] = self.deck[place]
        place = self.count - 1
        while place > 0:
            other = self.chance.below(place + 1)
            card = self.order[place]
            self.order[place] = self.order[other]
            self.order[other] = card
            place -= 1
        arrays.words[word + CHANCE] = self.chance.state
        place = 0
        for seat in range(self.players):
            hand = self.gather(place, place + 12)
            self.round_.hands[seat] = hand
            arrays.words[word + PLAYED_BY + seat] = 0
            place += 12
        arrays.words[word + OUT] = self.gather(place, self.count)
        arrays.bytes_[byte + SPENT] = -1
        arrays.bytes_[byte + WHOSE] = -1
        first = (arrays.bytes_[byte + FIRST_SEAT] + arrays.bytes_[byte + ROUNDS]) % self.players
        self.round_.begin(first, self.zero_gold)
        store_round(self.round_, arrays.words, word, arrays.bytes_, byte)

    def gather(self, first: int, last: int) -> int:
        """The shuffled cards from one place to before another, as a mask."""
        mask = 0
        for place in range(first, last):
            mask |= ONE << self.order[place]
        return mask

    def act(self, arrays: "Arrays", table: int) -> None:
        word = table * WORDS
        byte = table * BYTES
        action = arrays.actions[table]
        load_round(self.round_, arrays.words, word, arrays.bytes_, byte)
        seat = self.round_.turn
        for side in range(self.players):
            arrays.rewards[table * self.players + side] = 0.0
        arrays.ended[table] = 0
        if self.round_.phase == PLAY:
            if action < GOLD:
                arrays.words[word + PLAYED_BY + seat] |= ONE << action
            self.round_.play(action)
        elif self.round_.phase == BID:
            self.round_.lay(seat, action)
        elif self.change(arrays, byte, action):
            self.round_.seek_change(self.round_.asked + 1)
        if self.round_.phase == OVER:
            self.close_round(arrays, table)
        else:
            store_round(self.round_, arrays.words, word, arrays.bytes_, byte)

    def change(self, arrays: "Arrays", byte: int, action: int) -> bool:
        """One step of a bid change; whether it was the last."""
        if action == KEEP:
            return True
        if action >= BID_OF:
            arrays.bytes_[byte + WHOSE] = action - BID_OF
            return False
        if action >= GOLD:
            arrays.bytes_[byte + SPENT] = action - GOLD
            return False
        whose = arrays.bytes_[byte + WHOSE]
        bid_of = (self.round_.turn + (whose if whose > 0 else 0)) % self.players
        self.round_.exchange((arrays.bytes_[byte + SPENT] * 4 + bid_of) * 50 + action)
        arrays.bytes_[byte + SPENT] = -1
        arrays.bytes_[byte + WHOSE] = -1
        return True

    def close_round(self, arrays: "Arrays", table: int) -> None:
        """Score the round; deal another, or end the match and open a new one."""
        word = table * WORDS
        byte = table * BYTES
        sides = self.sides
        best = -1
        for side in range(sides):
            bid = side_bid(self.round_, sides, side)
            tricks = side_tricks(self.round_, sides, side)
            total = bid_points(bid, tricks) + side_gold_points(self.round_, sides, side)
            gold = side_best_gold(self.round_, sides, side)
            self.keys[side] = round_key(total, bid == tricks, gold, self.compares_gold)
            self.scores[side] = total
            arrays.words[word + TOTALS + side] += total
            arrays.bytes_[byte + EXACT + side] += bid == tricks
            arrays.bytes_[byte + LAST_BID + side] = bid
            if self.keys[side] > best:
                best = self.keys[side]
        for side in range(sides):
            arrays.bytes_[byte + NUGGETS + side] += self.keys[side] == best
        arrays.bytes_[byte + ROUNDS] += 1
        arrays.ended[table] = 1
        for seat in range(self.players):
            arrays.points[table * self.players + seat] = self.scores[seat % sides]
        self.chance.state = arrays.words[word + CHANCE]
        if self.is_over(arrays, table):
            arrays.ended[table] = 2
            arrays.words[word + CHANCE] = self.chance.state
            self.open_match(arrays, table)
        else:
            self.deal(arrays, table)

    def is_over(self, arrays: "Arrays", table: int) -> bool:
        """Whether the match has ended with this round; then the places are paid out."""
        byte = table * BYTES
        most = 0
        holders = 0
        for side in range(self.sides):
            nuggets = arrays.bytes_[byte + NUGGETS + side]
            if nuggets > most:
                most = nuggets
                holders = 0
            holders += nuggets == most
        rounds = arrays.bytes_[byte + ROUNDS]
        if arrays.bytes_[byte + PLANNED] == 0:
            if not is_decided(self.is_cumulative, self.ends_at_two, rounds, most, holders):
                return False
            arrays.bytes_[byte + PLANNED] = rounds
        tied = self.rank(arrays, table)
        if tied > 1 and self.is_golden:
            if rounds < arrays.bytes_[byte + PLANNED] + GOLDEN_ROUNDS:
                return False
            self.draw_lot(tied)
            tied = 1
        for seat in range(self.players):
            share = self.keys[seat % self.sides]
            arrays.rewards[table * self.players + seat] = 1.0 / tied if share else 0.0
        return True

    def rank(self, arrays: "Arrays", table: int) -> int:
        """Mark in `keys` the sides that have the first place; how many they are."""
        word = table * WORDS
        byte = table * BYTES
        best = -1
        for side in range(self.sides):
            self.keys[side] = place_key(
                self.is_cumulative, arrays.bytes_[byte + NUGGETS + side], arrays.bytes_[byte + LAST_BID + side],
                arrays.words[word + TOTALS + side], arrays.bytes_[byte + EXACT + side],
            )  # fmt: skip
            if self.keys[side] > best:
                best = self.keys[side]
        tied = 0
        for side in range(self.sides):
            self.keys[side] = self.keys[side] == best
            tied += self.keys[side]
        return tied

    def draw_lot(self, tied: int) -> None:
        """One of those who share the first place has it alone."""
        skip = self.chance.below(tied)
        for side in range(self.sides):
            if self.keys[side]:
                self.keys[side] = skip == 0
                skip -= 1

    def show(self, arrays: "Arrays", table: int) -> None:
        """Write what the seat to act sees and may do."""
        byte = table * BYTES
        legal = self.round_.legal
        if self.round_.phase == CHANGE:
            if arrays.bytes_[byte + SPENT] < 0:
                legal &= GOLD_MASK | KEEP_BIT
            elif self.players == 4 and arrays.bytes_[byte + WHOSE] < 0:
                legal = OWN_OR_PARTNER
            else:
                legal &= METALS
        arrays.legal[table] = legal
        arrays.seats[table] = self.round_.turn
        for part in range(8):
            arrays.masks[table * 8 + part] = SPREAD[legal >> (8 * part) & 255]
        write_planes(self.round_, self.round_.turn, self.rules, arrays.words, table * WORDS, arrays.bytes_, byte,
                     arrays.planes, table * PLANES)  # fmt: skip
        if arrays.is_spread:
            self.spread(arrays, table)

    def spread(self, arrays: "Arrays", table: int) -> None:
        """The planes as a byte a bit."""
        for plane in range(PLANES):
            word = arrays.planes[table * PLANES + plane]
            for part in range(8):
                arrays.bits[(table * PLANES + plane) * 8 + part] = SPREAD[word >> (8 * part) & 255]

    def observe(self, arrays: "Arrays", table: int, seat: int) -> None:
        """Write what another seat of one table sees, in the place of what the seat to act does."""
        load_round(self.round_, arrays.words, table * WORDS, arrays.bytes_, table * BYTES)
        write_planes(self.round_, seat, self.rules, arrays.words, table * WORDS, arrays.bytes_, table * BYTES,
                     arrays.planes, table * PLANES)  # fmt: skip


class Arrays:
    """The memory of all tables, as the engine reads and writes it; made by Tables."""

    def __init__(self, views: "dict[str, Any]", is_spread: bool) -> None:
        self.is_spread = is_spread
        self.words: Any = memoryview(views["words"])
        self.bytes_: Any = memoryview(views["bytes"])
        self.actions: Any = memoryview(views["actions"])
        self.legal: Any = memoryview(views["legal"])
        self.masks: Any = memoryview(views["masks"])
        self.planes: Any = memoryview(views["planes"])
        self.bits: Any = memoryview(views["bits"])
        self.seats: Any = memoryview(views["seats"])
        self.rewards: Any = memoryview(views["rewards"])
        self.points: Any = memoryview(views["points"])
        self.ended: Any = memoryview(views["ended"])
