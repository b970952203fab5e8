"""When a match is over, who has which place, and what forfeits do to the places that were played."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.rules.deal import Deals
from games.rules.ruleset import Ruleset
from games.rules.scoring import SideScore, is_decided, place_key

GOLDEN_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """What of a finished round counts for the match."""

    scores: tuple[SideScore, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    places: tuple[tuple[int, ...], ...]
    nuggets: tuple[int, ...]
    totals: tuple[int, ...]
    lots: bool

    def place_of(self, side: int) -> int:
        """1 is best; those who share a place have the same number, and the next one counts them all."""
        place = 1
        for group in self.places:
            if side in group:
                return place
            place += len(group)
        raise ValueError(f"no side {side}")


def count_nuggets(ruleset: Ruleset, rounds: Sequence[RoundOutcome]) -> tuple[int, ...]:
    nuggets = [0] * ruleset.sides
    for outcome in rounds:
        for side in outcome.winners:
            nuggets[side] += 1
    return tuple(nuggets)


def sum_totals(ruleset: Ruleset, rounds: Sequence[RoundOutcome]) -> tuple[int, ...]:
    return tuple(sum(outcome.scores[side].total for outcome in rounds) for side in range(ruleset.sides))


def rank_sides(ruleset: Ruleset, rounds: Sequence[RoundOutcome]) -> tuple[tuple[int, ...], ...]:
    """Sides grouped by place, best first."""
    nuggets = count_nuggets(ruleset, rounds)
    totals = sum_totals(ruleset, rounds)

    def key(side: int) -> int:
        last_bid = rounds[-1].scores[side].bid
        exact = sum(outcome.scores[side].is_exact for outcome in rounds)
        return place_key(ruleset.is_cumulative, nuggets[side], last_bid, totals[side], exact)

    keys = [key(side) for side in range(ruleset.sides)]
    return tuple(
        tuple(side for side in range(ruleset.sides) if keys[side] == best) for best in sorted(set(keys), reverse=True)
    )


def find_result(ruleset: Ruleset, rounds: Sequence[RoundOutcome], deals: Deals) -> Result | None:
    """The result of a match after these rounds, or None while another round is to be played."""
    planned = _count_planned_rounds(ruleset, rounds)
    if planned is None:
        return None
    places = rank_sides(ruleset, rounds)
    lots = False
    if len(places[0]) > 1 and ruleset.decider == "golden_round":
        if len(rounds) < planned + GOLDEN_ROUNDS:
            return None
        places = tuple((side,) for side in deals.draw_lots(places[0])) + places[1:]
        lots = True
    return Result(places, count_nuggets(ruleset, rounds), sum_totals(ruleset, rounds), lots)


def _count_planned_rounds(ruleset: Ruleset, rounds: Sequence[RoundOutcome]) -> int | None:
    """After which round the match was over, golden rounds apart; None where it is not."""
    for played in range(1, len(rounds) + 1):
        if _is_over(ruleset, rounds[:played]):
            return played
    return None


def _is_over(ruleset: Ruleset, rounds: Sequence[RoundOutcome]) -> bool:
    nuggets = count_nuggets(ruleset, rounds)
    most = max(nuggets)
    return is_decided(ruleset.is_cumulative, ruleset.ends_at_two_nuggets, len(rounds), most, nuggets.count(most))


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
