"""A tournament as plain rows for files, and what its archive holds so that it can be checked without the site."""

import hashlib
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.db import connection

from aurum_league.common.files import Row
from aurum_league.common.proofs import find_breaks, first_link, read_public_key, tell_event
from aurum_league.common.site_events import find_site_head
from games.models import MatchState
from games.rules.outcome import count_places
from tournaments.models import Entrant, Fixture, FixtureMatch, MatchdayState, Stage, Tournament, TournamentEvent
from tournaments.rules.formats import FORMATS
from tournaments.rules.story import PLAYED_COLUMNS
from tournaments.selectors.chance import revealed_parts
from tournaments.selectors.entrants import name_field
from tournaments.selectors.leagues import list_stages
from tournaments.selectors.schedule import read_bracket, show_tables
from tournaments.selectors.standings import read_standings, revealed_seed
from tournaments.selectors.statistics import read_bids, read_crosstable


def read_chain(tournament: Tournament) -> Iterator[dict[str, Any]]:
    """Every event of a tournament in the order of their numbers."""
    for event in TournamentEvent.objects.filter(tournament=tournament).order_by("number").iterator(chunk_size=500):
        yield tell_event(event)


def find_chain_breaks(tournament: Tournament) -> list[str]:
    return list(find_breaks(first_link(tournament.pk, tournament.commitment), read_chain(tournament)))


def read_site_head() -> str:
    """One digest over the newest event of every tournament, in the order of their numbers: kept by anybody, it binds
    the whole site to what had happened by then."""
    newest = TournamentEvent.objects.order_by("tournament_id", "-number").distinct("tournament_id")
    total = hashlib.sha256()
    for tournament_id, number, digest in newest.values_list("tournament_id", "number", "digest").iterator():
        total.update(f"{tournament_id} {number} {digest}\n".encode())
    return total.hexdigest()


_PLAYED = f"""
    SELECT encode(sha256(convert_to(coalesce(string_agg(concat_ws(' ', match.id, {
    ", ".join(
        f"coalesce(translate(first.content ->> '{name}', '[] ', '{{}}'), result.{name}::text)"
        for name in PLAYED_COLUMNS
    )
}), E'\\n' ORDER BY match.id), ''), 'UTF8')), 'hex')
    FROM games_match AS match
    JOIN games_matchresult AS result ON result.match_id = match.id
    LEFT JOIN games_resultversion AS first ON first.match_id = match.id AND first.version = 1
    WHERE match.state = 'finished' AND coalesce(first.content ->> 'kind', result.kind) = 'played' AND
"""
_OF_STAGE = "match.id IN (SELECT match_id FROM tournaments_fixturematch WHERE stage_id = %s)"
_BETWEEN = """
    coalesce((first.content ->> 'settled_at')::timestamptz, result.settled_at) >= %s::timestamptz
    AND coalesce((first.content ->> 'settled_at')::timestamptz, result.settled_at) < %s::timestamptz
"""


def digest_stage(stage: Stage) -> str:
    """One digest over the first version of every result of a stage that was played, for the event of its end."""
    with connection.cursor() as cursor:
        cursor.execute(_PLAYED + _OF_STAGE, [stage.pk])
        return str(cursor.fetchone()[0])


def digest_results_between(since: str, until: str) -> str:
    """The same of everything on the site that was played to its end between two times; the second is not included."""
    with connection.cursor() as cursor:
        cursor.execute(_PLAYED + _BETWEEN, [since, until])
        return str(cursor.fetchone()[0])


FORMAT = "aurum-archive"
VERSION = 2


def make_manifest(tournament: Tournament) -> dict[str, Any]:
    """What the signature covers, beside the digests of the files: who signs, and what the chains' heads were."""
    site_events, site_chain = find_site_head()
    last = tournament.events.order_by("-number").first()
    return {
        "format": FORMAT,
        "version": VERSION,
        "tournament": tournament.pk,
        "name": tournament.name,
        "state": tournament.state,
        "ruleset": tournament.ruleset,
        "table_kind": tournament.table_kind,
        "commitment": tournament.commitment,
        "seed": revealed_seed(tournament),
        "parts": revealed_parts(tournament),
        "events": last.number if last else 0,
        "head": last.digest if last else None,
        "site_head": read_site_head(),
        "site_events": site_events,
        "site_chain": site_chain,
        "public_key": read_public_key(),
    }


CHUNK = 500


def export_standings(tournament: Tournament) -> Iterator[Row]:
    """A row an entrant and stage."""
    for stage in list_stages(tournament):
        yield from _export_stage(stage)


def _export_stage(stage: Stage) -> Iterator[Row]:
    standings = read_standings(stage)
    for line in standings.lines:
        sure = line.certainty
        yield {
            "stage": stage.name,
            "division": line.division,
            "place": line.place,
            "entrant": line.name,
            "address": line.slug,
            "state": line.state.value,
            **{name: line.values.get(name) for name in standings.chain},
            "matches": line.tally["played"],
            "wins": line.wins,
            "byes": line.tally["byes"],
            "forfeits": line.tally["forfeits"],
            "points_a_match": sure.mean if sure else None,
            "half_interval_95": sure.reach if sure else None,
            "best_place_open": sure.best if sure else None,
            "worst_place_open": sure.worst if sure else None,
            "decided_by": line.decided_by["metric"] if line.decided_by else None,
        }


def export_schedule(tournament: Tournament) -> Iterator[Row]:
    """A row a table of every matchday that is released, with the codes of why it was drawn (docs/FORMATS.md)."""
    released = Fixture.objects.filter(matchday__stage__tournament=tournament).exclude(
        matchday__state=MatchdayState.DRAWN
    )
    ordered = released.select_related("matchday__stage").order_by(
        "matchday__stage__number", "matchday__number", "table"
    )
    for start in range(0, ordered.count(), CHUNK):
        for line in show_tables(ordered[start : start + CHUNK]):
            fixture = line.fixture
            yield {
                "stage": fixture.matchday.stage.name,
                "matchday": fixture.matchday.number,
                "table": fixture.table,
                "slot": fixture.slot,
                "state": fixture.state,
                "entrants": " / ".join(seat.name or "house bot" for seat in line.seats),
                "places": " / ".join(str(seat.place or "") for seat in line.seats),
                "matches": line.matches,
                "why": " ".join(f"{code}({', '.join(map(str, numbers))})" for code, numbers in fixture.why),
                "edited": fixture.is_edited,
            }


def export_results(tournament: Tournament) -> Iterator[Row]:
    """A row a side and finished match; read as a stream."""
    names = dict(Entrant.objects.filter(tournament=tournament).values_list("id", "player__name"))
    links = FixtureMatch.objects.filter(stage__tournament=tournament, match__state=MatchState.FINISHED)
    for link in _read_results(links.order_by("match_id")):
        for side, place in enumerate(count_places(link["match__result__places"], link["match__result__forfeits"])):
            seats = range(side, len(link["entrants"]), len(link["match__result__places"]))
            players = dict.fromkeys(names.get(link["entrants"][seat], "house bot") for seat in seats)
            yield {
                "match": link["match_id"],
                "stage": link["stage__name"],
                "matchday": link["fixture__matchday__number"],
                "table": link["fixture__table"],
                "number": link["number"],
                "side": side,
                "entrants": " + ".join(players),
                "place": place,
                "nuggets": link["match__result__nuggets"][side],
                "total": link["match__result__totals"][side],
                "exact_bids": link["match__result__exact_bids"][side],
                "forfeit": any(seat in link["match__result__forfeits"] for seat in seats),
                "finished_at": link["match__finished_at"],
            }


def _read_results(links: Any) -> Iterator[dict[str, Any]]:
    columns = ("places", "nuggets", "totals", "exact_bids", "forfeits")
    return links.values(
        "match_id",
        "stage__name",
        "fixture__matchday__number",
        "fixture__table",
        "number",
        "entrants",
        "match__finished_at",
        *(f"match__result__{column}" for column in columns),
    ).iterator(chunk_size=CHUNK)


def list_finished_matches(tournament: Tournament) -> list[int]:
    """Every match that was played to its end, in the order of their numbers."""
    played = FixtureMatch.objects.filter(
        stage__tournament=tournament, match__state=MatchState.FINISHED, match__result__is_by_hand=False
    )
    return list(played.order_by("match_id").values_list("match_id", flat=True))


MOST_ENTRANTS = 200
"""Of a larger field a crosstable holds the best: every cell is kept for everybody who asks again."""


def export_crosstable(tournament: Tournament) -> Iterator[Row]:
    """A row for each ordered pair that met in a stage."""
    for stage in list_stages(tournament):
        table = read_crosstable(stage, limit=MOST_ENTRANTS)
        names = dict(table.entrants)
        for (own, other), cell in sorted(table.cells.items()):
            yield {"stage": stage.name, "entrant": names[own], "opponent": names[other], **asdict(cell)}


def export_bracket(tournament: Tournament) -> Iterator[Row]:
    """A row a seat of every table of a knockout that was released; `source` is the table its entrant came from."""
    for stage in list_stages(tournament):
        if FORMATS[stage.format].has_bracket:
            yield from _export_tables(stage)


def _export_tables(stage: Stage) -> Iterator[Row]:
    for line in read_bracket(stage):
        for number, (seat, source) in enumerate(zip(line.table.seats, line.sources, strict=True)):
            yield {
                "stage": stage.name,
                "wave": line.wave,
                "slot": line.slot,
                "state": line.table.fixture.state,
                "seat": number,
                "entrant": seat.name or "house bot",
                "address": seat.slug,
                "place": seat.place,
                "source": source,
            }


def export_statistics(tournament: Tournament) -> Iterator[Row]:
    """A row an entrant and stage: sums over its rounds, and the share of exact bids with its interval."""
    for stage in list_stages(tournament):
        names = name_field(stage)
        known = ((entrant, bids) for entrant, bids in read_bids([stage]).items() if entrant in names)
        for entrant, bids in known:
            sums = asdict(bids)
            del sums["id"]
            ends = sums.pop("ends")
            yield {"stage": stage.name, "entrant": names[entrant], **sums, **ends, "exact_share": bids.exact_share}
