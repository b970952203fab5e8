"""A table ready to be drawn by templates/matches/table.html from what can be seen of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from games.play.table_state import RoundState, SeatState
from games.rules.cards import GOLD_RANKS, HAND_SIZE

PLACES = {3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
FACE_DOWN, EMPTY_PLACE = "back", "slot"


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """`tricks` and `target` are those of the side; `cards` is how many are in the hand."""

    at: str
    name: str
    kind: str
    bid: str
    target: int | None
    tricks: int
    gold: Sequence[int]
    nuggets: int
    cards: int
    is_awaited: bool


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """`hand` is that of the seat at the bottom, `hands` those of others that are seen, as (name, cards)."""

    players: int
    seats: list[DrawnSeat]
    plays: list[tuple[str, str]]
    winner: str
    gold_to: str
    supply: Sequence[tuple[int, int]]
    set_aside: Sequence[str]
    hand: Sequence[str]
    hand_name: str
    hands: list[tuple[str, Sequence[str]]]


def place_seats(players: int, bottom: int) -> list[str]:
    """Where each seat sits, seen from the one at the bottom: the next seat clockwise is at its left."""
    places = PLACES[players]
    return [places[(seat - bottom) % players] for seat in range(players)]


def draw_table(
    seats: Sequence[SeatState],
    round_: RoundState,
    nuggets: Sequence[int],
    *,
    bottom: int = 0,
    awaited: Sequence[int] = (),
) -> DrawnTable:
    """A round with the seat `bottom` nearest; hands that are not seen are left out."""
    at = place_seats(len(seats), bottom)
    trick = round_.last_trick
    plays = [] if trick is None else list(trick.plays)
    leader = trick.leader if trick else 0
    is_complete = trick is not None and trick.winner is not None
    hand = round_.hands[bottom]
    return DrawnTable(
        players=len(seats),
        seats=[_draw_seat(seats, round_, nuggets, seat, at[seat.seat], seat.seat in awaited) for seat in seats],
        plays=[(at[(leader + order) % len(seats)], card) for order, card in enumerate(plays)],
        winner=at[trick.winner] if trick and is_complete and trick.winner is not None else "",
        gold_to=at[trick.gold_to] if trick and is_complete and trick.gold_to is not None else "",
        supply=count_supply(len(seats), round_),
        set_aside=round_.set_aside,
        hand=hand or (),
        hand_name="" if hand is None else seats[bottom].player,
        hands=[
            (seats[seat].player, cards)
            for seat, cards in enumerate(round_.hands)
            if cards is not None and seat != bottom
        ],
    )


def _draw_seat(
    seats: Sequence[SeatState], round_: RoundState, nuggets: Sequence[int], seat: SeatState, at: str, is_awaited: bool
) -> DrawnSeat:
    partners = [other.seat for other in seats if other.side == seat.side]
    bids = [int(bid[1:]) for other in partners if (bid := round_.bids[other]) is not None]
    is_laid = round_.phase == "bid" and round_.hand_sizes[seat.seat] < HAND_SIZE
    return DrawnSeat(
        at=at,
        name=seat.player,
        kind=seat.kind,
        bid=round_.bids[seat.seat] or (FACE_DOWN if is_laid else EMPTY_PLACE),
        target=max(bids, default=None),
        tricks=sum(round_.tricks_won[other] for other in partners),
        gold=[int(card[1:]) for card in round_.gold[seat.seat]],
        nuggets=nuggets[seat.side],
        cards=round_.hand_sizes[seat.seat],
        is_awaited=is_awaited,
    )


def count_supply(players: int, round_: RoundState) -> tuple[tuple[int, int], ...]:
    """(rank, how many lie in the supply) for each rank of the game; without zeros there is no Gold 0 anywhere."""
    counts = Counter(int(card[1:]) for card in round_.supply)
    has_zeros = counts[0] > 0 or any("G0" in collection for collection in round_.gold)
    return tuple(
        (rank, counts[rank]) for rank in range(0 if has_zeros else 1, GOLD_RANKS if players == 4 else GOLD_RANKS - 1)
    )
