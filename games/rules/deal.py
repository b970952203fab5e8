"""Dealing: from a 256-bit seed to the hands of a round, so that anybody can deal them again.

The stream of a label is HMAC-SHA256(seed, "aurum/deal/v1|label|block") for block 0, 1, 2…, read byte by byte.
Shuffling is Fisher-Yates from the top; a byte that would favour some cards is thrown away.
"""

import hashlib
import hmac
from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from games.rules.cards import HAND_SIZE, deck, mask_of

SEED_BYTES = 32
DEALING = "aurum/deal/v1"


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands of one round as masks by seat, and the cards left over."""

    hands: tuple[int, ...]
    set_aside: int


def check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"A seed has {SEED_BYTES} bytes ({2 * SEED_BYTES} hex digits), not {len(seed)}.")


def commitment(seed: bytes) -> str:
    """What is published before a match: the SHA-256 of its seed."""
    return hashlib.sha256(seed).hexdigest()


def derive_seed(seed: bytes, label: str) -> bytes:
    """A seed of its own for `label`; knowing it tells nothing about `seed` or about other labels."""
    return hmac.digest(seed, f"aurum/seed/v1|{label}".encode(), "sha256")


def keyed_bytes(seed: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, f"{DEALING}|{label}|{block}".encode(), "sha256")
        block += 1


# Bytes from this on would favour small numbers below the bound, so they are passed over.
LIMITS = (0, *(256 - 256 % bound for bound in range(1, 257)))


def draw_below(stream: Iterator[int], bound: int) -> int:
    """A number from 0 to bound - 1 (bound at most 256), each equally likely."""
    return next(byte for byte in stream if byte < LIMITS[bound]) % bound


def shuffle(stream: Iterator[int], items: MutableSequence[Any]) -> None:
    # draw_below, written out: calling it for every card would take a third of the time of a deal.
    left = len(items)
    if left < 2:
        return
    for byte in stream:
        if byte >= LIMITS[left]:
            continue
        other = byte % left
        left -= 1
        items[left], items[other] = items[other], items[left]
        if left == 1:
            return


def deal_round(seed: bytes, players: int, round_number: int) -> Deal:
    """Deal round `round_number` (1 is the first): 12 cards to each seat in turn, the rest set aside."""
    cards = list(deck(players))
    shuffle(keyed_bytes(seed, f"round {round_number}"), cards)
    hands = tuple(mask_of(cards[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]) for seat in range(players))
    return Deal(hands, mask_of(cards[players * HAND_SIZE :]))


def draw_first_seat(seed: bytes, players: int) -> int:
    """Who is first player in the first round."""
    return draw_below(keyed_bytes(seed, "first"), players)


def draw_lots(seed: bytes, sides: Sequence[int]) -> list[int]:
    """The given sides in an order decided by lots."""
    drawn = sorted(sides)
    shuffle(keyed_bytes(seed, "lots"), drawn)
    return drawn


class Deals(Protocol):
    """All that chance decides in a match: from a seed, or read from a record."""

    first_seat: int

    def deal(self, round_number: int) -> Deal: ...

    def draw_lots(self, sides: Sequence[int]) -> list[int]: ...


class SeedDeals:
    """The deals of a seed."""

    def __init__(self, seed: bytes, players: int) -> None:
        check_seed(seed)
        self.seed = seed
        self.players = players
        self.first_seat = draw_first_seat(seed, players)

    def deal(self, round_number: int) -> Deal:
        return deal_round(self.seed, self.players, round_number)

    def draw_lots(self, sides: Sequence[int]) -> list[int]:
        return draw_lots(self.seed, sides)
