"""Counting a stage and its fixtures from what is known: the site and whoever checks its archive do these sums."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, repeat
from math import inf, isinf
from typing import Any

from games.rules.outcome import settle_places
from tournaments.rules.crosstable import estimate_points, student_reach
from tournaments.rules.formats import FORMATS, make_stage_format
from tournaments.rules.formats.format import Entry
from tournaments.rules.pairing import (
    HOUSE,
    EntrantId,
    TableKind,
    block_rotations,
    count_block_matches,
    order_by_lots,
    seat_fixture,
)
from tournaments.rules.ratings.listing import span_ranks
from tournaments.rules.ratings.values import Estimate
from tournaments.rules.standings import (
    METRICS,
    FixtureEnd,
    Metric,
    ResultTally,
    Scoring,
    StandingRow,
    TableResult,
    compute_standings,
    credit_points,
    credit_wins,
    tally_results,
)
from tournaments.rules.standings.results import UNITS


@dataclass(frozen=True, slots=True)
class StageSheet:
    """All of a stage that its counting depends on beside results; `entered` is each entrant's first matchday.

    `final_places` are pairs of entrant and place, where a bracket and not the standings decides them.
    """

    number: int
    kind: TableKind
    format: str
    options: Mapping[str, Any]
    points: tuple[float, ...]
    tiebreaks: tuple[str, ...]
    block_deals: int
    matches_each: int
    field: tuple[int, ...]
    entered: Mapping[int, int]
    final_places: tuple[tuple[int, int], ...] = ()

    @property
    def scoring(self) -> Scoring:
        """Points by place, and what a bye is worth in this format."""
        return Scoring(self.points, FORMATS[self.format].bye)

    @property
    def matches_a_fixture(self) -> int:
        """How many matches a fixture is made of: what a bye or a void stands for."""
        if not self.block_deals:
            return self.matches_each
        return count_block_matches(self.kind.seat(range(1, self.kind.entrants + 1)), self.block_deals)

    def split_field(self) -> list[tuple[str, list[int]]]:
        """Each division's name (`D1`, as in the slots of its fixtures) and entrants; one without a name elsewhere."""
        made = make_stage_format(self.format, self.kind, dict(self.options))
        if not made.has_divisions:
            return [("", list(self.field))]
        entries = [Entry(entrant, entered_on=self.entered[entrant]) for entrant in self.field]
        return [
            (f"D{number}", [entry.id for entry in division])
            for number, division in enumerate(made.split(entries), start=1)
        ]

    def label_match(self, matchday: int, table: int, number: int) -> str:
        """The text that leads from the tournament's seed to that of a match."""
        label = f"match {self.number} {matchday} {table}"
        if not self.block_deals:
            return f"{label} {number}"
        # Of an odd number of deals the last is played once more around, in the other direction.
        order = self.kind.seat(range(1, self.kind.entrants + 1))
        deals = [deal for deal, seatings in enumerate(block_rotations(order, self.block_deals), 1) for _ in seatings]
        return f"{label} deal {deals[number - 1]}"

    def label_lots(self, matchday: int, table: int) -> str:
        """What lots for a table of a bracket are drawn for, where it stayed level to the last."""
        return f"table {self.number} {matchday} {table}"

    def seat_entrants(self, entrants: Iterable[int], number: int, first_seat: int) -> list[int]:
        """Who holds each seat of a fixture's match, where the seed makes this seat the first player's."""
        order = seat_fixture(self.kind.seat(entrants), self.block_deals, self.matches_each)[number - 1]
        return [order[(seat - first_seat) % len(order)] for seat in range(len(order))]


def table_result(
    kind: TableKind,
    block: int,
    entrants: Sequence[int],
    places: Iterable[int],
    nuggets: Iterable[int],
    totals: Iterable[int],
    exact_bids: Iterable[int],
    forfeits: Sequence[int],
    first_seat: int,
) -> TableResult:
    """A match's columns by seat as a result; a fixed side is one entrant, and forfeits only if both its seats do."""
    if kind is TableKind.TEAMS4:
        entrants = entrants[:2]
        forfeits = [side for side in (0, 1) if side in forfeits and side + 2 in forfeits]
        first_seat %= 2
    return TableResult(
        tuple(entrants),
        tuple(places),
        tuple(nuggets),
        tuple(totals),
        tuple(exact_bids),
        tuple(forfeits),
        block=block,
        first_seat=first_seat,
    )


def unplayed_results(sheet: StageSheet, byes: Iterable[int], voids: Iterable[int]) -> Iterator[TableResult]:
    """What stands for the matches that were not played: of entrants who rested, and of those at void tables."""
    for kind, entrants in ((FixtureEnd.BYE, byes), (FixtureEnd.VOID, voids)):
        for entrant in entrants:
            yield from repeat(TableResult((entrant,), kind=kind), sheet.matches_a_fixture)


def count_fixture_points(sheet: StageSheet, entrants: Iterable[int], results: Sequence[TableResult]) -> list[float]:
    """What its matches gave each entrant of a fixture, in the order of its seats; a filling house bot's too."""
    tallies = tally_results(results, sheet.scoring)
    return [tallies.get(entrant, ResultTally()).points / UNITS for entrant in entrants]


def count_standings(sheet: StageSheet, results: list[TableResult], seed: bytes) -> list[dict[str, Any]]:
    """The rows of a stage's standings as they are stored, division by division."""
    rows: list[dict[str, Any]] = []
    for division, members in sheet.split_field():
        among = set(members)
        mine = results if not division else [one for one in results if among.intersection(one.entrants)]
        ranked = compute_standings(
            members,
            mine,
            sheet.scoring,
            tuple(METRICS[name] for name in sheet.tiebreaks),
            lots_seed=seed,
            lots_purpose=f"standings {sheet.number}",
        )
        rows += [_tell_row(row, division, sheet) for row in _without_house(ranked)]
    return _apply_final_places(rows, sheet) if sheet.final_places else rows


def _without_house(rows: tuple[StandingRow, ...]) -> list[StandingRow]:
    """A filling house bot holds no place: those below it move up."""
    house = next((row.place for row in rows if row.entrant == HOUSE), None)
    if house is None:
        return list(rows)
    return [replace(row, place=row.place - (row.place > house)) for row in rows if row.entrant != HOUSE]


def _tell_row(row: StandingRow, division: str, sheet: StageSheet) -> dict[str, Any]:
    decided = row.decided_by
    return {
        "place": row.place,
        "entrant": row.entrant,
        "division": division,
        "points": credit_points(row.tally, sheet.scoring),
        "wins": credit_wins(row.tally, sheet.scoring),
        "values": dict(zip(sheet.tiebreaks, row.values, strict=True)),
        "decided_by": decided
        and {
            "metric": decided.metric,
            "value": decided.value,
            "rival": decided.rival,
            "rival_value": decided.rival_value,
        },
        "tally": row.tally._asdict(),
    }


def _apply_final_places(rows: list[dict[str, Any]], sheet: StageSheet) -> list[dict[str, Any]]:
    """A bracket decides the places itself; the rest of each row stays as it was counted."""
    places = dict(sheet.final_places)
    for row in rows:
        row["place"] = places.get(row["entrant"], len(rows))
        row["decided_by"] = {"metric": "bracket"}
    return sorted(rows, key=lambda row: (row["place"], sheet.field.index(row["entrant"])))


@dataclass(frozen=True, slots=True)
class Certainty:
    """Mean points a match, half the width of its 95 % interval (None from one block alone), and the span of places."""

    mean: float
    reach: float | None
    best: int
    worst: int


def measure_certainty(sheet: StageSheet, results: Sequence[TableResult]) -> dict[int, Certainty]:
    """By entrant who played; seconds for a hundred thousand results, so it is stored with the standings."""
    estimates = widen_zeros(estimate_points(results, sheet.scoring))
    known: dict[int, Certainty] = {}
    for _, members in sheet.split_field():
        own = {entrant: estimates[entrant] for entrant in members if entrant in estimates}
        spans = span_ranks(own, is_zero_sum=True)
        for entrant, (best, worst) in spans.items():
            mean, error, freedom = estimates[entrant]
            reach = None if isinf(error) else float(student_reach(freedom)) * error
            known[entrant] = Certainty(mean, reach, best, worst)
    return known


def widen_zeros(estimates: dict[int, Estimate]) -> dict[int, Estimate]:
    """Results that never varied are not therefore certain: such an entrant gets the largest error of the others."""
    largest = max((one.se for one in estimates.values() if not isinf(one.se)), default=0.0) or inf
    return {entrant: one if one.se else one._replace(se=largest) for entrant, one in estimates.items()}


CHAIN = (Metric.MATCH_POINTS, Metric.WINS, Metric.TOTAL_SCORE, Metric.NUGGETS)


def place_entrants(entrants: Sequence[EntrantId], results: Sequence[TableResult], scoring: Scoring) -> tuple[int, ...]:
    """Places in the order of `entrants`, a filling house bot included; who is level over all matches shares one."""
    if len(results) == 1:
        result = results[0]
        settled = settle_places(result.places, result.forfeits, len(result.entrants))
        places = dict(zip(result.entrants, settled, strict=True))
    else:
        places = {row.entrant: row.place for row in compute_standings(entrants, results, scoring, CHAIN)}
    return tuple(places[entrant] for entrant in entrants)


def part_by_lots(entrants: Sequence[EntrantId], places: Sequence[int], seed: bytes, purpose: str) -> tuple[int, ...]:
    """The same places with those who share one put in an order by lots from the tournament's seed."""
    before = dict(zip(entrants, places, strict=True))
    ranked = sorted(order_by_lots(seed, purpose, entrants), key=lambda entrant: before[entrant])
    return tuple(ranked.index(entrant) + 1 for entrant in entrants)


def tell_lots(
    entrants: Sequence[EntrantId], before: Sequence[int], places: Sequence[int], purpose: str
) -> dict[str, Any]:
    """For whoever draws them again: what lots were drawn for, and those who were level before, best lot first."""
    ranked = sorted(zip(before, places, entrants, strict=True))
    groups = ([entrant for *_, entrant in group] for _, group in groupby(ranked, key=lambda row: row[0]))
    return {"for": purpose, "drawn": [group for group in groups if len(group) > 1]}
