"""What is seen, as planes of 64 bits, one number each, and what is done: 64 actions in all.

A plane of cards has bit `card` as games/rules/cards.py numbers them: 0 to 49 base metals, 50 to 58 gold. Seats and
sides are counted clockwise from the seat that looks, which is 0; planes of seats that the table lacks are empty.
Tables write the same planes in planes.py; a test holds both together on every ruleset.

Action 0 to 49 lays or plays a base metal, or gives the card of a bid change; 50 to 58 plays or spends gold; 59 keeps
the bids, or stops the round; 60 + n says whose bid is changed, n places clockwise of the seat: its own (0) or its
partner's (2). A bid change is two or three steps, all else is one.
"""

from dataclasses import dataclass

import numpy as np

from games.rules.actions import BID_OF, CHANGE, KEEP, PLAY, action_text, swap_action
from games.rules.cards import ALL_METALS, GOLD, GOLD_MASK, THREE_PLAYER_METALS, cards_in
from games.rules.ruleset import EDITIONS
from games.rules.view import View

HAND = 0
KNOWN = 1
"""Four planes: cards that bid changes have put into a hand for all to see; the seat's own among them."""
BIDS = 5
"""Four planes: the bid card as it lies now; empty while it is secret or not laid."""
PLAYED = 9
"""Four planes: base metals a seat has played this round."""
TRICK = 13
"""Four planes: the card, base metal or gold, that a seat has in the trick on the table."""
GOLDS = 17
"""Four planes: a collection; bit 50 + rank for one of that rank, bit rank for a second one."""
SUPPLY = 21
"""As a collection; Gold 0 is left out, because it never comes back."""
OUT = 22
"""Base metals that nobody holds: set aside at four; Copper and tens at three."""
SIZES = 23
"""Bit 13 * seat + cards in hand."""
TRICKS = 24
"""Bit 16 * seat + tricks won, 15 for more."""
STATE = 25
"""Where the round stands: the bits below."""
MATCH = 26
"""Where the match stands and by which rules: the bits below."""
TOTALS = 27
"""Points of earlier rounds: 16 bits a side, as a binary number."""
PLANES = 28
BITS = 64 * PLANES

# Bits of STATE. The step is what is asked for: a bid; keep or spend gold; whose bid; which card; a card to play.
STEP = 0
TURN, LEADER, FIRST, LOWEST, HIGHEST = 5, 9, 13, 17, 21
LENGTH = 25
NUMBER = 29
"""The trick, from bit 29 for none to bit 45 for the sixteenth or later."""
SPENT = 50
"""Gold of rank 0 to 8 that has been chosen for a bid change, until its card is chosen too."""
OTHERS_BID = 60
"""It is the partner's bid that is being changed."""

# Bits of MATCH.
ROUND = 0
NUGGETS = 8
"""Four bits a side: for 0, 1, 2 and more nuggets."""
EDITION = 20
FOUR, ZERO_GOLD, CUMULATIVE, GOLDEN = 24, 25, 26, 27

BID_STEP, SPEND_STEP, WHOSE_STEP, CARD_STEP, PLAY_STEP = range(5)


def find_step(phase: int, players: int, spent: int, whose: int) -> int:
    """What is asked for; `spent` and `whose` are the gold and the place of the seat chosen so far, or -1."""
    if phase != CHANGE:
        return PLAY_STEP if phase == PLAY else BID_STEP
    if spent < 0:
        return SPEND_STEP
    return WHOSE_STEP if whose < 0 and players == 4 else CARD_STEP


def observe_view(view: View, spent: int = -1, whose: int = -1) -> np.ndarray:
    """The planes of a view, as 64-bit numbers; `spent` and `whose` while its seat is in the middle of a bid change."""
    planes = [0] * PLANES
    seats = [(view.seat + step) % view.players for step in range(view.players)]
    planes[HAND] = view.hand
    planes[SUPPLY] = view.supply & ~(1 << GOLD)
    planes[OUT] = view.set_aside if view.players == 4 else ALL_METALS & ~THREE_PLAYER_METALS
    played = _played_by(view)
    for place, seat in enumerate(seats):
        planes[KNOWN + place] = view.known[seat]
        planes[BIDS + place] = 1 << view.bids[seat] if view.bids[seat] >= 0 else 0
        planes[PLAYED + place] = played[seat]
        planes[GOLDS + place] = view.golds[seat]
        planes[SIZES] |= 1 << (13 * place + view.sizes[seat])
        planes[TRICKS] |= 1 << (16 * place + min(view.tricks[seat], 15))
    for step in range(view.trick_length):
        place = (view.leader + step - view.seat) % view.players
        planes[TRICK + place] = 1 << view.trick[step]
    planes[STATE] = _state_bits(view, spent, whose)
    planes[MATCH] = _match_bits(view)
    sides = view.ruleset.sides
    for place in range(sides):
        planes[TOTALS] |= view.totals[(view.seat + place) % sides] << (16 * place)
    return np.array(planes, dtype=np.uint64)


def _played_by(view: View) -> list[int]:
    """Base metals by seat, from the log; the first entries of a round are its bids."""
    played = [0] * view.players
    for entry in view.log[view.log_start + view.players : view.log_end]:
        if entry >> 2 < GOLD:
            played[entry & 3] |= 1 << (entry >> 2)
    return played


def _state_bits(view: View, spent: int, whose: int) -> int:
    def place(seat: int) -> int:
        return (seat - view.seat) % view.players

    bits = 1 << (STEP + find_step(view.phase, view.players, spent, whose))
    bits |= 1 << (LEADER + place(view.leader)) | 1 << (FIRST + place(view.first))
    bits |= 1 << (LENGTH + view.trick_length) | 1 << (NUMBER + min(view.trick_number, 16))
    if view.turn >= 0:
        bits |= 1 << (TURN + place(view.turn))
    if view.trick_length:
        bits |= 1 << (LOWEST + place(view.low_seat)) | 1 << (HIGHEST + place(view.high_seat))
    if spent >= 0:
        bits |= 1 << (SPENT + spent)
    return bits | 1 << OTHERS_BID if whose == 2 else bits


def _match_bits(view: View) -> int:
    ruleset = view.ruleset
    sides = ruleset.sides
    bits = 1 << (ROUND + min(view.round_count, 7))
    for place in range(sides):
        bits |= 1 << (NUGGETS + 4 * place + min(view.nuggets[(view.seat + place) % sides], 3))
    return bits | rules_bits(ruleset.edition, view.players, ruleset.zero_gold, ruleset.is_cumulative, ruleset.decider)


def rules_bits(edition: str, players: int, zero_gold: bool, is_cumulative: bool, decider: str) -> int:
    bits = 1 << (EDITION + EDITIONS.index(edition))
    bits |= (players == 4) << FOUR | zero_gold << ZERO_GOLD | is_cumulative << CUMULATIVE
    return bits | (decider == "golden_round") << GOLDEN


def unpack(planes: np.ndarray) -> np.ndarray:
    """Numbers of 64 bits as bits: the last axis grows from PLANES to BITS, bit 0 of plane 0 first."""
    return np.unpackbits(np.ascontiguousarray(planes, dtype="<u8").view(np.uint8), axis=-1, bitorder="little")


ACTIONS = 64


@dataclass
class Change:
    """A bid change that is being put together: the gold, and the place of the seat whose bid it is; -1 for not yet."""

    spent: int = -1
    whose: int = -1


def legal_mask(view: View, change: Change) -> int:
    """What may be done next, a bit an action; nothing for a seat that is not to act."""
    step = find_step(view.phase, view.players, change.spent, change.whose)
    if step == SPEND_STEP:
        return view.legal & (GOLD_MASK | 1 << KEEP)
    if step == WHOSE_STEP:
        return 1 << BID_OF | 1 << (BID_OF + 2)
    return view.legal & ALL_METALS if step == CARD_STEP else view.legal


def list_actions(view: View, change: Change) -> list[int]:
    return list(cards_in(legal_mask(view, change)))


def to_rules(view: View, change: Change, action: int) -> int | None:
    """The action of the rules that this one completes, or None where a bid change needs another step, noted in it."""
    if not 0 <= action < ACTIONS or not legal_mask(view, change) >> action & 1:
        raise ValueError(f"{action} is not legal now; legal are {list_actions(view, change)}.")
    step = find_step(view.phase, view.players, change.spent, change.whose)
    if step == SPEND_STEP and action != KEEP:
        change.spent = action - GOLD
        return None
    if step == WHOSE_STEP:
        change.whose = action - BID_OF
        return None
    if step != CARD_STEP:
        return action
    bid_of = (view.seat + max(change.whose, 0)) % view.players
    whole = swap_action(change.spent, bid_of, action)
    change.spent = change.whose = -1
    return whole


def to_text(view: View, change: Change, action: int) -> str | None:
    """The same as the text of the bot contract: `play B7`, `swap G0 2 Z4`; None where another step is needed."""
    whole = to_rules(view, change, action)
    return None if whole is None else action_text(view.phase, whole)


def from_rules(seat: int, players: int, action: int) -> list[int]:
    """The steps that make an action of the rules."""
    if action < ACTIONS:
        return [action]
    code = action - ACTIONS
    gold, bid_of, card = code // 200, code // 50 % 4, code % 50
    whose = [BID_OF + (bid_of - seat) % 4] if players == 4 else []
    return [GOLD + gold, *whose, card]
