"""Writes the planes of spaces.py straight from a table's memory. Compiles with planes.pxd.

It reads of a Round what the seat may see, and nothing else: its own hand, and what lies open.
"""

from games.learn.places import NUGGETS as NUGGETS_BYTE
from games.learn.places import OUT as OUT_WORD
from games.learn.places import PLAYED_BY, ROUNDS, SPENT, WHOSE
from games.learn.places import TOTALS as TOTALS_WORD
from games.rules.actions import BID, CHANGE, PLAY
from games.rules.round import Round

ONE = 1
NOT_ZERO_GOLD = ~(1 << 50) & 0xFFFFFFFFFFFFFFFF
OUT_AT_THREE = 0b1111111111 << 10 | 1 << 9 | 1 << 29 | 1 << 39 | 1 << 49
KNOWN, BIDS, PLAYED, TRICK, GOLDS, SUPPLY, OUT, SIZES, TRICKS, STATE, MATCH, TOTALS = (
    1, 5, 9, 13, 17, 21, 22, 23, 24, 25, 26, 27,
)  # fmt: skip


def write_planes(
    round_: Round, seat: int, rules: int, words: "list[int]", word: int, bytes_: "list[int]", byte: int,
    planes: "list[int]", start: int,
) -> None:  # fmt: skip
    players = round_.players
    is_secret = players == 3 and round_.phase == BID
    sizes = 0
    tricks = 0
    other = seat
    planes[start] = round_.hands[seat]
    for place in range(4):
        if place >= players:
            planes[start + KNOWN + place] = 0
            planes[start + BIDS + place] = 0
            planes[start + PLAYED + place] = 0
            planes[start + TRICK + place] = 0
            planes[start + GOLDS + place] = 0
            continue
        bid = round_.bids[other]
        planes[start + KNOWN + place] = round_.known[other]
        planes[start + BIDS + place] = ONE << bid if bid >= 0 and (place == 0 or not is_secret) else 0
        planes[start + PLAYED + place] = words[word + PLAYED_BY + other]
        planes[start + TRICK + place] = 0
        planes[start + GOLDS + place] = round_.golds[other]
        sizes |= ONE << (13 * place + round_.sizes[other])
        tricks |= ONE << (16 * place + (round_.tricks[other] if round_.tricks[other] < 15 else 15))
        other = other + 1 if other + 1 < players else 0
    other = find_place(round_.leader, seat, players)
    for step in range(round_.trick_length):
        planes[start + TRICK + other] = ONE << round_.trick[step]
        other = other + 1 if other + 1 < players else 0
    planes[start + SUPPLY] = round_.supply & NOT_ZERO_GOLD
    planes[start + OUT] = words[word + OUT_WORD] if players == 4 else OUT_AT_THREE
    planes[start + SIZES] = sizes
    planes[start + TRICKS] = tricks
    planes[start + STATE] = state_bits(round_, seat, bytes_[byte + SPENT], bytes_[byte + WHOSE])
    sides = 3 if players == 3 else 2
    side = seat % sides
    matched = rules | ONE << (bytes_[byte + ROUNDS] if bytes_[byte + ROUNDS] < 7 else 7)
    totals = 0
    for place in range(sides):
        nuggets = bytes_[byte + NUGGETS_BYTE + side]
        matched |= ONE << (8 + 4 * place + (nuggets if nuggets < 3 else 3))
        totals |= words[word + TOTALS_WORD + side] << (16 * place)
        side = side + 1 if side + 1 < sides else 0
    planes[start + MATCH] = matched
    planes[start + TOTALS] = totals


def find_place(seat: int, viewer: int, players: int) -> int:
    return seat - viewer if seat >= viewer else seat - viewer + players


def state_bits(round_: Round, seat: int, spent: int, whose: int) -> int:
    """The bits of STATE; a bid change that is being put together is the turn's own business."""
    players = round_.players
    turn = round_.turn
    step = 0
    if round_.phase == PLAY:
        step = 4
    elif round_.phase == CHANGE:
        if turn != seat:
            spent = -1
            whose = -1
        step = 1 if spent < 0 else 3
        if spent >= 0 and whose < 0 and players == 4:
            step = 2
    elif players == 3:
        turn = seat if round_.bids[seat] < 0 else -1
    number = round_.trick_number if round_.trick_number < 16 else 16
    bits = ONE << step | ONE << (25 + round_.trick_length) | ONE << (29 + number)
    bits |= ONE << (9 + find_place(round_.leader, seat, players)) | ONE << (
        13 + find_place(round_.first, seat, players)
    )
    if turn >= 0:
        bits |= ONE << (5 + find_place(turn, seat, players))
    if round_.trick_length > 0:
        bits |= ONE << (17 + find_place(round_.low_seat, seat, players))
        bits |= ONE << (21 + find_place(round_.high_seat, seat, players))
    if spent >= 0:
        bits |= ONE << (50 + spent)
    if whose == 2:
        bits |= ONE << 60
    return bits
