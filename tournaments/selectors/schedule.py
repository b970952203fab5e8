"""The schedule of a stage: matchdays, tables, brackets, sides, and which tables could begin now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, Q, QuerySet

from aurum_league.common.sql import array_text
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
from tournaments.selectors.players import with_result

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


@dataclass(frozen=True, slots=True)
class BracketLine:
    """A drawn table; `sources` are the slots its entrants sat at before, empty for those who come in here."""

    slot: str
    wave: int
    table: TableLine
    sources: tuple[str, ...]


def read_bracket(stage: Stage) -> list[BracketLine]:
    """Released tables in the order they were drawn; of one played again, the last."""
    fixtures = Fixture.objects.filter(matchday__stage=stage).exclude(matchday__state=MatchdayState.DRAWN)
    drawn = show_tables(fixtures.select_related("matchday").order_by("matchday__number", "table"))
    last_seen: dict[str, str] = {}
    by_slot: dict[str, BracketLine] = {}
    for line in drawn:
        slot = line.fixture.slot
        before = by_slot.get(slot)
        sources = before.sources if before else tuple(last_seen.get(seat.slug, "") for seat in line.seats)
        wave = before.wave if before else _wave_of(line.fixture)
        if before is None or line.fixture.state != FixtureState.VOID:
            by_slot[slot] = BracketLine(slot, wave, line, sources)
        last_seen |= {seat.slug: slot for seat in line.seats if seat.slug}
    return list(by_slot.values())


def _wave_of(fixture: Fixture) -> int:
    """As the draw gave it: tables of one wave are released one by one, each when those before it are played."""
    return next((int(numbers[0]) for code, numbers in fixture.why if code == "wave"), fixture.matchday.number)


_FREE = """
    WITH pending AS (
        SELECT fixture.id, fixture.open_matches, day.number, seat.entrant_id
        FROM tournaments_fixture AS fixture
        JOIN tournaments_matchday AS day ON day.id = fixture.matchday_id
        JOIN tournaments_fixtureseat AS seat ON seat.fixture_id = fixture.id AND seat.entrant_id IS NOT NULL
        WHERE day.stage_id = %s AND fixture.state = 'pending'
    ), next AS (
        SELECT entrant_id, min(number) AS number FROM pending GROUP BY entrant_id
    )
    SELECT pending.id FROM pending JOIN next USING (entrant_id)
    WHERE pending.open_matches = 0
    GROUP BY pending.id HAVING bool_and(pending.number = next.number) ORDER BY pending.id
"""


def list_free_fixtures(stage: Stage) -> list[int]:
    """Fixtures without matches so far; a pending one without an open match is not released yet."""
    with connection.cursor() as cursor:
        cursor.execute(_FREE, [stage.id])
        return [row[0] for row in cursor.fetchall()]


def find_fixture_of(match: Match) -> Fixture | None:
    """With its matchday, stage, tournament and league; None for a match outside of a tournament."""
    fixtures = Fixture.objects.select_related("matchday__stage__tournament__league")
    return fixtures.defer("matchday__stage__tournament__seed").filter(fixture_matches__match=match).first()


_SIDES = """
    SELECT fm.match_id, fixture.state = 'void',
           CASE WHEN tournament.table_kind = 'teams4' AND one.kind = 'team' THEN one.id ELSE 0 END,
           CASE WHEN tournament.table_kind = 'teams4' AND two.kind = 'team' THEN two.id ELSE 0 END
    FROM tournaments_fixturematch AS fm
    JOIN tournaments_fixture AS fixture ON fixture.id = fm.fixture_id
    JOIN tournaments_stage AS stage ON stage.id = fm.stage_id
    JOIN tournaments_tournament AS tournament ON tournament.id = stage.tournament_id
    LEFT JOIN tournaments_entrant AS first ON first.id = fm.entrants[1]
    LEFT JOIN tournaments_entrant AS second ON second.id = fm.entrants[2]
    LEFT JOIN games_player AS one ON one.id = first.player_id
    LEFT JOIN games_player AS two ON two.id = second.player_id
    WHERE fm.match_id = ANY(%s::bigint[]) AND (fixture.state = 'void' OR tournament.table_kind = 'teams4')
"""


class FixtureSides(NamedTuple):
    """`teams` holds by side the player that a team is rated as, 0 where the side is no team."""

    is_void: bool
    teams: tuple[int, int]


def read_fixture_sides(match_ids: Sequence[int]) -> dict[int, FixtureSides]:
    """By match; matches of no fixture, and those of fixtures that count and have no teams, are missing."""
    if not match_ids:
        return {}
    with connection.cursor() as cursor:
        return fetch_fixture_sides(cursor, array_text(match_ids))


def fetch_fixture_sides(cursor: Any, match_ids: str) -> dict[int, FixtureSides]:
    """The same by a cursor of the caller's, for ids as the text of an array."""
    cursor.execute(_SIDES, [match_ids])
    return {row[0]: FixtureSides(row[1], (row[2], row[3])) for row in cursor.fetchall()}
