"""A table as somebody may see it, typed: the one value that API, play page, watcher and replay are drawn from.

Its JSON is what `to_json` makes of it, and table_state.schema.json beside this file describes that JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from typing import Any

Cards = tuple[str, ...]
DEAL, BID_LAID, REVEAL, SWAP, PLAY, STOP, END = "deal", "bid", "reveal", "swap", "play", "stop", "end"


@dataclass(frozen=True, slots=True)
class BidChange:
    """Who paid which gold, whose bid it was, and what it became."""

    seat: int
    gold: int
    bid_of: int
    card: str


@dataclass(frozen=True, slots=True)
class TrickState:
    """Cards in the order of play from the leader; the last three are None while the trick is not complete."""

    leader: int
    bid_changes: tuple[BidChange, ...]
    plays: Cards
    winner: int | None
    gold_to: int | None
    gold: int | None


@dataclass(frozen=True, slots=True)
class ScoreState:
    bid: int
    tricks: int
    bid_points: int
    gold_points: int
    total: int


@dataclass(frozen=True, slots=True)
class RoundEnd:
    reason: str
    seat: int


@dataclass(frozen=True, slots=True)
class FinishedState:
    """A round that is over; `scores` and `winners` are by side, and `decided_by` names the step that gave the nugget:
    points, exact_bid, highest_gold, or each where every step left them tied."""

    first_seat: int
    set_aside: Cards
    bids: tuple[str | None, ...]
    tricks: tuple[TrickState, ...]
    end: RoundEnd
    shown: Cards
    scores: tuple[ScoreState, ...]
    winners: tuple[int, ...]
    decided_by: str


@dataclass(frozen=True, slots=True)
class RoundState:
    """What lies on the table; lists are by seat. `hands` holds every hand that is seen, None for one that is not."""

    number: int
    first_seat: int
    phase: str
    turn: int | None
    leader: int
    hand: Cards
    hands: tuple[Cards | None, ...]
    hand_sizes: tuple[int, ...]
    known_in_hand: tuple[Cards, ...]
    gold: tuple[Cards, ...]
    supply: Cards
    set_aside: Cards
    bids: tuple[str | None, ...]
    first_bids: tuple[str | None, ...]
    trick: Cards
    tricks_won: tuple[int, ...]
    tricks: tuple[TrickState, ...]

    @property
    def last_trick(self) -> TrickState | None:
        """The trick that lies on the table: the newest in which a card was played."""
        return next((trick for trick in reversed(self.tricks) if trick.plays), None)


@dataclass(frozen=True, slots=True)
class SeatView:
    """All that a seat (None: everybody) may know of a match; a match that is over has no round."""

    ruleset: Mapping[str, str | int | bool]
    seat: int | None
    nuggets: tuple[int, ...]
    totals: tuple[int, ...]
    history: tuple[FinishedState, ...]
    round: RoundState | None
    legal: tuple[str, ...]
    clocks: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that was seen to happen, and the table right after it, of which the last trick alone is told.

    Three players' bids are one happening, when they are turned over: `seat` is None then. `trick` is the trick that it
    completed. `result` is the round that it ended: that round still lies in `round`, though the next may be dealt.
    """

    kind: str
    seat: int | None
    card: str | None
    change: BidChange | None
    is_lead: bool
    trick: TrickState | None
    round: RoundState
    result: FinishedState | None


@dataclass(frozen=True, slots=True)
class SeatState:
    """`is_here` tells who has come to a table that waits for all its people, and means nothing once cards are dealt."""

    seat: int
    side: int
    player: str
    slug: str
    kind: str
    is_here: bool
    has_forfeited: bool


@dataclass(frozen=True, slots=True)
class BackAsked:
    """Whoever asks to take their last decision back, and the seats that agree, their own included."""

    seat: int
    agreed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableState:
    """A match and its seats. `view` is None where nothing may be shown: before the deal, or while deals are sealed.

    `counter` goes back with a decision, so that a stale one is refused; `places` is by side, once the match is over.
    `taken_back` counts decisions that were taken back by consent: where it has grown, the counter may be smaller.
    """

    match: int
    state: str
    ruleset: str
    is_rated: bool
    commitment: str
    seats: tuple[SeatState, ...]
    awaited: tuple[int, ...]
    deadline: datetime | None
    closes_at: datetime | None
    clock: Mapping[str, float] | None
    banks: Mapping[str, float]
    forfeits: tuple[int, ...]
    places: tuple[int, ...] | None
    counter: int
    taken_back: int
    asks_back: BackAsked | None
    view: SeatView | None
    happenings: tuple[Happening, ...] = ()

    @property
    def names(self) -> list[str]:
        return [seat.player for seat in self.seats]


def to_json(value: Any) -> Any:
    """The value as the schema describes it."""
    if is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [to_json(part) for part in value]
    return value.isoformat() if isinstance(value, datetime) else value
