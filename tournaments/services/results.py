"""Counting results: matches that ended make fixtures whole, and the standings kept from them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Count
from django.utils import timezone

from aurum_league.common.errors import N_, LeagueError
from aurum_league.common.sql import array_text, execute_together
from games.models import Match, MatchState
from games.models.match import ENDED
from games.selectors.matches import untouched_matches
from games.signals import SettledMatch
from tournaments.models import Fixture, FixtureSeat, FixtureState, Stage, StageStandings
from tournaments.rules.formats import FORMATS
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.stage_sheet import measure_certainty, part_by_lots, place_entrants, table_result
from tournaments.rules.standings import TableResult
from tournaments.selectors.chance import seed_of
from tournaments.selectors.leagues import make_sheet, scoring_of
from tournaments.selectors.standings import (
    compute_stage_standings,
    read_fixture_results,
    read_stage_results,
)
from tournaments.services.lifecycle import nudge_tournament_on_commit, tell_on_commit

RESULTS_A_SECOND = 2000
"""While a stage plays, standings wait a second and one more for so many rows: large ones must not eat the workers."""


def refresh_standings(*, stage_id: int, is_final: bool = False) -> bool:
    """Bring the snapshot up to the stage's results; False where it is recent enough or already is."""
    stage = Stage.objects.select_related("tournament").get(pk=stage_id)
    stored = StageStandings.objects.filter(stage=stage).first()
    if stored is not None and not is_final:
        pause = timedelta(seconds=1 + sum(row["tally"]["played"] for row in stored.rows) / 3 / RESULTS_A_SECOND)
        if stored.version == stage.results_version or timezone.now() < stored.computed_at + pause:
            return False
    rows = _compute_rows(stage)
    with transaction.atomic():
        is_newer = StageStandings.objects.filter(stage=stage, version__lte=stage.results_version)
        if not is_newer.update(version=stage.results_version, rows=rows, computed_at=timezone.now()):
            StageStandings.objects.get_or_create(stage=stage, defaults={"version": stage.results_version, "rows": rows})
    return True


def _compute_rows(stage: Stage) -> list[dict[str, Any]]:
    """Places, and how sure they are, from one reading of the results: a page only reads what stands here."""
    tournament = stage.tournament
    results = read_stage_results(stage, TableKind(tournament.table_kind))
    certainty = measure_certainty(make_sheet(tournament, stage), results)
    rows = compute_stage_standings(tournament, stage, results)
    for row in rows:
        sure = certainty.get(row["entrant"])
        row["certainty"] = asdict(sure) if sure else None
    return rows


MOST_REPLAYS = 2

_LINKS = """
    SELECT match_id, fixture_id, stage_id, entrants FROM tournaments_fixturematch
    WHERE match_id = ANY(%s::bigint[]) ORDER BY match_id
"""
_SEATS = """
    SELECT fixture_id, entrant_id FROM tournaments_fixtureseat
    WHERE fixture_id IN (SELECT fixture_id FROM tournaments_fixturematch WHERE match_id = ANY(%s::bigint[]))
    ORDER BY fixture_id, position
"""
_COUNT_DOWN = """
    WITH locked AS MATERIALIZED (
        SELECT id FROM tournaments_fixture WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE tournaments_fixture AS f SET open_matches = f.open_matches - done.matches
    FROM unnest(%s::bigint[], %s::int[]) AS done (id, matches) JOIN locked USING (id)
    WHERE f.id = done.id AND f.state = 'pending' RETURNING f.id, f.open_matches
"""
_SETTLE = """
    UPDATE tournaments_fixture AS f SET state = 'settled', places = done.places::smallint[]
    FROM unnest(%s::bigint[], %s::text[]) AS done (id, places) WHERE f.id = done.id
"""
_BUMP = """
    UPDATE tournaments_stage SET results_version = results_version + 1
    WHERE id IN (SELECT id FROM tournaments_stage WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE)
    RETURNING id, tournament_id, results_version
"""


class _Link(NamedTuple):
    """A settled match of a fixture, with its entrants by seat."""

    match_id: int
    fixture_id: int
    stage_id: int
    entrants: list[int]


def count_settled_matches(*, matches: Sequence[SettledMatch]) -> None:
    """Count matches that have just been settled for their fixtures; few queries however many they are."""
    settled = {match.id: match for match in matches}
    links, entrants = _read_links(sorted(settled))
    if not links:
        return
    stages = Stage.objects.select_related("tournament").in_bulk({link.stage_id for link in links})
    whole, places = _count_down(Counter(link.fixture_id for link in links)), dict[int, Sequence[int]]()
    for stage in stages.values() if whole else ():
        mine = [link for link in links if link.stage_id == stage.id and link.fixture_id in whole]
        places |= _place_fixtures(stage, _gather_results(stage, mine, settled), entrants)
    bump_results({link.stage_id for link in links}, can_advance=bool(whole), places=places)


def _read_links(match_ids: Sequence[int]) -> tuple[list[_Link], dict[int, list[int]]]:
    """With who sits at their fixtures, which does not change once a match of it was played."""
    asked = array_text(match_ids)
    with connection.cursor() as cursor:
        links, seats = execute_together(cursor, _LINKS, _SEATS, params=[asked, asked])
    return [_Link(*row) for row in links], _seat_entrants(seats)


def _seat_entrants(seats: Iterable[tuple[int, int | None]]) -> dict[int, list[int]]:
    entrants: dict[int, list[int]] = defaultdict(list)
    for fixture_id, entrant_id in seats:
        entrants[fixture_id].append(entrant_id or HOUSE)
    return entrants


def settle_fixtures(stage: Stage, results: dict[int, list[TableResult]]) -> None:
    """Write the places of fixtures that are whole; their rows are locked."""
    seats = FixtureSeat.objects.filter(fixture_id__in=results).order_by("fixture_id", "position")
    entrants = _seat_entrants(seats.values_list("fixture_id", "entrant_id"))
    with connection.cursor() as cursor:
        cursor.execute(_SETTLE, _settle_values(_place_fixtures(stage, results, entrants)))


def _settle_values(places: Mapping[int, Sequence[int]]) -> list[Any]:
    ids = sorted(places)
    return [ids, [array_text(places[one]) for one in ids]]


def _place_fixtures(
    stage: Stage, results: dict[int, list[TableResult]], entrants: Mapping[int, list[int]]
) -> dict[int, Sequence[int]]:
    """By fixture, from its results and from who sits there; lots part those of a bracket that would tie for ever."""
    scoring = scoring_of(stage)
    ids = sorted(results)
    places: dict[int, Sequence[int]] = {one: place_entrants(entrants[one], results[one], scoring) for one in ids}
    if FORMATS[stage.format].has_bracket:
        sheet = make_sheet(stage.tournament, stage)
        for fixture in _find_last_replays(stage, ids):
            lots = (seed_of(stage.tournament), sheet.label_lots(fixture.matchday.number, fixture.table))
            places[fixture.id] = part_by_lots(entrants[fixture.id], places[fixture.id], *lots)
            fixture.why = [*fixture.why, ["lots", []]]
            fixture.save(update_fields=("why",))
    return places


def _find_last_replays(stage: Stage, fixture_ids: Sequence[int]) -> list[Fixture]:
    """Tables of a bracket that were played again often enough: bots that play alike would tie for ever."""
    slots = dict(
        Fixture.objects.filter(matchday__stage=stage)
        .exclude(state=FixtureState.VOID)
        .values_list("slot")
        .annotate(times=Count("id"))
    )
    fixtures = Fixture.objects.filter(id__in=fixture_ids).exclude(slot="").select_related("matchday")
    return [one for one in fixtures if slots.get(one.slot, 0) > MOST_REPLAYS]


def bump_results(
    stage_ids: set[int], *, can_advance: bool = True, places: Mapping[int, Sequence[int]] | None = None
) -> None:
    """Note that results of these stages changed, tell open pages, and have a worker see what follows, if anything.

    With the places of fixtures that are whole, if there are any to write.
    """
    statements = (_SETTLE, _BUMP) if places else (_BUMP,)
    with connection.cursor() as cursor:
        params = [*(_settle_values(places) if places else ()), sorted(stage_ids)]
        for stage_id, tournament_id, version in execute_together(cursor, *statements, params=params)[-1]:
            tell_on_commit(tournament_id, {"kind": "results", "stage": stage_id, "version": version})
            if can_advance:
                nudge_tournament_on_commit(tournament_id)


def lock_fixtures(fixture_ids: Sequence[int]) -> list[Fixture]:
    """These fixtures, locked in the order of their ids."""
    found = Fixture.objects.filter(id__in=fixture_ids).order_by("id")
    return list(found.select_for_update(no_key=True, of=("self",)))


def _count_down(done: Counter[int]) -> set[int]:
    """The fixtures that these matches made whole; a fixture that is void by now is passed over."""
    ids = sorted(done)
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_DOWN, [ids, ids, [done[fixture_id] for fixture_id in ids]])
        return {fixture_id for fixture_id, left in cursor.fetchall() if left == 0}


def _gather_results(
    stage: Stage, links: Sequence[_Link], settled: dict[int, SettledMatch]
) -> dict[int, list[TableResult]]:
    """Results by fixture: of single matches from the matches in hand, of all others read back."""
    kind = TableKind(stage.tournament.table_kind)
    if stage.block_deals or stage.matches_each > 1:
        return read_fixture_results(sorted({link.fixture_id for link in links}), kind)
    results = {}
    for link in links:
        summary = settled[link.match_id].summary
        results[link.fixture_id] = [
            table_result(
                kind,
                link.fixture_id,
                link.entrants,
                summary.places,
                summary.nuggets,
                summary.totals,
                summary.exact_bids,
                summary.forfeits,
                summary.first_seat,
            )
        ]
    return results


def void_fixture(stage: Stage, fixture_id: int) -> None:
    """Make a fixture void in whole, for a block or a set counts only when it is whole; refused while one is under way.

    The caller holds the tournament's lock.
    """
    matches = Match.objects.filter(fixture_match__fixture=fixture_id).order_by("id")
    locked = list(matches.only("id", "state").select_for_update(no_key=True, of=("self",)))
    untouched = set(untouched_matches().filter(fixture_match__fixture=fixture_id).values_list("id", flat=True))
    for match in locked:
        if match.id not in untouched and match.state not in (*ENDED, MatchState.QUARANTINED):
            raise LeagueError(
                "match_under_way",
                N_("Match %(number)s of this table is under way."),
                N_("Wait for its end, or let a seat forfeit."),
                status=409,
                number=match.id,
            )
    open_matches = [match.id for match in locked if match.state not in ENDED]
    Match.objects.filter(id__in=open_matches).update(state=MatchState.VOID)
    lock_fixtures([fixture_id])
    Fixture.objects.filter(id=fixture_id).update(state=FixtureState.VOID, places=[], open_matches=0)
    bump_results({stage.id})
