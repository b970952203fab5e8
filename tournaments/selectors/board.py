"""The draw at a glance: every matchday of a stage with its tables, who rests, and what a swap would make of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from aurum_league.common.errors import N_, LeagueError
from tournaments.models import (
    Bye,
    Entrant,
    Fixture,
    FixtureSeat,
    Matchday,
    MatchdayState,
    Stage,
    Tournament,
    TournamentState,
)
from tournaments.rules.arranging import Arrangement, read_pins
from tournaments.rules.certificate import CertificateRow, certify
from tournaments.rules.formats import FORMATS
from tournaments.rules.formats.format import PastMatchday, find_clashes
from tournaments.rules.pairing import HOUSE, Draw, TableKind, seat_fixture
from tournaments.selectors.entrants import name_field
from tournaments.selectors.leagues import find_current_stage
from tournaments.selectors.situation import read_history, read_situation
from tournaments.selectors.timetable import rhythm_of

MOST_SEATS = 1500
"""More places than this are no glance any more; the page shows matchday by matchday."""


@dataclass(frozen=True, slots=True)
class BoardSeat:
    """`entrant` is 0 and `name` empty for a house bot that only fills the seat."""

    entrant: int
    name: str


@dataclass(frozen=True, slots=True)
class BoardTable:
    id: int
    number: int
    slot: str
    seats: tuple[BoardSeat, ...]
    is_edited: bool
    is_pinned: bool


@dataclass(frozen=True, slots=True)
class BoardDay:
    """`at` is when it is planned; `is_open` whether its tables may still be changed."""

    id: int
    number: int
    state: MatchdayState
    at: datetime | None
    tables: tuple[BoardTable, ...]
    resting: tuple[BoardSeat, ...]

    @property
    def is_open(self) -> bool:
        return self.state == MatchdayState.DRAWN


def count_seats(stage: Stage) -> int:
    return FixtureSeat.objects.filter(fixture__matchday__stage=stage).count()


def read_board(stage: Stage) -> list[BoardDay]:
    """Every matchday drawn so far in four queries, however many there are."""
    names = name_field(stage)
    seats: dict[int, list[BoardSeat]] = {}
    held = FixtureSeat.objects.filter(fixture__matchday__stage=stage).order_by("fixture_id", "position")
    for fixture_id, entrant in held.values_list("fixture_id", "entrant_id"):
        seats.setdefault(fixture_id, []).append(BoardSeat(entrant or HOUSE, names.get(entrant or HOUSE, "")))
    tables: dict[int, list[Fixture]] = {}
    for fixture in Fixture.objects.filter(matchday__stage=stage).order_by("matchday_id", "table"):
        tables.setdefault(fixture.matchday_id, []).append(fixture)
    resting: dict[int, list[BoardSeat]] = {}
    for day_id, entrant in (
        Bye.objects.filter(matchday__stage=stage).order_by("id").values_list("matchday_id", "entrant_id")
    ):
        resting.setdefault(day_id, []).append(BoardSeat(entrant, names.get(entrant, "")))
    pins, rhythm = read_pins(stage.pins), rhythm_of(stage)

    def show(day: Matchday, fixture: Fixture) -> BoardTable:
        is_pinned = any(pin.is_of(day.number, fixture.table) for pin in pins)
        sitting = tuple(seats.get(fixture.pk, ()))
        return BoardTable(fixture.pk, fixture.table, fixture.slot, sitting, fixture.is_edited, is_pinned)

    return [
        BoardDay(
            day.pk,
            day.number,
            MatchdayState(day.state),
            rhythm.find_time(day.number, stage.tournament.time_zone),
            tuple(show(day, fixture) for fixture in tables.get(day.pk, ())),
            tuple(resting.get(day.pk, ())),
        )
        for day in Matchday.objects.filter(stage=stage).order_by("number")
    ]


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A row of the certificate as it is, and as it would be."""

    before: CertificateRow
    after: CertificateRow

    @property
    def is_better(self) -> bool:
        return self.after.spread < self.before.spread

    @property
    def is_worse(self) -> bool:
        return self.after.spread > self.before.spread


@dataclass(frozen=True, slots=True)
class SwapPreview:
    """What two entrants changing places would come to: where each would sit (0 for a rest), and who must not meet.

    `refused` is empty where it can be done, else `clash`, `pinned`, `rest` (both rest) or `absent`.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    rows: tuple[ComparedRow, ...]
    refused: str
    clash: tuple[int, ...] = ()


def preview_swap(matchday: Matchday, first: int, second: int) -> SwapPreview:
    """Counted on the tables as they would be; nothing is written or locked."""
    stage = matchday.stage
    kind = TableKind(stage.tournament.table_kind)
    history = read_history(stage, kind)
    day = next(one for one in history if one.matchday == matchday.number)
    arranged = Arrangement(Draw(day.matchday, tuple(table.pairing for table in day.tables), day.byes))
    places = [arranged.find(entrant) for entrant in (first, second)]
    if places[0] is None or places[1] is None:
        return SwapPreview((0, 0), (0, 0), (), "absent")
    tables = [0 if place[0] < 0 else arranged.draw.pairings[place[0]].table for place in places if place]
    pinned = {pin.table for pin in read_pins(stage.pins) if pin.matchday == matchday.number}
    arranged.swap(places[0], places[1])
    after = arranged.read()
    clashes = find_clashes(read_situation(stage.tournament, stage), kind, after.pairings)
    refused = "pinned" if pinned & set(tables) else "rest" if not any(tables) else "clash" if clashes else ""
    rows = _compare(stage, kind, history, after)
    clash = tuple(sorted(clashes[0])) if clashes else ()
    return SwapPreview((tables[0], tables[1]), (tables[1], tables[0]), rows, refused, clash)


MOST_COMPARED = 300
"""A certificate counts every pair of entrants."""


def _compare(stage: Stage, kind: TableKind, history: Iterable[PastMatchday], changed: Draw) -> tuple[ComparedRow, ...]:
    if len(stage.field) > MOST_COMPARED:
        return ()
    days = {past.matchday: [table.pairing.seats for table in past.tables] for past in history}
    seatings = partial(seat_fixture, block_deals=stage.block_deals, matches=stage.matches_each)
    before = certify(list(days.values()), kind, stage.field, seatings).rows
    days[changed.matchday] = [pairing.seats for pairing in changed.pairings]
    after = certify(list(days.values()), kind, stage.field, seatings).rows
    return tuple(ComparedRow(one, other) for one, other in zip(before, after, strict=True))


@dataclass(frozen=True, slots=True)
class PlacesChange:
    """What becomes of one player: `before` and `after` by matchday of the stage, and their state.

    A table is its number, 0 a rest; a matchday on which they have no place is missing.
    """

    name: str
    before: dict[int, int]
    after: dict[int, int]
    state_before: str
    state_after: str

    def list_days(self) -> list[tuple[int, int | None, int | None]]:
        """Matchday, table before and after, where they differ; None where there is no place."""
        days = sorted(self.before.keys() | self.after.keys())
        told = ((day, self.before.get(day), self.after.get(day)) for day in days)
        return [(day, before, after) for day, before, after in told if before != after]


Places = dict[str, tuple[str, dict[int, int]]]


def read_places(tournament: Tournament) -> Places:
    """By name: each entrant's state, and where they sit on matchdays of the current stage that are not over."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    stage = find_current_stage(tournament)
    days = Matchday.objects.filter(stage=stage).exclude(state=MatchdayState.FINISHED)
    sitting: dict[int, dict[int, int]] = {}
    seats = FixtureSeat.objects.filter(fixture__matchday__in=days, entrant__isnull=False)
    for entrant, day, table in seats.values_list("entrant_id", "fixture__matchday__number", "fixture__table"):
        sitting.setdefault(entrant or HOUSE, {})[day] = table
    for entrant, day in Bye.objects.filter(matchday__in=days).values_list("entrant_id", "matchday__number"):
        sitting.setdefault(entrant, {})[day] = 0
    found = tournament.entrants.select_related("player").order_by("id")
    return {one.player.name: (one.state, sitting.get(one.pk, {})) for one in found}


def compare_places(before: Places, after: Places) -> list[PlacesChange]:
    """Everybody for whom something changes, by name."""
    nowhere: tuple[str, dict[int, int]] = ("", {})
    changes = []
    for name in sorted(before.keys() | after.keys()):
        (state, days), (state_after, days_after) = before.get(name, nowhere), after.get(name, nowhere)
        if (state, days) != (state_after, days_after):
            changes.append(PlacesChange(name, days, days_after, state, state_after))
    return changes


def can_swap_days(stage: Stage) -> bool:
    """Whether whole matchdays can change places: their tables do not follow from results, and no bracket leads on."""
    made = FORMATS[stage.format]
    return not made.needs_results and not made.runs_on and not made.has_bracket


def find_merge_choices(tournament: Tournament, organiser_id: int | None) -> list[Tournament]:
    """Other events of the organiser's that take entries, for the same kind of table and of players."""
    if tournament.state != TournamentState.OPEN:
        return []
    open_ones = Tournament.objects.filter(organiser_id=organiser_id, state=TournamentState.OPEN)
    alike = open_ones.filter(table_kind=tournament.table_kind, entry_kind=tournament.entry_kind)
    return list(alike.exclude(pk=tournament.pk).defer("seed", "secret").order_by("name")[:50])


def find_stage_of(tournament: Tournament, number: int) -> Stage:
    stage = Stage.objects.select_related("tournament").filter(tournament=tournament, number=number).first()
    if stage is None:
        raise LeagueError("no_stage", N_("There is no stage %(number)s."), status=404, number=number)
    return stage


def find_table_of(stage: Stage, matchday: int, table: int) -> int:
    """The fixture's number."""
    found = Fixture.objects.filter(matchday__stage=stage, matchday__number=matchday, table=table)
    fixture_id: int | None = found.values_list("pk", flat=True).first()
    if fixture_id is None:
        raise LeagueError("no_table", N_("There is no such table."), status=404)
    return fixture_id


def require_entrant(tournament: Tournament, entrant_id: int) -> int:
    if not tournament.entrants.filter(pk=entrant_id).exists():
        raise LeagueError("no_entrant", N_("There is no entrant %(number)s."), status=404, number=entrant_id)
    return entrant_id


def list_playing(stage: Stage, matchday: int) -> list[str]:
    """Names of those who sit at a table of a matchday, as far as it is drawn."""
    sitting = Entrant.objects.filter(
        fixture_seats__fixture__matchday__stage=stage, fixture_seats__fixture__matchday__number=matchday
    )
    return list(sitting.order_by("player__name").values_list("player__name", flat=True).distinct())


def has_table(tournament: Tournament, fixture_id: int) -> bool:
    return Fixture.objects.filter(pk=fixture_id, matchday__stage__tournament=tournament).exists()
