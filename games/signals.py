"""What the games app announces to apps above it."""

from dataclasses import dataclass
from typing import NamedTuple

from django.dispatch import Signal

from games.play.agents import AgentRef
from games.play.table import Summary


class SettledSeat(NamedTuple):
    seat: int
    side: int
    player: int
    agent: AgentRef
    is_person: bool


@dataclass(frozen=True, slots=True)
class SettledMatch:
    """A match that has just ended, as those who count it need to know it."""

    id: int
    kind: str
    ruleset: str
    players: int
    is_rated: bool
    deals: str
    seats: tuple[SettledSeat, ...]
    summary: Summary


matches_settled = Signal()
"""Sent inside the settling transaction with `matches`, a tuple of SettledMatch; an error in one undoes it all."""

matches_troubled = Signal()
"""Sent inside the transaction that quarantines matches, with `match_ids`."""

match_moved = Signal()
"""Sent after commit when a match that somebody watches or waits for has moved on, with `match_id`, its `agents`, and
`version`: how many actions it has now, and one more when it is over."""

players_left = Signal()
"""Sent after the commit by which players are gone for good, with `players`, their ids."""
