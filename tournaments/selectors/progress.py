"""How far and how fast a tournament is, and before it is drawn its forecast, as far as the field is known here."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from statistics import pstdev

from django.db.models import Count, Max, Sum
from django.utils import timezone

from aurum_league.common.cache import read_cached
from games.models import Match, MatchState
from games.rules.ruleset import Ruleset
from tournaments.models import (
    EntrantState,
    EntryKind,
    Fixture,
    FixtureMatch,
    FixtureState,
    Stage,
    StageStandings,
    Tournament,
    TournamentEvent,
    TournamentState,
)
from tournaments.rules.forecast import (
    USUAL_SPREAD,
    Forecast,
    Outline,
    Pace,
    compare_forecasts,
    find_forecast_problems,
    forecast_tournament,
    outline_stage,
)
from tournaments.rules.formats import FORMATS
from tournaments.rules.pairing import TableKind
from tournaments.rules.ratings.values import POINTS_PER_UNIT
from tournaments.rules.spec import StageSpec, TournamentSpec
from tournaments.selectors.entrants import read_entrant_ratings
from tournaments.selectors.leagues import find_current_stage, list_stages, make_sheet
from tournaments.selectors.ratings import show_rating


@dataclass(frozen=True, slots=True)
class MatchProgress:
    """`quarantined` matches wait for the organiser."""

    ended: int
    total: int
    quarantined: int


def read_progress(tournament: Tournament) -> MatchProgress:
    """Counted from the fixtures' own counters: no match is looked at but those that are set aside."""
    matches = FixtureMatch.objects.filter(stage__tournament=tournament)
    pending = Fixture.objects.filter(matchday__stage__tournament=tournament, state=FixtureState.PENDING)
    total = matches.count()
    return MatchProgress(
        ended=total - (pending.aggregate(left=Sum("open_matches"))["left"] or 0),
        total=total,
        quarantined=matches.filter(match__state=MatchState.QUARANTINED).count(),
    )


WINDOW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class TournamentPace:
    """`left` is None where nothing ended lately, or no result ends it, so that nobody can tell."""

    progress: MatchProgress
    a_minute: int
    left: timedelta | None


def read_pace(tournament: Tournament) -> TournamentPace:
    progress = read_progress(tournament)
    progress = replace(progress, total=progress.total + count_planned(tournament))
    if tournament.state != TournamentState.PLAYING:
        return TournamentPace(progress, 0, None)
    now = timezone.now()
    ended = FixtureMatch.objects.filter(
        stage__tournament=tournament, match__state=MatchState.FINISHED, match__finished_at__gt=now - WINDOW
    ).count()
    pace = measure_pace(progress, ended, tournament.started_at, now)
    return replace(pace, left=None) if FORMATS[find_current_stage(tournament).format].runs_on else pace


def count_planned(tournament: Tournament) -> int:
    """Matches of tables that are drawn already, but come into being only when they are released."""
    stages = {stage.pk: stage for stage in tournament.stages.all()}
    waiting = Fixture.objects.filter(matchday__stage__in=stages, state=FixtureState.PENDING, open_matches=0)
    counted = waiting.values_list("matchday__stage_id").annotate(tables=Count("id")).order_by()
    return sum(tables * make_sheet(tournament, stages[stage_id]).matches_a_fixture for stage_id, tables in counted)


def count_stage_matches(stage: Stage) -> int:
    return FixtureMatch.objects.filter(stage=stage).count()


def measure_pace(
    progress: MatchProgress, ended_lately: int, started_at: datetime | None, now: datetime
) -> TournamentPace:
    """The pace of the last minute, or of the time since the start where that is less."""
    watched = min(WINDOW, max(now - started_at, timedelta(seconds=1))) if started_at else WINDOW
    a_minute = round(ended_lately * (WINDOW / watched))
    left = progress.total - progress.ended
    return TournamentPace(progress, a_minute, left * WINDOW / a_minute if a_minute else None)


def read_version(tournament: Tournament, stages: list[Stage]) -> str:
    """Changes whenever something that a page of the tournament shows has changed: a key for caches."""
    last = TournamentEvent.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    stored = dict(StageStandings.objects.filter(stage__in=stages).values_list("stage_id", "version"))
    counted = "-".join(f"{stage.results_version}.{stored.get(stage.id, 0)}" for stage in stages)
    return f"{tournament.id}-{tournament.state}-{last}-{counted}"


USUAL_ENTRANTS, MOST_ENTRANTS = 12, 10_000
LEAST_KNOWN = 3
"""Fewer ratings say nothing of how far a field is spread."""
LATEST_MATCHES = 200
CACHE_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class TournamentForecast:
    """`choices` holds `this`, `twice` as many deals, and presets by code; none where a problem stands against the draw.

    `spread` is in rating points; `known` says of how many entrants a rating is known.
    """

    entrants: int
    known: int
    spread: float
    problem: str | None
    choices: dict[str, Forecast]


def read_forecast(tournament: Tournament, entrants: int | None = None) -> TournamentForecast:
    """For so many entrants; None: for those who have entered, or as many as there is room for."""
    kind, stages = TableKind(tournament.table_kind), _read_stages(tournament)
    strengths, entered = _read_strengths(tournament)
    number = entrants or _expect_entrants(tournament, entered, kind)
    spread = pstdev(strengths) if len(strengths) >= LEAST_KNOWN else USUAL_SPREAD
    problems = find_forecast_problems(kind, stages, number)
    choices: dict[str, Forecast] = {}
    if not problems:
        ratings = tuple(strengths) if len(strengths) == number and strengths[0] > strengths[-1] else None
        asked = (kind, stages, number, ratings, round(spread, 3), _read_pace(tournament))
        key = f"forecast-{hashlib.sha256(repr(asked).encode()).hexdigest()}"
        told = partial(
            compare_forecasts, kind, stages, number, ratings=ratings, spread=round(spread, 3), pace=asked[-1]
        )
        choices = read_cached(key, CACHE_SECONDS, told)
    problem = problems[0].sentence if problems else None
    return TournamentForecast(number, len(strengths), spread * POINTS_PER_UNIT, problem, choices)


def _read_stages(tournament: Tournament) -> list[StageSpec]:
    names = ("format", "options", "block_deals", "matches_each", "groups", "cut")
    return [
        StageSpec(**{name: getattr(stage, name) for name in names}, points=tuple(stage.points))
        for stage in list_stages(tournament)
    ]


def _read_strengths(tournament: Tournament) -> tuple[list[float], int]:
    """Known strengths in log-odds, the best first, and how many have entered."""
    states = (EntrantState.ENTERED, EntrantState.CHECKED_IN)
    players = list(tournament.entrants.filter(state__in=states).values_list("player_id", flat=True))
    ratings = read_entrant_ratings(tournament, players).values()
    return sorted((show_rating(rating).number / POINTS_PER_UNIT for rating in ratings), reverse=True), len(players)


def _expect_entrants(tournament: Tournament, entered: int, kind: TableKind) -> int:
    return entered if entered >= kind.entrants else min(tournament.capacity or USUAL_ENTRANTS, MOST_ENTRANTS)


@dataclass(frozen=True, slots=True)
class SpecPreview:
    """What a tournament that is only written down would be, for so many entrants."""

    entrants: int
    problem: str | None
    outline: Outline | None
    forecast: Forecast | None


def preview_spec(spec: TournamentSpec, entrants: int) -> SpecPreview:
    """By the same forecast as later, of a field whose strengths nobody knows; kept for a while."""
    kind = TableKind(spec.table_kind)
    if problems := find_forecast_problems(kind, spec.stages, entrants):
        return SpecPreview(entrants, problems[0].sentence, None, None)
    asked = (kind, spec.stages, entrants, read_pace_of(spec.entry_kind, spec.ruleset))
    key = f"preview-{hashlib.sha256(repr(asked).encode()).hexdigest()}"

    def tell() -> tuple[Outline, Forecast]:
        told = forecast_tournament(kind, spec.stages, entrants, pace=asked[-1], budget=PREVIEW_BUDGET)
        return outline_stage(kind, spec.stages[0], entrants), told

    outline, forecast = read_cached(key, CACHE_SECONDS, tell)
    return SpecPreview(entrants, None, outline, forecast)


PREVIEW_BUDGET = 60_000
"""Tables that are played on paper while somebody types: a tenth of what the desk's own forecast plays."""


def _read_pace(tournament: Tournament) -> Pace | None:
    return read_pace_of(tournament.entry_kind, tournament.ruleset)


def read_pace_of(entry_kind: str, ruleset: str) -> Pace | None:
    """From the latest matches of bots at such tables; None where people play, or nothing was played yet."""
    if entry_kind != EntryKind.BOTS:
        return None
    players = Ruleset.from_code(ruleset).players
    latest = (
        Match.objects.filter(state=MatchState.FINISHED, ruleset__regex=f"^[a-z]+{players}")
        .exclude(started_at=None)
        .filter(fixture_match__stage__tournament__entry_kind=EntryKind.BOTS)
        .exclude(finished_at=None)
        .order_by("-finished_at")
        .values_list("started_at", "finished_at")[:LATEST_MATCHES]
    )
    spans = [(begun, ended) for begun, ended in latest if begun and ended]
    busy = measure_busy_time(spans).total_seconds()
    # Rounded, so that what is kept serves until the pace has truly changed.
    return Pace(float(f"{busy / len(spans):.1g}")) if busy else None


def measure_busy_time(spans: Iterable[tuple[datetime, datetime]]) -> timedelta:
    """How long anything was played: spans that overlap count once, so that all workers there are count in."""
    busy, until = timedelta(0), None
    for begun, ended in sorted(spans):
        start = begun if until is None else max(begun, until)
        if ended > start:
            busy += ended - start
        until = ended if until is None else max(until, ended)
    return busy


def describe_forecast(told: TournamentForecast) -> dict[str, object]:
    """As plain values, the choices as a list."""
    choices = [{"code": code, **asdict(forecast)} for code, forecast in told.choices.items()]
    return {
        "entrants": told.entrants,
        "known": told.known,
        "spread": round(told.spread),
        "problem": str(told.problem) if told.problem else None,
        "choices": choices,
    }
