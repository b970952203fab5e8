"""What forfeits do to the places that were played: the one place that decides it, for whoever counts or shows them."""

from collections.abc import Sequence
from functools import lru_cache

SEATS_OF_SIDES = {2: 4, 3: 3}


@lru_cache(maxsize=4096)
def settle_places(places: tuple[int, ...], forfeits: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """The place of every seat once forfeits count: a seat that forfeits is last, the sides it leaves behind move up.

    A side is out only if all its seats forfeit: a partner who stayed keeps the side's place.
    """
    sides = len(places)
    live = sorted(places[side] for side in range(sides) if not _is_side_out(side, sides, forfeits, seats))
    return tuple(sides if seat in forfeits else 1 + live.index(places[seat % sides]) for seat in range(seats))


def count_places(places: Sequence[int], forfeits: Sequence[int]) -> list[int]:
    """The place of every side once forfeits count; a partner who stayed keeps the side's place."""
    sides = len(places)
    seats = SEATS_OF_SIDES[sides]
    settled = settle_places(tuple(places), tuple(forfeits), seats)
    return [min(settled[side::sides]) for side in range(sides)]


def count_seat_places(places: Sequence[int], forfeits: Sequence[int]) -> list[int]:
    """The same by seat: who forfeits is last, whatever a partner does."""
    return list(settle_places(tuple(places), tuple(forfeits), SEATS_OF_SIDES[len(places)]))


def _is_side_out(side: int, sides: int, forfeits: Sequence[int], seats: int) -> bool:
    return all(seat in forfeits for seat in range(side, seats, sides))
