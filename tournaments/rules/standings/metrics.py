"""The metrics an organiser may chain: each gives every entrant of a field one number."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import cached_property

import numpy as np

from tournaments.rules.lots import draw_lot
from tournaments.rules.standings.meetings import (
    FloatArray,
    Meetings,
    beaten_points,
    head_to_head,
    opponents_points,
    weakest_table,
)
from tournaments.rules.standings.results import ByeCredit, Scoring
from tournaments.rules.standings.tally import UNITS, Tally

PRECISION = 9
"""Decimals kept: equal fractions summed in another order must stay equal."""


class Metric(StrEnum):
    """A way to order entrants. More is better, except for forfeits."""

    MATCH_POINTS = "match_points"
    WINS = "wins"
    NUGGETS = "nuggets"
    TOTAL_SCORE = "total_score"
    SCORE_DIFFERENCE = "score_difference"
    HEAD_TO_HEAD = "head_to_head"
    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT1 = "buchholz_cut1"
    SONNEBORN_BERGER = "sonneborn_berger"
    EXACT_BIDS = "exact_bids"
    FEWER_FORFEITS = "fewer_forfeits"
    LOTS = "lots"


DEFAULT_CHAIN = (
    Metric.MATCH_POINTS,
    Metric.WINS,
    Metric.TOTAL_SCORE,
    Metric.NUGGETS,
    Metric.HEAD_TO_HEAD,
    Metric.BUCHHOLZ,
    Metric.SONNEBORN_BERGER,
    Metric.EXACT_BIDS,
    Metric.LOTS,
)


def credit_points(tally: Tally, scoring: Scoring) -> float:
    """Match points with what byes are worth."""
    return _with_byes(tally, tally.points, scoring.points[0], scoring.bye)


def credit_wins(tally: Tally, scoring: Scoring) -> float:
    """Wins with what byes are worth."""
    return _with_byes(tally, tally.wins, 1, scoring.bye)


def _with_byes(tally: Tally, earned: int, first_place: float, bye: ByeCredit) -> float:
    if bye is ByeCredit.WIN:
        return round(earned / UNITS + tally.byes * first_place, PRECISION)
    return round(earned * (tally.played + tally.byes) / (UNITS * max(tally.played, 1)), PRECISION)


class Field:
    """The entrants of a stage with their sums: computes each metric when it is first asked for."""

    def __init__(
        self,
        tallies: Mapping[int, Tally],
        load_meetings: Callable[[], Meetings],
        scoring: Scoring,
        lots_seed: bytes,
        lots_purpose: str,
    ) -> None:
        self.entrants = sorted(tallies)
        self.tallies = tallies
        self._load_meetings = load_meetings
        self._scoring = scoring
        self._lots = (lots_seed, lots_purpose)

    def measure(self, metric: Metric, group: Iterable[int]) -> dict[int, float] | None:
        """The value of each member of a tied group; None where the metric cannot part this group."""
        if metric is Metric.HEAD_TO_HEAD:
            return head_to_head(self.meetings, tuple(group))
        if metric is Metric.LOTS:
            return {entrant: draw_lot(*self._lots, entrant) for entrant in group}
        if metric in _OPPOSITION and not self._own[metric]:
            self._own[metric] = self._measure_opposition(metric)
        values = self._own[metric]
        return {entrant: values[entrant] for entrant in group}

    @cached_property
    def meetings(self) -> Meetings:
        """Loaded only when a tie comes down to them."""
        return self._load_meetings()

    @cached_property
    def _own(self) -> dict[Metric, dict[int, float]]:
        measured: dict[Metric, dict[int, float]] = {metric: {} for metric in Metric}
        for entrant, tally in self.tallies.items():
            for metric, value in self._measure_tally(tally).items():
                measured[metric][entrant] = value
        return measured

    def _measure_tally(self, tally: Tally) -> dict[Metric, float]:
        matches = max(tally.played, 1)
        return {
            Metric.MATCH_POINTS: credit_points(tally, self._scoring),
            Metric.WINS: credit_wins(tally, self._scoring),
            Metric.NUGGETS: round(tally.nuggets / matches, PRECISION),
            Metric.TOTAL_SCORE: round(tally.total_score / matches, PRECISION),
            Metric.SCORE_DIFFERENCE: round(tally.difference / (UNITS * matches), PRECISION),
            Metric.EXACT_BIDS: round(tally.exact_bids / matches, PRECISION),
            Metric.FEWER_FORFEITS: tally.forfeits,
        }

    def _measure_opposition(self, metric: Metric) -> dict[int, float]:
        entrants = np.array(self.entrants, dtype=np.int64)
        points = np.array([self._own[Metric.MATCH_POINTS][entrant] for entrant in self.entrants])
        # FIDE's virtual opponent: what was not played counts as a table of opponents with the entrant's own points.
        missed = np.array([self.tallies[entrant].byes + self.tallies[entrant].voids for entrant in self.entrants])
        virtual = self.meetings.opponents * points
        if metric is Metric.SONNEBORN_BERGER:
            return self._by_entrant(beaten_points(self.meetings, entrants, points) + missed * virtual / 2)
        buchholz = opponents_points(self.meetings, entrants, points) + missed * virtual
        if metric is Metric.BUCHHOLZ:
            return self._by_entrant(buchholz)
        lowest = np.minimum(weakest_table(self.meetings, entrants, points), np.where(missed > 0, virtual, np.inf))
        return self._by_entrant(buchholz - np.where(np.isinf(lowest), 0, lowest))

    def _by_entrant(self, values: FloatArray) -> dict[int, float]:
        return dict(zip(self.entrants, np.round(values, PRECISION).tolist(), strict=True))


_OPPOSITION = frozenset({Metric.BUCHHOLZ, Metric.BUCHHOLZ_CUT1, Metric.SONNEBORN_BERGER})
