"""The schedule of a stage: its matchdays, the tables of one of them, and the matches of one table."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Count, Q, QuerySet

from games.models import Match
from tournaments.models import (
    Bye,
    Fixture,
    FixtureMatch,
    FixtureSeat,
    FixtureState,
    Matchday,
    MatchdayState,
    Stage,
    TournamentState,
)
from tournaments.selectors.latest import with_result

PREVIEWS = (TournamentState.DRAFT, TournamentState.OPEN, TournamentState.DRAWN)

_MATCHDAY_LINES = """
    SELECT day.id, day.number, day.state, day.window_ends_at,
           (SELECT count(*) FROM tournaments_fixture AS f WHERE f.matchday_id = day.id AND f.state = 'pending')
    FROM tournaments_matchday AS day WHERE day.stage_id = %s ORDER BY day.number
"""


@dataclass(frozen=True, slots=True)
class CountedMatchday:
    """A matchday with how many tables it has, and how many of them are played or void."""

    id: int
    number: int
    state: MatchdayState
    window_ends_at: datetime | None
    tables: int
    settled: int


@dataclass(frozen=True, slots=True)
class MatchdayLine:
    """A matchday with how many of its tables are still to be played: what one chooses from."""

    id: int
    number: int
    state: MatchdayState
    window_ends_at: datetime | None
    left: int


@dataclass(frozen=True, slots=True)
class TableSeat:
    """`name` is empty for a house bot that only fills the seat; `place` None before the table is whole."""

    name: str
    slug: str
    place: int | None


@dataclass(frozen=True, slots=True)
class TableLine:
    """One fixture; `match_id` is its only match, or None where it has several or none yet.

    `closes_at` is until when its people have to meet, None where nobody has to or they have met.
    """

    fixture: Fixture
    seats: tuple[TableSeat, ...]
    matches: int
    match_id: int | None
    closes_at: datetime | None


def list_matchday_lines(stage: Stage, *, is_in_charge: bool) -> list[MatchdayLine]:
    """As `list_matchdays`, but only tables to be played are counted: of a long season those are few."""
    if stage.tournament.state in PREVIEWS and not is_in_charge:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_MATCHDAY_LINES, [stage.pk])
        return [MatchdayLine(key, number, MatchdayState(state), *rest) for key, number, state, *rest in cursor]


def list_matchdays(stage: Stage, *, is_in_charge: bool) -> list[CountedMatchday]:
    """Matchdays with the number of their tables; a draw that may still change is its organiser's alone."""
    if stage.tournament.state in PREVIEWS and not is_in_charge:
        return []
    settled = Count("fixtures", filter=~Q(fixtures__state=FixtureState.PENDING))
    days = Matchday.objects.filter(stage=stage).annotate(tables=Count("fixtures"), settled=settled)
    return [
        CountedMatchday(day.pk, day.number, MatchdayState(day.state), day.window_ends_at, day.tables, day.settled)
        for day in days.order_by("number")
    ]


def list_fixtures(matchday: CountedMatchday | MatchdayLine) -> QuerySet[Fixture]:
    return Fixture.objects.filter(matchday_id=matchday.id).order_by("table")


def find_fixture(stage: Stage, matchday: int, table: int) -> Fixture | None:
    """A table that everybody may see: its matchday is released."""
    found = Fixture.objects.filter(matchday__stage=stage, matchday__number=matchday, table=table)
    return found.exclude(matchday__state=MatchdayState.DRAWN).select_related("matchday").first()


def list_byes(matchday: CountedMatchday | MatchdayLine) -> list[Bye]:
    return list(Bye.objects.filter(matchday_id=matchday.id).select_related("entrant__player").order_by("id"))


def show_tables(fixtures: Iterable[Fixture]) -> list[TableLine]:
    """These fixtures with their seats and matches; two queries however many they are."""
    listed = list(fixtures)
    seats: dict[int, list[tuple[str, str]]] = {fixture.id: [] for fixture in listed}
    matches: dict[int, list[tuple[int, datetime | None]]] = {fixture.id: [] for fixture in listed}
    held = FixtureSeat.objects.filter(fixture__in=listed).order_by("fixture_id", "position")
    for fixture_id, name, slug in held.values_list("fixture_id", "entrant__player__name", "entrant__player__slug"):
        seats[fixture_id].append((name or "", slug or ""))
    links = FixtureMatch.objects.filter(fixture__in=listed).values_list("fixture_id", "match_id", "match__closes_at")
    for fixture_id, match_id, closes_at in links:
        matches[fixture_id].append((match_id, closes_at))
    return [_table_line(fixture, seats[fixture.id], matches[fixture.id]) for fixture in listed]


def list_table_matches(fixture: Fixture) -> QuerySet[Match]:
    """The matches of a table in their order, with what a result line needs."""
    return with_result(Match.objects.filter(fixture_match__fixture=fixture)).order_by("fixture_match__number")


def _table_line(
    fixture: Fixture, seats: list[tuple[str, str]], matches: list[tuple[int, datetime | None]]
) -> TableLine:
    places = fixture.places if fixture.state == FixtureState.SETTLED else []
    shown = [
        TableSeat(name, slug, places[position] if position < len(places) else None)
        for position, (name, slug) in enumerate(seats)
    ]
    only_match = matches[0][0] if len(matches) == 1 else None
    closes_at = min((time for _, time in matches if time is not None), default=None)
    return TableLine(fixture, tuple(shown), len(matches), only_match, closes_at)
