"""The metrics an organiser may chain: each is one entry that knows its name, its meaning and how it is measured."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property

import numpy as np

from aurum_league.common.errors import N_
from tournaments.rules.pairing import draw_lot
from tournaments.rules.standings.results import (
    UNITS,
    ByeCredit,
    FloatArray,
    Meetings,
    ResultTally,
    Scoring,
    beaten_points,
    head_to_head,
    opponents_points,
    weakest_table,
)

PRECISION = 9
"""Decimals kept: equal fractions summed in another order must stay equal."""


def credit_points(tally: ResultTally, scoring: Scoring) -> float:
    """Match points with what byes are worth."""
    return _with_byes(tally, tally.points, scoring.points[0], scoring.bye)


def credit_wins(tally: ResultTally, scoring: Scoring) -> float:
    """Wins with what byes are worth."""
    return _with_byes(tally, tally.wins, 1, scoring.bye)


def _with_byes(tally: ResultTally, earned: int, first_place: float, bye: ByeCredit) -> float:
    if bye is ByeCredit.WIN:
        return round(earned / UNITS + tally.byes * first_place, PRECISION)
    return round(earned * (tally.played + tally.byes) / (UNITS * max(tally.played, 1)), PRECISION)


class Field:
    """The entrants of a stage with their sums; what metrics of opponents need is loaded when first asked for."""

    def __init__(
        self,
        tallies: Mapping[int, ResultTally],
        load_meetings: Callable[[], Meetings],
        scoring: Scoring,
        lots_seed: bytes,
        lots_purpose: str,
    ) -> None:
        self.entrants = sorted(tallies)
        self.tallies = tallies
        self.scoring = scoring
        self.lots = (lots_seed, lots_purpose)
        self._load_meetings = load_meetings
        self._measured: dict[Metric, dict[int, float]] = {}

    def measure(self, metric: "Metric", group: Sequence[int]) -> dict[int, float] | None:
        """The value of each member of a tied group; None where the metric cannot part this group."""
        if metric.is_of_group:
            return metric.measure(self, group)
        if metric not in self._measured:
            self._measured[metric] = metric.measure(self, self.entrants) or {}
        values = self._measured[metric]
        return {entrant: values[entrant] for entrant in group}

    @cached_property
    def meetings(self) -> Meetings:
        """Loaded only when a tie comes down to them."""
        return self._load_meetings()

    @cached_property
    def most_matches(self) -> int:
        return max((tally.played + tally.byes for tally in self.tallies.values()), default=0)

    @cached_property
    def points(self) -> FloatArray:
        """Match points in the order of `entrants`."""
        return np.array([credit_points(self.tallies[entrant], self.scoring) for entrant in self.entrants])

    @cached_property
    def virtual(self) -> tuple[FloatArray, FloatArray]:
        """How many tables each did not play, and what one counts: opponents with the entrant's own points (FIDE)."""
        missed = np.array([self.tallies[entrant].byes + self.tallies[entrant].voids for entrant in self.entrants])
        return missed, self.meetings.opponents * self.points

    def by_entrant(self, values: FloatArray) -> dict[int, float]:
        return dict(zip(self.entrants, np.round(values, PRECISION).tolist(), strict=True))


Measure = Callable[[Field, Sequence[int]], dict[int, float] | None]


def _of_tally(value: Callable[[ResultTally, Field], float]) -> Measure:
    return lambda field, group: {entrant: round(value(field.tallies[entrant], field), PRECISION) for entrant in group}


def _a_match(value: Callable[[ResultTally], float]) -> Measure:
    return _of_tally(lambda tally, field: value(tally) / max(tally.played, 1))


def _mean_points(tally: ResultTally, field: Field) -> float:
    """Over the entrant's own matches, but at least a third of the most anybody has: one lucky match is no title."""
    matches = max(tally.played + tally.byes, field.most_matches / 3, 1)
    return credit_points(tally, field.scoring) / matches


def _buchholz(field: Field, group: Sequence[int]) -> dict[int, float]:
    return field.by_entrant(_opposition(field))


def _buchholz_cut1(field: Field, group: Sequence[int]) -> dict[int, float]:
    missed, virtual = field.virtual
    weakest = weakest_table(field.meetings, np.array(field.entrants, dtype=np.int64), field.points)
    lowest = np.minimum(weakest, np.where(missed > 0, virtual, np.inf))
    return field.by_entrant(_opposition(field) - np.where(np.isinf(lowest), 0, lowest))


def _opposition(field: Field) -> FloatArray:
    missed, virtual = field.virtual
    return opponents_points(field.meetings, np.array(field.entrants, dtype=np.int64), field.points) + missed * virtual


def _sonneborn_berger(field: Field, group: Sequence[int]) -> dict[int, float]:
    missed, virtual = field.virtual
    beaten = beaten_points(field.meetings, np.array(field.entrants, dtype=np.int64), field.points)
    return field.by_entrant(beaten + missed * virtual / 2)


class Metric(StrEnum):
    """A way to order entrants: its code, its name and meaning (marked for the catalogues), and how it is measured.

    More is better unless `is_less_better`. `is_of_group` means that the value depends on who is tied.
    """

    label: str
    help: str
    measure: Measure
    is_less_better: bool
    is_of_group: bool

    def __new__(
        cls,
        code: str,
        label: str,
        help: str,
        measure: Measure,
        is_less_better: bool = False,
        is_of_group: bool = False,
    ) -> "Metric":
        made = str.__new__(cls, code)
        made._value_ = code
        made.label, made.help, made.measure = label, help, measure
        made.is_less_better, made.is_of_group = is_less_better, is_of_group
        return made

    MATCH_POINTS = (
        "match_points",
        N_("points"),
        N_("Points by place, byes included."),
        _of_tally(lambda tally, field: credit_points(tally, field.scoring)),
    )
    MEAN_POINTS = (
        "mean_points",
        N_("points a match"),
        N_("Points by place over the matches of each, so that who came late is not behind for that alone."),
        _of_tally(_mean_points),
    )
    WINS = (
        "wins",
        N_("wins"),
        N_("First places, a shared one in parts, byes included."),
        _of_tally(lambda tally, field: credit_wins(tally, field.scoring)),
    )
    NUGGETS = ("nuggets", N_("nuggets a match"), N_("Mean of the matches played."), _a_match(lambda t: t.nuggets))
    TOTAL_SCORE = (
        "total_score",
        N_("score a match"),
        N_("Mean of the matches played."),
        _a_match(lambda t: t.total_score),
    )
    SCORE_DIFFERENCE = (
        "score_difference",
        N_("score difference"),
        N_("Own score less the mean of the other sides, a match."),
        _a_match(lambda t: t.difference / UNITS),
    )
    HEAD_TO_HEAD = (
        "head_to_head",
        N_("direct meetings"),
        N_("Share of the meetings among the tied, if all of them met equally often."),
        lambda field, group: head_to_head(field.meetings, tuple(group)),
        False,
        True,
    )
    BUCHHOLZ = ("buchholz", N_("opponents' points"), N_("Points of both opponents of every table."), _buchholz)
    BUCHHOLZ_CUT1 = (
        "buchholz_cut1",
        N_("opponents' points without the weakest"),
        N_("The same without the table of the weakest opponents."),
        _buchholz_cut1,
    )
    SONNEBORN_BERGER = (
        "sonneborn_berger",
        N_("points of those beaten"),
        N_("Points of the opponents finished ahead of, half for those level with."),
        _sonneborn_berger,
    )
    EXACT_BIDS = (
        "exact_bids",
        N_("exact bids a match"),
        N_("Mean of the matches played."),
        _a_match(lambda t: t.exact_bids),
    )
    FEWER_FORFEITS = (
        "fewer_forfeits",
        N_("fewer forfeits"),
        N_("Number of forfeits; fewer is better."),
        _of_tally(lambda tally, field: tally.forfeits),
        True,
    )
    LOTS = (
        "lots",
        N_("lots"),
        N_("Drawn from the published seed; says nothing of skill."),
        lambda field, group: {entrant: draw_lot(field.lots[0], field.lots[1], entrant) for entrant in group},
        False,
        True,
    )


METRICS: dict[str, Metric] = {metric.value: metric for metric in Metric}
"""By the code under which a stage stores its chain."""

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
LATE_CHAIN = (Metric.MEAN_POINTS, *DEFAULT_CHAIN)
"""Where entries may be late, totals would put two wins of two below three of five."""
