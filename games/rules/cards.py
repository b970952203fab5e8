"""Cards as small ints, sets of cards as bit masks, and the letters people read.

A base metal is suit * 10 + rank - 1 (0 to 49, suits in the order B C P S Z); gold of rank g is 50 + g (50 to 58).
"""

from collections.abc import Iterable, Iterator
from functools import cache

SUIT_LETTERS = "BCPSZ"
GOLD_LETTER = "G"
METAL_NAMES = {"B": "Bismuth", "C": "Copper", "P": "Phosphorus", "S": "Silver", "Z": "Zinc", "G": "Gold"}

RANKS = 10
METALS = 50
GOLD = 50
GOLD_RANKS = 9
GOLD_COPIES = (4, 2, 2, 2, 1, 1, 1, 1, 1)
HAND_SIZE = 12

ALL_METALS = (1 << METALS) - 1
_COPPER = 0b1111111111 << 10
_TENS = sum(1 << (suit * RANKS + 9) for suit in range(5))
THREE_PLAYER_METALS = ALL_METALS & ~_COPPER & ~_TENS


@cache
def deck(players: int) -> tuple[int, ...]:
    """The base metals that are dealt, rising."""
    return tuple(cards_in(ALL_METALS if players == 4 else THREE_PLAYER_METALS))


def rank_of(card: int) -> int:
    """The printed rank of a base metal or of a gold card."""
    return card - GOLD if card >= GOLD else card % RANKS + 1


def card_name(card: int) -> str:
    if card >= GOLD:
        return f"{GOLD_LETTER}{card - GOLD}"
    return f"{SUIT_LETTERS[card // RANKS]}{card % RANKS + 1}"


CARD_NAMES = tuple(card_name(card) for card in range(GOLD + GOLD_RANKS))
CARD_BY_NAME = {name: card for card, name in enumerate(CARD_NAMES)}


def cards_in(mask: int) -> Iterator[int]:
    """The cards of a mask, rising."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cards: Iterable[int]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def names_in(mask: int) -> list[str]:
    names = []
    while mask:
        low = mask & -mask
        names.append(CARD_NAMES[low.bit_length() - 1])
        mask ^= low
    return names


# A gold collection is one int: bit 50 + rank says "at least one", bit rank says "two of them". Nobody can ever hold
# more: a Gold 0 never comes back out of the supply, and ranks 1 to 3 exist twice.
GOLD_MASK = 0b111111111 << GOLD


def gold_ranks(collection: int) -> list[int]:
    """Every gold card of a collection by its rank, rising, doubles twice."""
    return [
        rank for rank in range(GOLD_RANKS) for _ in range((collection >> (GOLD + rank) & 1) + (collection >> rank & 1))
    ]
