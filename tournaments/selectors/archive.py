"""What an archive tells beside its records, ratings too, so that everything that counts can be computed without us."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.db.models import Prefetch, Q

from games.models import Match, MatchSeat, MatchState, Player
from games.play.agents import AgentKind, AgentRef
from games.rules.match import Match as Play
from games.selectors.matches import records_until, tell_versions
from tournaments.models import (
    Bye,
    Entrant,
    Fixture,
    FixtureMatch,
    FixtureSeat,
    MatchdayState,
    Rating,
    RatingChange,
    RatingPool,
    Stage,
    StageStandings,
    Tournament,
)
from tournaments.rules.formats import FORMATS
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.ratings.listing import OFFICIAL_COLUMNS
from tournaments.rules.stage_sheet import StageSheet, count_fixture_points, place_entrants, tell_lots
from tournaments.selectors.exports import read_chain
from tournaments.selectors.leagues import make_sheet
from tournaments.selectors.rated_matches import find_anchor
from tournaments.selectors.schedule import FixtureSides, read_fixture_sides
from tournaments.selectors.standings import list_sealed_matches, read_fixture_results

CHUNK = 500

Row = dict[str, Any]


def list_archive_tables(tournament: Tournament) -> Iterator[tuple[str, Iterator[Row]]]:
    """What an archive holds beside its records; each is read to its end before the next, within one snapshot."""
    yield "stages", list_archived_stages(tournament)
    yield "entrants", list_archived_entrants(tournament)
    yield "fixtures", list_archived_fixtures(tournament)
    yield "matches", list_archived_matches(tournament)
    yield "standings", list_archived_standings(tournament)
    ratings = RatingArchive(tournament)
    yield "pools", ratings.tell_pools()
    yield "rated", ratings.tell_matches()
    yield "ratings", ratings.tell_ratings()
    yield "players", list_archived_players(tournament, ratings.players)
    yield "events", read_chain(tournament)


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
            "groups": stage.groups,
            "cut": stage.cut,
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
        lots = None
        if ["lots", []] in fixture.why:
            before = place_entrants(seats[fixture_id], results[fixture_id], sheet.scoring)
            purpose = sheet.label_lots(fixture.matchday.number, fixture.table)
            lots = tell_lots(seats[fixture_id], before, fixture.places, purpose)
        yield {
            "stage": sheet.number,
            "matchday": fixture.matchday.number,
            "table": fixture.table,
            "slot": fixture.slot,
            "state": fixture.state,
            "entrants": seats[fixture_id],
            "places": fixture.places if is_settled else None,
            "points": count_fixture_points(sheet, seats[fixture_id], results[fixture_id]) if is_settled else None,
            "lots": lots,
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


def read_archived_records(recorded: list[tuple[int, int]]) -> Iterator[tuple[Play, Row]]:
    """With its play, every version of these results that was played; what is decided after the listing is not told."""
    seats = Prefetch("seats", MatchSeat.objects.select_related("player").order_by("seat"))
    for start in range(0, len(recorded), CHUNK):
        versions = dict(recorded[start : start + CHUNK])
        matches = Match.objects.filter(pk__in=versions).select_related("result__record_match").prefetch_related(seats)
        for match in matches.order_by("pk"):
            yield from records_until(match, versions[match.pk])


MOST_MATCHES = 200_000
"""Of a larger pool an archive holds the tournament's own matches only: each step is then checked by itself."""
RATED_CHUNK = 5_000

_RATED = """
    SELECT rated.sequence, match.id, match.deals, result.places, result.forfeits,
           array_agg(seat.player_id ORDER BY seat.seat), array_agg(player.kind = 'person' ORDER BY seat.seat),
           array_agg(seat.agent ORDER BY seat.seat), match.share, result.early, result.totals
    FROM (
        SELECT match_id, min(sequence) AS sequence FROM tournaments_ratingchange
        WHERE pool_id = %s AND sequence > %s AND sequence <= %s GROUP BY match_id
    ) AS rated
    JOIN games_match AS match ON match.id = rated.match_id
    JOIN games_matchresult AS result ON result.match_id = match.id
    JOIN games_matchseat AS seat ON seat.match_id = match.id
    JOIN games_player AS player ON player.id = seat.player_id
    GROUP BY rated.sequence, match.id, result.match_id ORDER BY rated.sequence, match.id
"""


@dataclass(slots=True)
class RatingArchive:
    """The rating part of one archive, to be read within one snapshot; `players` is whom its rows name."""

    tournament: Tournament
    players: set[int] = field(default_factory=set)
    blocks: dict[Any, int] = field(default_factory=dict)

    def list_pools(self) -> list[RatingPool]:
        own = RatingChange.objects.filter(match__in=self._own_matches())
        return list(RatingPool.objects.filter(pk__in=own.values("pool_id")).order_by("pk"))

    def tell_pools(self) -> Iterator[Row]:
        for pool in self.list_pools():
            yield {
                "pool": str(pool),
                "players": pool.players,
                "is_teams": pool.is_teams,
                "entry_kind": pool.entry_kind,
                "anchor": pool.ratings.filter(player=find_anchor()).values_list("player_id", flat=True).first(),
                "sequence": pool.sequence,
                "fitted_sequence": pool.fitted_sequence,
                "rebuild_from": pool.rebuild_from,
                "is_whole": pool.sequence <= MOST_MATCHES,
            }

    def tell_matches(self) -> Iterator[Row]:
        """Every match of the pools in the order rated; steps are told of the tournament's own."""
        own = set(self._own_matches())
        for pool in self.list_pools():
            is_whole = pool.sequence <= MOST_MATCHES
            for after in range(0, pool.sequence, RATED_CHUNK):
                with connection.cursor() as cursor:
                    cursor.execute(_RATED, [pool.pk, after, min(after + RATED_CHUNK, pool.sequence)])
                    rows = [row for row in cursor.fetchall() if is_whole or row[1] in own]
                steps = self._read_steps(pool, [row[1] for row in rows if row[1] in own])
                sides = read_fixture_sides([row[1] for row in rows])
                for row in rows:
                    self.players.update(row[5])
                    yield self._tell_match(pool, row, sides.get(row[1]), steps.get(row[1]))

    def tell_ratings(self) -> Iterator[Row]:
        """Where everybody in the pools stands; of a pool that is not whole, those who played here."""
        for pool in self.list_pools():
            ratings = Rating.objects.filter(pool=pool).order_by("player_id")
            if pool.sequence > MOST_MATCHES:
                own = RatingChange.objects.filter(match__in=self._own_matches(), pool=pool)
                ratings = ratings.filter(player__in=own.values("player_id"))
            columns = ("player_id", "mu", "sigma", "matches", *OFFICIAL_COLUMNS)
            for row in ratings.values(*columns).iterator(chunk_size=RATED_CHUNK):
                self.players.add(row["player_id"])
                yield {"pool": str(pool), "player": row.pop("player_id"), **row}

    def _own_matches(self) -> Any:
        links = FixtureMatch.objects.filter(stage__tournament=self.tournament, match__is_rated=True)
        return links.values_list("match_id", flat=True)

    def _read_steps(self, pool: RatingPool, match_ids: list[int]) -> dict[int, list[Row]]:
        steps: dict[int, list[Row]] = defaultdict(list)
        columns = ("mu_before", "sigma_before", "mu_after", "sigma_after", "place", "is_forfeit")
        found = RatingChange.objects.filter(pool=pool, match_id__in=match_ids).order_by("match_id", "player_id")
        for row in found.values("match_id", "player_id", *columns):
            steps[row.pop("match_id")].append({"player": row.pop("player_id"), **row})
        return steps

    def _tell_match(
        self, pool: RatingPool, row: tuple[Any, ...], sides: FixtureSides | None, steps: list[Row] | None
    ) -> Row:
        sequence, match_id, deals, places, forfeits, players, persons, agents, share, early, totals = row
        refs = [AgentRef.parse(agent) for agent in agents]
        told = {
            "pool": str(pool),
            "sequence": sequence,
            "match": match_id,
            "players": players,
            "versions": [int(ref.id) if ref.kind is AgentKind.VERSION else 0 for ref in refs],
            "persons": persons,
            "teams": None if pool.players == 3 else list(sides.teams) if sides else [0, 0],
            "places": places,
            "forfeits": forfeits,
            "early": early,
            "totals": totals if pool.entry_kind == "bots" else None,
            "share": share,
            "block": self.blocks.setdefault(deals, len(self.blocks) + 1),
        }
        return told if steps is None else told | {"steps": steps}
