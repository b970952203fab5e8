"""What a tournament's archive tells beside its records, so that everything that counts can be computed without us."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch, Q

from games.models import Match, MatchSeat, MatchState, Player
from games.selectors.matches import earlier_records_of, record_of, tell_versions
from tournaments.models import (
    Bye,
    Entrant,
    Fixture,
    FixtureMatch,
    FixtureSeat,
    MatchdayState,
    Stage,
    StageStandings,
    Tournament,
)
from tournaments.rules.formats.catalogue import FORMATS
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.stage_sheet import StageSheet, count_fixture_points
from tournaments.selectors.results import list_sealed_matches, read_fixture_results
from tournaments.selectors.stages import make_sheet

CHUNK = 500

Row = dict[str, Any]


def list_archived_stages(tournament: Tournament) -> Iterator[Row]:
    """A row a stage: how it is drawn and counted, who is in it, and who rested when."""
    for stage in tournament.stages.order_by("number"):
        byes = Bye.objects.filter(matchday__stage=stage).exclude(matchday__state=MatchdayState.DRAWN)
        sheet = make_sheet(tournament, stage)
        yield {
            "stage": stage.number,
            "name": stage.name,
            "format": stage.format,
            "options": stage.options,
            "state": stage.state,
            "points": stage.points,
            "tiebreaks": stage.tiebreaks,
            "block_deals": stage.block_deals,
            "matches_each": None if stage.block_deals else stage.matches_each,
            "field": stage.field,
            "entered": [sheet.entered[one] for one in stage.field] if FORMATS[stage.format].has_divisions else None,
            "final_places": stage.final_places,
            "byes": [list(pair) for pair in byes.order_by("id").values_list("matchday__number", "entrant_id")],
            "results_version": stage.results_version,
        }


def list_archived_entrants(tournament: Tournament) -> Iterator[Row]:
    """A row an entrant, with the players who sit for it: two for a team."""
    entrants = Entrant.objects.filter(tournament=tournament).select_related("player", "player__team")
    for entrant in entrants.order_by("id").iterator(chunk_size=CHUNK):
        team = getattr(entrant.player, "team", None)
        yield {
            "entrant": entrant.id,
            "player": entrant.player_id,
            "members": [team.first_id, team.second_id] if team else [entrant.player_id],
            "state": entrant.state,
            "left_on": entrant.left_on,
            "replaces": entrant.replaces_id,
        }


def list_archived_players(tournament: Tournament, rated: set[int]) -> Iterator[Row]:
    """A row for everybody who is named by a number elsewhere in the archive."""
    of_tournament = Q(entries__tournament=tournament) | Q(
        pk__in=MatchSeat.objects.filter(match__fixture_match__stage__tournament=tournament).values("player_id")
    )
    players = Player.objects.filter(of_tournament | Q(pk__in=rated)).distinct().order_by("pk")
    for row in players.values("pk", "name", "slug", "kind"):
        yield {"player": row["pk"], "name": row["name"], "address": row["slug"], "kind": row["kind"]}


def list_archived_fixtures(tournament: Tournament) -> Iterator[Row]:
    """A row a table that was released: who sat there, its places and the points that its matches gave."""
    kind = TableKind(tournament.table_kind)
    for stage in tournament.stages.order_by("number"):
        sheet = make_sheet(tournament, stage)
        released = Fixture.objects.filter(matchday__stage=stage).exclude(matchday__state=MatchdayState.DRAWN)
        ids = list(released.order_by("matchday__number", "table").values_list("id", flat=True))
        for start in range(0, len(ids), CHUNK):
            yield from _tell_fixtures(sheet, kind, ids[start : start + CHUNK])


def _tell_fixtures(sheet: StageSheet, kind: TableKind, ids: list[int]) -> Iterator[Row]:
    seats: dict[int, list[int]] = defaultdict(list)
    found = FixtureSeat.objects.filter(fixture_id__in=ids).order_by("fixture_id", "position")
    for fixture_id, entrant_id in found.values_list("fixture_id", "entrant_id"):
        seats[fixture_id].append(entrant_id or HOUSE)
    results = read_fixture_results(ids, kind)
    fixtures = Fixture.objects.select_related("matchday").in_bulk(ids)
    for fixture_id in ids:
        fixture = fixtures[fixture_id]
        is_settled = fixture.state == "settled"
        yield {
            "stage": sheet.number,
            "matchday": fixture.matchday.number,
            "table": fixture.table,
            "slot": fixture.slot,
            "state": fixture.state,
            "entrants": seats[fixture_id],
            "places": fixture.places if is_settled else None,
            "points": count_fixture_points(sheet, seats[fixture_id], results[fixture_id]) if is_settled else None,
            "lots": f"table {fixture.slot} {fixture.id}" if ["lots", []] in fixture.why else None,
        }


def list_archived_matches(tournament: Tournament) -> Iterator[Row]:
    """A row a match of the tournament: where it was played, by whom, what counts, every version of its result."""
    sealed = list_sealed_matches(tournament)
    sheets = {stage.pk: make_sheet(tournament, stage) for stage in tournament.stages.all()}
    seats = Prefetch("match__seats", MatchSeat.objects.order_by("seat"))
    links = FixtureMatch.objects.filter(stage__tournament=tournament).select_related(
        "match__result", "fixture__matchday"
    )
    for link in links.prefetch_related(seats).order_by("match_id").iterator(chunk_size=CHUNK):
        match, day, table = link.match, link.fixture.matchday.number, link.fixture.table
        has_result = match.state == MatchState.FINISHED
        sheet = sheets[link.stage_id]
        yield {
            "match": match.pk,
            "stage": sheet.number,
            "matchday": day,
            "table": table,
            "number": link.number,
            "state": match.state,
            "counts": link.fixture.state,
            "is_rated": match.is_rated,
            "commitment": match.commitment,
            "label": sheet.label_match(day, table, link.number),
            "entrants": link.entrants,
            "players": [seat.player_id for seat in match.seats.all()],
            "places": match.result.counted_places if has_result else None,
            "forfeits": match.result.forfeits if has_result else None,
            "early": match.result.early if has_result else None,
            "share": match.share,
            "exact_bids": match.result.exact_bids if has_result and match.pk not in sealed else None,
            "first_seat": match.result.first_seat if has_result else None,
            "versions": tell_versions(match, is_sealed=match.pk in sealed),
        }


def list_archived_standings(tournament: Tournament) -> Iterator[Row]:
    """The standings as they were shown last, a row an entrant, with the version of the results they were made from."""
    for stage in Stage.objects.filter(tournament=tournament).order_by("number"):
        stored = StageStandings.objects.filter(stage=stage).first()
        for row in stored.rows if stored else ():
            yield {"stage": stage.number, "results_version": stored.version if stored else 0, **row}


def list_recorded(tournament: Tournament) -> list[tuple[int, int]]:
    """Matches that may have records, each with the version of its result that counts now."""
    sealed = list_sealed_matches(tournament)
    links = FixtureMatch.objects.filter(stage__tournament=tournament, match__state=MatchState.FINISHED)
    found = links.order_by("match_id").values_list("match_id", "match__result__version")
    return [(match_id, version) for match_id, version in found if match_id not in sealed]


def read_archived_records(recorded: list[tuple[int, int]]) -> Iterator[Row]:
    """Every version of these results that was played."""
    seats = Prefetch("seats", MatchSeat.objects.select_related("player").order_by("seat"))
    for start in range(0, len(recorded), CHUNK):
        versions = dict(recorded[start : start + CHUNK])
        matches = Match.objects.filter(pk__in=versions).select_related("result__record_match").prefetch_related(seats)
        for match in matches.order_by("pk"):
            if match.result.version != versions[match.pk]:
                raise RuntimeError(f"match {match.pk} got another result while its archive was written: ask again")
            yield from earlier_records_of(match)
            if not match.result.is_by_hand:
                yield record_of(match)
