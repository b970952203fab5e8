"""In which pool a settled match is rated, and as what table: individuals, and at four players fixed sides too."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tournaments.rules.ratings.values import RatedTable


class PoolKey(NamedTuple):
    """What a pool is known by; `entry_kind` is bots, people or mixed."""

    players: int
    is_teams: bool
    entry_kind: str


class RatedMatch(NamedTuple):
    """A settled match as far as ratings care: players and persons by seat, places by side, forfeits by seat.

    `teams` holds by side the player that the side is rated as, 0 where its two players only met for this table.
    `share` is how much of the match counts, and `early` the seats forfeited before its first round had ended.
    """

    id: int
    players: tuple[int, ...]
    is_person: tuple[bool, ...]
    places: tuple[int, ...]
    forfeits: tuple[int, ...] = ()
    teams: tuple[int, int] = (0, 0)
    share: float = 1.0
    early: tuple[int, ...] = ()


def pool_tables(match: RatedMatch) -> Iterator[tuple[PoolKey, RatedTable]]:
    """The tables to be rated, each with its pool; none where a player held seats that cannot be told apart."""
    kind = _entry_kind(match.is_person)
    seats = len(match.players)
    if len(set(match.players)) == seats:
        yield PoolKey(seats, False, kind), _table_of(match, _individual_sides(match.players, len(match.places)))
    if seats == 4:
        units = _side_units(match)
        if all(units) and units[0] != units[1]:
            yield PoolKey(seats, True, kind), _table_of(match, tuple((unit,) for unit in units))


def _entry_kind(is_person: Sequence[bool]) -> str:
    if all(is_person):
        return "people"
    return "mixed" if any(is_person) else "bots"


def _individual_sides(players: Sequence[int], sides: int) -> tuple[tuple[int, ...], ...]:
    """Seats `i` and `i + sides` are partners."""
    if sides == len(players):
        return tuple(zip(players, strict=True))
    return tuple(zip(*(players[start : start + sides] for start in range(0, len(players), sides)), strict=False))


def _side_units(match: RatedMatch) -> list[int]:
    """By side: its team, or the one player who held both its seats, or 0."""
    return [
        team or (match.players[side] if match.players[side] == match.players[side + 2] else 0)
        for side, team in enumerate(match.teams)
    ]


def _table_of(match: RatedMatch, sides: tuple[tuple[int, ...], ...]) -> RatedTable:
    """Seat `i` is of side `i % sides`. A unit of two counts as a person, or forfeits, if one of its seats does."""
    count = len(sides)
    if not match.forfeits and not any(match.is_person):
        return RatedTable(sides, match.places, share=match.share)
    holders = [
        side[seat // count] if len(side) > 1 else side[0]
        for seat, side in ((seat, sides[seat % count]) for seat in range(len(match.players)))
    ]
    return RatedTable(
        sides,
        match.places,
        frozenset(holders[seat] for seat in match.forfeits),
        frozenset(holder for holder, is_person in zip(holders, match.is_person, strict=True) if is_person),
        share=match.share,
        early=frozenset(holders[seat] for seat in match.early if any(match.is_person)),
    )
