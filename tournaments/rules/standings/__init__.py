"""Standings: results add up to tallies, a chain of metrics orders them, and every row says why it stands there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.rules.standings.metrics import (
    DEFAULT_CHAIN,
    LATE_CHAIN,
    METRICS,
    Field,
    Metric,
    credit_points,
    credit_wins,
)
from tournaments.rules.standings.results import (
    ByeCredit,
    FixtureEnd,
    Meetings,
    ResultTally,
    Scoring,
    TableResult,
    add_tallies,
    tally_results,
)

__all__ = [
    "DEFAULT_CHAIN",
    "LATE_CHAIN",
    "METRICS",
    "ByeCredit",
    "Decision",
    "FixtureEnd",
    "Meetings",
    "Metric",
    "ResultTally",
    "Scoring",
    "StandingRow",
    "TableResult",
    "add_tallies",
    "compute_standings",
    "credit_points",
    "credit_wins",
    "find_level_title",
    "rank_tallies",
    "tally_results",
]


@dataclass(frozen=True, slots=True)
class Decision:
    """Why a row is not level with a neighbour: the metric that parted them, and both values."""

    metric: Metric
    value: float
    rival: int
    rival_value: float


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entrant's place. `values` follows the chain; None where a tie never came down to that metric.

    `decided_by` is the comparison with the neighbour, above or below, that took the chain longest; None if all share
    one place.
    """

    place: int
    entrant: int
    values: tuple[float | None, ...]
    decided_by: Decision | None
    tally: ResultTally


@dataclass(frozen=True, slots=True)
class _Ranked:
    entrant: int
    values: tuple[float | None, ...]


def compute_standings(
    entrants: Iterable[int],
    results: Sequence[TableResult],
    scoring: Scoring,
    chain: Sequence[Metric] = DEFAULT_CHAIN,
    *,
    lots_seed: bytes = b"",
    lots_purpose: str = "standings",
) -> tuple[StandingRow, ...]:
    """Standings from results alone; an entrant without a result is listed too."""
    tallies = {entrant: ResultTally() for entrant in entrants} | tally_results(results, scoring)
    return rank_tallies(
        tallies,
        lambda: Meetings.from_results(results),
        scoring,
        chain,
        lots_seed=lots_seed,
        lots_purpose=lots_purpose,
    )


def rank_tallies(
    tallies: Mapping[int, ResultTally],
    load_meetings: Callable[[], Meetings],
    scoring: Scoring,
    chain: Sequence[Metric] = DEFAULT_CHAIN,
    *,
    lots_seed: bytes = b"",
    lots_purpose: str = "standings",
) -> tuple[StandingRow, ...]:
    """Standings from stored sums. `load_meetings` is called at most once, and only if a tie comes down to them."""
    field = Field(tallies, load_meetings, scoring, lots_seed, lots_purpose)
    groups = [[_Ranked(entrant, ()) for entrant in field.entrants]] if field.entrants else []
    for metric in chain:
        if all(len(group) == 1 for group in groups):
            break
        groups = [part for group in groups for part in _split_group(field, metric, group)]
    return tuple(_number_rows(groups, chain, tallies))


def _split_group(field: Field, metric: Metric, group: list[_Ranked]) -> list[list[_Ranked]]:
    if len(group) == 1:
        return [group]
    measured = field.measure(metric, [row.entrant for row in group])
    if measured is None:
        return [[_Ranked(row.entrant, (*row.values, None)) for row in group]]
    sign = 1 if metric.is_less_better else -1
    ordered = sorted(group, key=lambda row: sign * measured[row.entrant])
    return [
        [_Ranked(row.entrant, (*row.values, value)) for row in part]
        for value, part in groupby(ordered, key=lambda row: measured[row.entrant])
    ]


def _number_rows(
    groups: list[list[_Ranked]], chain: Sequence[Metric], tallies: Mapping[int, ResultTally]
) -> Iterable[StandingRow]:
    place = 1
    for index, group in enumerate(groups):
        neighbours = [groups[near][0] for near in (index - 1, index + 1) if 0 <= near < len(groups)]
        for row in group:
            values = row.values + (None,) * (len(chain) - len(row.values))
            yield StandingRow(place, row.entrant, values, _decide(row, neighbours, chain), tallies[row.entrant])
        place += len(group)


def _decide(row: _Ranked, neighbours: Iterable[_Ranked], chain: Sequence[Metric]) -> Decision | None:
    decisions = [_compare(row, neighbour) for neighbour in neighbours]
    if not decisions:
        return None
    depth, rival, value, rival_value = max(decisions, key=lambda decision: decision[0])
    return Decision(chain[depth], value, rival, rival_value)


def _compare(row: _Ranked, neighbour: _Ranked) -> tuple[int, int, float, float]:
    """How deep in the chain the two first differ, the neighbour, and both values there."""
    for depth, (mine, theirs) in enumerate(zip(row.values, neighbour.values, strict=False)):
        if mine is not None and theirs is not None and mine != theirs:
            return depth, neighbour.entrant, mine, theirs
    raise AssertionError("rows with different places differ in a metric of the chain")


def find_level_title(rows: Sequence[StandingRow]) -> tuple[int, ...]:
    """Who must play off for the title: those level in all but lots, or sharing the first place; empty if it is won."""
    if not rows:
        return ()
    first = rows[0]
    level = [row.entrant for row in rows if row.place == 1]
    if len(level) > 1:
        return tuple(level)
    if first.decided_by is None or first.decided_by.metric is not Metric.LOTS:
        return ()
    parted_by_lots = [first.entrant]
    for row in rows[1:]:
        if not _differ_by_lots_alone(first, row):
            break
        parted_by_lots.append(row.entrant)
    return tuple(parted_by_lots) if len(parted_by_lots) > 1 else ()


def _differ_by_lots_alone(first: StandingRow, row: StandingRow) -> bool:
    """Whether all values but the one that parted them are the same."""
    parted = [mine != theirs for mine, theirs in zip(first.values, row.values, strict=True)]
    decided = row.decided_by
    return decided is not None and decided.metric is Metric.LOTS and sum(parted) == 1
