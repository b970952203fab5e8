"""A forecast before the draw: how likely the best entrant wins, what gap will show, how many matches, how long."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from random import Random

import numpy as np

from aurum_league.common.errors import N_, Sentence
from tournaments.rules.certificate import certify_draws
from tournaments.rules.formats import make_format
from tournaments.rules.formats.format import Entry, Format, Situation, cut_groups, draw_matchdays, split_groups
from tournaments.rules.pairing import Problem, TableKind, count_block_matches
from tournaments.rules.playout import Floats, Ints, Playout
from tournaments.rules.ratings.values import POINTS_PER_UNIT
from tournaments.rules.spec import PRESETS, StageSpec, default_points, read_spec

USUAL_SPREAD = 0.35
"""Standard deviation of strengths in log-odds where no ratings are known: a field of sensible bots."""
MOST_WORLDS, LEAST_WORLDS = 4000, 100
TABLE_BUDGET = 600_000
"""Tables of three that are played on paper in under a second on one slow core."""
MOST_TABLES = 40_000
"""Of one tournament, a league of 200 teams home and away: beyond that its schedule alone takes longer than an organiser
waits; it is only counted."""
POWER_80 = 0.8416
RANGES, MOST_NORMALS = 4000, 2_000_000
INFORMATION = {TableKind.SOLO3: 2 / 9, TableKind.TEAMS4: 1 / 4, TableKind.SOLO4: 1 / 4}
"""What one match between equals says of an entrant's strength: the variance of having won it."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a tournament will tell. All is None where it runs on without end; `best_wins` is where it is too large to be
    played on paper, `seconds` where no pace is known.

    `gap` is the difference in rating points that will be called separable with a chance of 80 %, all pairs at once.
    """

    best_wins: float | None
    gap: float | None
    matches: int | None
    seconds: float | None
    worlds: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast matches are played: seconds of one match, and how many are played at a time."""

    seconds_a_match: float
    workers: int = 1


def matches_a_table(stage: StageSpec, kind: TableKind) -> int:
    seats = tuple(range(1, kind.entrants + 1))
    return count_block_matches(kind.seat(seats), stage.block_deals) if stage.block_deals else stage.matches_each


def forecast_tournament(
    kind: TableKind,
    stages: Sequence[StageSpec],
    entrants: int,
    *,
    ratings: Sequence[float] | None = None,
    spread: float = USUAL_SPREAD,
    pace: Pace | None = None,
    seed: int = 1,
    budget: int = TABLE_BUDGET,
) -> Forecast:
    """Play the stages on paper. `ratings` are strengths in log-odds in order of seeding, where they are known; else
    strengths are drawn with the spread, seeds by lot. The same call gives the same forecast."""
    tables = _count_tables(kind, stages, entrants)
    if sum(tables) > MOST_TABLES:
        return _count_only(kind, stages, entrants, tables, pace)
    worlds = int(min(MOST_WORLDS, max(LEAST_WORLDS, budget / max(1, sum(tables)))))
    rng = np.random.default_rng(seed)
    strengths = rng.normal(0, spread, (worlds, entrants)) if ratings is None else np.tile(ratings, (worlds, 1))
    order = np.tile(np.arange(entrants), (worlds, 1))
    matches, each = 0.0, np.zeros(entrants)
    for number, stage in enumerate(stages):
        points = stage.points or default_points(kind)
        playout = Playout(kind, strengths, matches_a_table(stage, kind), points, rng).among(order)
        ended = _play_stage(stage, kind, playout)
        if ended is None:
            return Forecast(None, None, None, None, worlds)
        matches += playout.played
        each[: order.shape[1]] += playout.played * kind.entrants / order.shape[1]
        order = np.take_along_axis(order, _go_on(ended, stage, is_last=number == len(stages) - 1), axis=1)
    best = strengths.argmax(axis=1)
    won = float((order[:, 0] == best).mean())
    gap = find_gap(kind, entrants, float(each.mean()))
    return Forecast(won, gap, round(matches), _tell_seconds(matches, pace), worlds)


def _tell_seconds(matches: float, pace: Pace | None) -> float | None:
    return None if pace is None else matches * pace.seconds_a_match / max(1, pace.workers)


def _count_only(
    kind: TableKind, stages: Sequence[StageSpec], entrants: int, tables: list[int], pace: Pace | None
) -> Forecast:
    matches = sum(count * matches_a_table(stage, kind) for count, stage in zip(tables, stages, strict=True))
    gap = find_gap(kind, entrants, matches * kind.entrants / entrants)
    return Forecast(None, gap, matches, _tell_seconds(matches, pace), 0)


def compare_forecasts(
    kind: TableKind,
    stages: Sequence[StageSpec],
    entrants: int,
    *,
    ratings: Sequence[float] | None = None,
    spread: float = USUAL_SPREAD,
    pace: Pace | None = None,
) -> dict[str, Forecast]:
    """The forecast of `this`, of `twice` as many deals, and of every other preset for such tables and such a field."""
    choices: dict[str, Sequence[StageSpec]] = {"this": stages, "twice": [_double_deals(stage) for stage in stages]}
    for code, preset in PRESETS.items():
        spec = read_spec({**preset.spec, "name": code})
        if spec.table_kind is not kind or sum(_count_tables(kind, spec.stages, entrants)) > MOST_TABLES:
            continue
        is_another = [_strip(stage, kind) for stage in spec.stages] != [_strip(stage, kind) for stage in stages]
        if is_another and not find_forecast_problems(kind, spec.stages, entrants):
            choices[code] = spec.stages
    told = {}
    for code, chosen in choices.items():
        budget = TABLE_BUDGET if code == "this" else TABLE_BUDGET // len(choices)
        forecast = forecast_tournament(kind, chosen, entrants, ratings=ratings, spread=spread, pace=pace, budget=budget)
        if code == "this" or forecast.matches is not None:
            told[code] = forecast
    return told


def _strip(stage: StageSpec, kind: TableKind) -> StageSpec:
    """Only what a forecast goes by, so that a preset is not compared with itself."""
    points = stage.points or default_points(kind)
    return replace(stage, name="", tiebreaks=(), release="", points=points)


def _double_deals(stage: StageSpec) -> StageSpec:
    if stage.block_deals:
        return replace(stage, block_deals=2 * stage.block_deals)
    return replace(stage, matches_each=2 * stage.matches_each)


def find_forecast_problems(kind: TableKind, stages: Sequence[StageSpec], entrants: int) -> tuple[Problem, ...]:
    """What stands against playing these stages with a field of this size; fewer than go on are no field."""
    for stage in stages:
        if stage.groups and entrants < stage.groups * kind.entrants:
            few = N_("%(groups)s groups need at least %(needed)s entrants, not %(given)s.")
            needed = stage.groups * kind.entrants
            return (Problem("too_few_entrants", Sentence(few, groups=stage.groups, needed=needed, given=entrants)),)
        situation = Situation(tuple(Entry(number) for number in range(1, entrants + 1)))
        if problems := _make_format(stage, kind, entrants).find_problems(situation):
            return problems
        entrants = min(entrants, stage.cut or entrants)
    return ()


def _count_tables(kind: TableKind, stages: Sequence[StageSpec], entrants: int) -> list[int]:
    """Tables of each stage, at most: a bracket, whose length only results tell, has fewer than it has entrants."""
    tables = []
    for stage in stages:
        length = _make_format(stage, kind, entrants).plan_length(entrants) or 1
        tables.append(length * entrants // kind.entrants)
        entrants = min(entrants, stage.cut or entrants)
    return tables


def _make_format(stage: StageSpec, kind: TableKind, entrants: int) -> Format:
    options = dict(stage.options)
    if stage.groups:
        options["divisions"] = [len(group) for group in split_groups(range(entrants), stage.groups)]
    return make_format(stage.format, {**options, "kind": kind})


def _play_stage(stage: StageSpec, kind: TableKind, playout: Playout) -> list[Ints] | None:
    """The final orders of its divisions; seeds are dealt to groups to and fro first."""
    made = _make_format(stage, kind, playout.entrants)
    if not stage.groups:
        return made.play_out(playout)
    dealt = np.array([who for group in split_groups(range(playout.entrants), stage.groups) for who in group])
    grouped = playout.among(np.tile(dealt, (playout.worlds, 1)))
    ended = made.play_out(grouped)
    playout.played += grouped.played
    return None if ended is None else [dealt[order] for order in ended]


def _go_on(ended: list[Ints], stage: StageSpec, *, is_last: bool) -> Ints:
    """Who goes on to the next stage, as its seeds; after the last one the order of the first division."""
    if is_last or stage.cut is None:
        return ended[0]
    each = max(1, stage.cut // len(ended)) if len(ended) > 1 else stage.cut
    starts = np.cumsum([0, *(order.shape[1] for order in ended)])
    columns = cut_groups([range(start, end) for start, end in pairwise(starts.tolist())], each)
    seeds: Ints = np.concatenate(ended, axis=1)[:, columns]
    return seeds


def find_gap(kind: TableKind, entrants: int, matches: float) -> float:
    """Rating points that part two entrants with a chance of 80 %, where one bound holds for all pairs (Tukey)."""
    error = sqrt(2 / (INFORMATION[kind] * max(matches, 1e-9)))
    return (_bound_range(entrants) + POWER_80) * error * POINTS_PER_UNIT


@lru_cache(maxsize=64)
def _bound_range(entrants: int) -> float:
    """The range of so many standard normals that is exceeded in 5 % of draws, over the square root of 2."""
    draws = max(200, min(RANGES, MOST_NORMALS // entrants))
    normal: Floats = np.random.default_rng(entrants).normal(size=(draws, entrants))
    return float(np.quantile(np.ptp(normal, axis=1), 0.95)) / sqrt(2)


MOST_OUTLINED = 30
"""A larger field is not drawn on paper while somebody waits: then only means are told."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What a first stage will be, in numbers: None where only the results can tell, or it runs on.

    `meetings` are the least and the most that a pair meets; equal fractions where only the mean is known.
    """

    matchdays: int | None
    matches: tuple[float, float] | None
    meetings: tuple[float, float] | None
    rests: tuple[float, float] | None


def outline_stage(kind: TableKind, stage: StageSpec, entrants: int) -> Outline:
    """Counted from a draw on paper where the schedule stands from the start, else by division."""
    made = _make_format(stage, kind, entrants)
    situation = Situation(tuple(Entry(number) for number in range(1, entrants + 1)), is_rated=False)
    days = made.plan_length(entrants)
    each = matches_a_table(stage, kind)
    if days is None:
        return Outline(None, None, None, None)
    if made.is_planned and entrants <= MOST_OUTLINED and not made.has_bracket:
        draws, _rest = draw_matchdays(made, situation, lambda day: Random(day))
        rows = certify_draws(draws, kind, range(1, entrants + 1))
        met, played, rested = (rows[name] for name in (_pairs_of(kind), "matches", "byes"))
        times = (float(played.least * each), float(played.most * each))
        return Outline(len(draws), times, (met.least, met.most), (rested.least, rested.most))
    playing = entrants // kind.entrants * kind.entrants / entrants
    if made.has_bracket:
        return Outline(days, None, None, None)
    met_mean = days * playing * (kind.entrants - 1) / max(1, entrants - 1)
    rested_mean = days * (1 - playing)
    return Outline(days, (days * playing * each,) * 2, (met_mean,) * 2, (rested_mean,) * 2)


def _pairs_of(kind: TableKind) -> str:
    return "partnerships" if kind is TableKind.SOLO4 else "meetings"
