"""A table ready to be drawn by templates/matches/table.html: from a step of a replay, or from what a watcher sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.models import MatchSeat
from games.rules.ruleset import Ruleset
from games.selectors.replays import Position, count_supply

PLACES = {3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
FACE_DOWN, EMPTY_PLACE = "back", "slot"
NO_TRICK: dict[str, Any] = {"leader": 0, "plays": [], "winner": None, "gold_to": None}


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


def side_target(ruleset: Ruleset, bids: Sequence[str | None], seat: int) -> int | None:
    """The higher bid of the seat's side as far as it can be seen; None where nothing can."""
    seen = [bid for bid in bids[seat % ruleset.sides :: ruleset.sides] if bid is not None]
    return max((int(bid[1:]) for bid in seen), default=None)


def draw_position(
    ruleset: Ruleset, held: Sequence[MatchSeat], position: Position, nuggets: Sequence[int], seat: int | None
) -> DrawnTable:
    """A step as this seat saw it, or with every card open for None."""
    at = place_seats(position.players, seat or 0)
    bids = _seen_bids(position, seat)
    seats = [
        DrawnSeat(
            at=at[other],
            name=held[other].player.name,
            kind=held[other].player.kind,
            bid=bids[other] or (EMPTY_PLACE if position.bids[other] is None else FACE_DOWN),
            target=side_target(ruleset, bids, other),
            tricks=sum(position.tricks[other % ruleset.sides :: ruleset.sides]),
            gold=position.golds[other],
            nuggets=nuggets[other % ruleset.sides],
            cards=len(position.hands[other]),
            is_awaited=False,
        )
        for other in range(position.players)
    ]
    shown = {seat} if seat is not None else set(range(position.players))
    if position.end_reason and position.seat is not None:
        shown.add(position.seat)
    bottom = seat or 0
    return DrawnTable(
        players=position.players,
        seats=seats,
        plays=[(at[other], card) for other, card in position.plays],
        winner="" if position.winner is None else at[position.winner],
        gold_to="" if position.gold_to is None else at[position.gold_to],
        supply=position.supply,
        set_aside=position.set_aside,
        hand=position.hands[bottom],
        hand_name=held[bottom].player.name,
        hands=[(held[other].player.name, position.hands[other]) for other in sorted(shown - {bottom})],
    )


def _seen_bids(position: Position, seat: int | None) -> list[str | None]:
    is_all_seen = seat is None or position.are_bids_open
    return [bid if is_all_seen or other == seat else None for other, bid in enumerate(position.bids)]


def draw_watched(ruleset: Ruleset, table: dict[str, Any]) -> DrawnTable | None:
    """A running match as everybody may see it; None between its end and the page's next look."""
    seen = table["view"]["round"] if table["view"] else None
    if seen is None:
        return None
    players = ruleset.players
    at = place_seats(players, 0)
    golds = [[int(card[1:]) for card in cards] for cards in seen["gold"]]
    seats = [
        DrawnSeat(
            at=at[seat],
            name=table["seats"][seat]["player"],
            kind=table["seats"][seat]["kind"],
            bid=seen["bids"][seat] or (FACE_DOWN if seen["hand_sizes"][seat] < 12 else EMPTY_PLACE),
            target=side_target(ruleset, seen["bids"], seat),
            tricks=sum(seen["tricks_won"][seat % ruleset.sides :: ruleset.sides]),
            gold=golds[seat],
            nuggets=table["view"]["nuggets"][seat % ruleset.sides],
            cards=seen["hand_sizes"][seat],
            is_awaited=seat in table["awaited"],
        )
        for seat in range(players)
    ]
    trick: dict[str, Any] = seen["tricks"][-1] if seen["tricks"] else NO_TRICK
    is_open = trick["winner"] is None
    in_trick = [int(card[1:]) for card in trick["plays"] if is_open and card[0] == "G"]
    return DrawnTable(
        players=players,
        seats=seats,
        plays=[(at[(trick["leader"] + order) % players], card) for order, card in enumerate(trick["plays"])],
        winner="" if is_open else at[trick["winner"]],
        gold_to="" if is_open else at[trick["gold_to"]],
        supply=count_supply(ruleset, golds, in_trick),
        set_aside=seen["set_aside"],
        hand=(),
        hand_name="",
        hands=[],
    )
