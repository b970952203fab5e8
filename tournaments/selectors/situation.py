"""The situation a format draws from: entrants with ratings and points, what was drawn so far, and who is kept apart."""

from dataclasses import dataclass
from functools import partial

from django.db.models import Q

from games.models import PlayerKind
from tournaments.models import (
    Bye,
    Conflict,
    Entrant,
    Fixture,
    FixtureSeat,
    Matchday,
    Stage,
    Tournament,
    TournamentState,
)
from tournaments.rules.certificate import CertificateRow, Uneven, certify, explain_row
from tournaments.rules.formats import FORMATS
from tournaments.rules.formats.format import Entry, PastMatchday, PastState, PastTable, Situation
from tournaments.rules.pairing import HOUSE, Pairing, Reason, TableKind, seat_fixture
from tournaments.rules.ratings.values import INITIAL_MU, INITIAL_SIGMA
from tournaments.rules.standings import Metric, TableResult, compute_standings
from tournaments.selectors.entrants import read_entrant_ratings
from tournaments.selectors.leagues import format_of, scoring_of
from tournaments.selectors.standings import read_stage_results


def read_situation(tournament: Tournament, stage: Stage) -> Situation:
    """Entries in the stage's seed order. Results are read only where the format goes by them."""
    kind = TableKind(tournament.table_kind)
    is_planned = format_of(tournament, stage).is_planned
    results = [] if is_planned else read_stage_results(stage, kind)
    return Situation(
        entries=_read_entries(tournament, stage, results),
        history=read_history(stage, kind),
        conflicts=read_conflicts(tournament),
        is_rated=tournament.is_rated,
    )


def _read_entries(tournament: Tournament, stage: Stage, results: list[TableResult]) -> tuple[Entry, ...]:
    entrants = Entrant.objects.select_related("player__team__first", "player__team__second").in_bulk(stage.field)
    ratings = read_entrant_ratings(tournament, [entrant.player_id for entrant in entrants.values()])
    scored = compute_standings(stage.field, results, scoring_of(stage), (Metric.MATCH_POINTS,)) if results else ()
    points = {row.entrant: row.values[0] or 0.0 for row in scored}
    played = {row.entrant: row.tally.played for row in scored}
    entries = []
    for entrant_id in stage.field:
        entrant = entrants[entrant_id]
        rating = ratings.get(entrant.player_id)
        entries.append(
            Entry(
                id=entrant_id,
                owners=owners_of(entrant),
                mu=rating.mu if rating else INITIAL_MU,
                sigma=rating.sigma if rating else INITIAL_SIGMA,
                points=points.get(entrant_id, 0.0),
                matches=played.get(entrant_id, 0),
                entered_on=entrant.entered_on,
                left_on=entrant.left_on,
                rests=frozenset(entrant.rests),
            )
        )
    return tuple(entries)


def owners_of(entrant: Entrant) -> frozenset[int]:
    """Whose entrant it is; house bots are nobody's."""
    player = entrant.player
    members = (player.team.first, player.team.second) if player.kind == PlayerKind.TEAM else (player,)
    return frozenset(member.owner_id for member in members if member.owner_id is not None)


def read_history(stage: Stage, kind: TableKind) -> tuple[PastMatchday, ...]:
    """Every matchday drawn so far, released or not, in order."""
    seats: dict[int, list[int]] = {}
    for fixture_id, entrant_id in (
        FixtureSeat.objects.filter(fixture__matchday__stage=stage)
        .order_by("fixture_id", "position")
        .values_list("fixture_id", "entrant_id")
    ):
        seats.setdefault(fixture_id, []).append(entrant_id or HOUSE)
    tables: dict[int, list[PastTable]] = {}
    for fixture in Fixture.objects.filter(matchday__stage=stage).order_by("matchday_id", "table"):
        pairing = Pairing(fixture.table, kind.seat(seats[fixture.id]), read_reasons(fixture), fixture.slot)
        past = PastTable(pairing, PastState(fixture.state), tuple(fixture.places))
        tables.setdefault(fixture.matchday_id, []).append(past)
    byes: dict[int, list[int]] = {}
    for matchday_id, entrant_id in (
        Bye.objects.filter(matchday__stage=stage).order_by("id").values_list("matchday_id", "entrant_id")
    ):
        byes.setdefault(matchday_id, []).append(entrant_id)
    days = Matchday.objects.filter(stage=stage).order_by("number").values_list("id", "number")
    return tuple(PastMatchday(number, tuple(tables.get(day, ())), tuple(byes.get(day, ()))) for day, number in days)


def read_reasons(fixture: Fixture) -> tuple[Reason, ...]:
    return tuple(Reason(code, tuple(numbers)) for code, numbers in fixture.why)


def read_conflicts(tournament: Tournament) -> frozenset[frozenset[int]]:
    pairs = Conflict.objects.filter(tournament=tournament).values_list("first_id", "second_id")
    return frozenset(frozenset(pair) for pair in pairs)


@dataclass(frozen=True, slots=True)
class CertifiedRow:
    """A row of a stage's certificate, and why it lies above its bound where it does."""

    row: CertificateRow
    why: Uneven | None


def certify_stage(stage: Stage) -> tuple[CertifiedRow, ...]:
    """Recounted from the stored tables; nothing where none is drawn."""
    kind = TableKind(stage.tournament.table_kind)
    days = [[table.pairing.seats for table in day.tables] for day in read_history(stage, kind)]
    if not days:
        return ()
    seatings = partial(seat_fixture, block_deals=stage.block_deals, matches=stage.matches_each)
    moved = Entrant.objects.filter(id__in=stage.field).filter(Q(left_on__isnull=False) | Q(entered_on__gt=1))
    explain = partial(
        explain_row,
        made=FORMATS[stage.format],
        has_moved=moved.exists(),
        is_edited=stage.matchdays.filter(is_edited=True).exists(),
        can_act=stage.tournament.state == TournamentState.DRAWN,
    )
    return tuple(CertifiedRow(row, explain(row)) for row in certify(days, kind, stage.field, seatings).rows)
