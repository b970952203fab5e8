"""Results as the standings see them: who sat where, what place each side took, who forfeited, what was not played."""

from dataclasses import dataclass
from enum import StrEnum


class ResultKind(StrEnum):
    """How a fixture ended for the standings; all but PLAYED carry entrants only."""

    PLAYED = "played"
    BYE = "bye"
    VOID = "void"
    UNPLAYED = "unplayed"


class ByeCredit(StrEnum):
    """What a bye is worth: the entrant's own mean (round robins) or a first place (Swiss)."""

    OWN_MEAN = "own_mean"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class TableResult:
    """One settled match, or one bye, void or unplayed fixture.

    `entrants` are in seat order: three individuals, two teams, or four individuals whose partners sit opposite. Places,
    nuggets, totals and exact bids are by side, and seat `i` belongs to side `i % len(places)`. Places start at 1 and
    may be shared; `forfeits` holds seat indices. `block` names matches on the same deals.
    """

    entrants: tuple[int, ...]
    places: tuple[int, ...] = ()
    nuggets: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    exact_bids: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()
    kind: ResultKind = ResultKind.PLAYED
    block: int | None = None
    first_seat: int = 0


@dataclass(frozen=True, slots=True)
class Scoring:
    """What places are worth at one kind of table, and what a bye is worth. Points are multiples of one half."""

    points: tuple[float, ...] = (2, 1, 0)
    bye: ByeCredit = ByeCredit.OWN_MEAN

    def __post_init__(self) -> None:
        if len(self.points) not in (2, 3):
            raise ValueError(f"points by place need two or three entries, not {len(self.points)}")
        if any(point * 2 != int(point * 2) for point in self.points):
            raise ValueError(f"points by place must be multiples of one half: {self.points}")
        if any(better < worse for better, worse in zip(self.points, self.points[1:], strict=False)):
            raise ValueError(f"a better place may not be worth less: {self.points}")
