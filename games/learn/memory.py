"""From a table's memory into a Round and back.

Compiles with memory.pxd.
"""

from games.learn.places import (
    ASKED,
    BIDS,
    BLOCKED,
    CLOSED,
    FIRST,
    GOLDS,
    HANDS,
    HIGH_RANK,
    HIGH_SEAT,
    KNOWN,
    LAID,
    LEADER,
    LEGAL,
    LENGTH,
    LOW_RANK,
    LOW_SEAT,
    NUMBER,
    PHASE,
    PLAYED,
    SIZES,
    SUPPLY,
    TRICK,
    TRICKS,
    TURN,
)  # fmt: skip
from games.rules.round import Round


def load_round(round_: Round, words: "list[int]", word: int, bytes_: "list[int]", byte: int) -> None:
    """Make the scratch round the one that is kept here; how the last trick and the round ended is not."""
    for seat in range(round_.players):
        round_.hands[seat] = words[word + HANDS + seat]
        round_.golds[seat] = words[word + GOLDS + seat]
        round_.known[seat] = words[word + KNOWN + seat]
        round_.sizes[seat] = bytes_[byte + SIZES + seat]
        round_.bids[seat] = bytes_[byte + BIDS + seat]
        round_.tricks[seat] = bytes_[byte + TRICKS + seat]
        round_.trick[seat] = bytes_[byte + TRICK + seat]
    round_.supply = words[word + SUPPLY]
    round_.played = words[word + PLAYED]
    round_.blocked = words[word + BLOCKED]
    round_.legal = words[word + LEGAL]
    round_.phase = bytes_[byte + PHASE]
    round_.turn = bytes_[byte + TURN]
    round_.leader = bytes_[byte + LEADER]
    round_.asked = bytes_[byte + ASKED]
    round_.trick_number = bytes_[byte + NUMBER]
    round_.trick_length = bytes_[byte + LENGTH]
    round_.low_rank = bytes_[byte + LOW_RANK]
    round_.low_seat = bytes_[byte + LOW_SEAT]
    round_.high_rank = bytes_[byte + HIGH_RANK]
    round_.high_seat = bytes_[byte + HIGH_SEAT]
    round_.first = bytes_[byte + FIRST]
    round_.bids_laid = bytes_[byte + LAID]
    round_.closed = bytes_[byte + CLOSED]


def store_round(round_: Round, words: "list[int]", word: int, bytes_: "list[int]", byte: int) -> None:
    for seat in range(round_.players):
        words[word + HANDS + seat] = round_.hands[seat]
        words[word + GOLDS + seat] = round_.golds[seat]
        words[word + KNOWN + seat] = round_.known[seat]
        bytes_[byte + SIZES + seat] = round_.sizes[seat]
        bytes_[byte + BIDS + seat] = round_.bids[seat]
        bytes_[byte + TRICKS + seat] = round_.tricks[seat]
        bytes_[byte + TRICK + seat] = round_.trick[seat]
    words[word + SUPPLY] = round_.supply
    words[word + PLAYED] = round_.played
    words[word + BLOCKED] = round_.blocked
    words[word + LEGAL] = round_.legal
    bytes_[byte + PHASE] = round_.phase
    bytes_[byte + TURN] = round_.turn
    bytes_[byte + LEADER] = round_.leader
    bytes_[byte + ASKED] = round_.asked
    bytes_[byte + NUMBER] = round_.trick_number
    bytes_[byte + LENGTH] = round_.trick_length
    bytes_[byte + LOW_RANK] = round_.low_rank
    bytes_[byte + LOW_SEAT] = round_.low_seat
    bytes_[byte + HIGH_RANK] = round_.high_rank
    bytes_[byte + HIGH_SEAT] = round_.high_seat
    bytes_[byte + FIRST] = round_.first
    bytes_[byte + LAID] = round_.bids_laid
    bytes_[byte + CLOSED] = round_.closed
