"""One tournament audited: its chain, rules, draws, seats, tables and standings, each against what it follows from."""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch, Q

from aurum_league.common.proofs import digest_version
from bots.models import BotVersion
from games.models import Match, MatchSeat, MatchState, PlayerKind, ResultKind
from games.rules.deal import commitment, derive_seed, draw_first_seat
from games.selectors.matches import tell_versions
from games.services.players import agent_of
from tournaments.models import (
    Bye,
    Fixture,
    FixtureMatch,
    FixtureSeat,
    FixtureState,
    MatchdayState,
    Stage,
    StageStandings,
    StageState,
    Tournament,
    TournamentState,
)
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.stage_sheet import part_by_lots, place_entrants
from tournaments.rules.story import (
    Story,
    TournamentStory,
    find_field_faults,
    find_lot_faults,
    find_played_faults,
    find_rule_faults,
    find_table_faults,
    tell_rules,
)
from tournaments.selectors.chance import find_seed_faults, seed_of
from tournaments.selectors.exports import digest_stage, find_chain_breaks, read_chain
from tournaments.selectors.leagues import make_sheet, scoring_of
from tournaments.selectors.standings import compute_stage_standings, read_fixture_results
from tournaments.services.lifecycle import list_tables
from tournaments.services.release import name_deals

CHUNK = 500


def audit_tournament(tournament: Tournament) -> Iterator[str]:
    """Fixtures, standings and the chain of one tournament."""
    name = f"Tournament {tournament.slug}"
    story = list(read_chain(tournament))
    told = TournamentStory(story)
    yield from (f"{name}: {fault}." for fault in find_seed_faults(tournament, story))
    yield from (f"{name}: {fault}." for fault in find_chain_breaks(tournament))
    yield from (f"{name}: {fault}." for fault in _audit_rules(tournament, story))
    yield from (f"{name}: {fault}." for fault in _audit_fresh(story))
    yield from (f"{name}: {fault}." for fault in _audit_decisions(tournament))
    yield from (f"{name}: {fault}." for fault in _audit_states(tournament, told, {event["kind"] for event in story}))
    yield from (f"{name}: {fault}." for fault in _audit_voids(tournament, told))
    for stage in Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number"):
        yield from (f"{name}, stage {stage.number}: {fault}." for fault in _audit_seeds(stage))
        yield from (f"{name}, stage {stage.number}: {fault}." for fault in _audit_seats(stage))
        yield from (f"{name}, stage {stage.number}: {fault}." for fault in _audit_field(stage, story))
        yield from (f"{name}, stage {stage.number}: {fault}." for fault in _audit_fixtures(stage))
        yield from (f"{name}, stage {stage.number}: {fault}." for fault in _audit_standings(stage))


def _audit_decisions(tournament: Tournament) -> Iterator[str]:
    """Versions of results that somebody is said to have decided, and that no event tells; and the other way round."""
    told = tournament.events.filter(detail__has_key="results").values_list("detail__results", flat=True)
    kept = {(int(match_id), digest) for results in told for match_id, digest in results.items()}
    is_decided = ~Q(result__kind=ResultKind.PLAYED) | Q(result__version__gt=1)
    own = Match.objects.filter(fixture_match__stage__tournament=tournament, state=MatchState.FINISHED)
    decided = own.filter(is_decided, result__isnull=False)
    found = set()
    for match in decided.select_related("result").order_by("pk"):
        for version in tell_versions(match, is_sealed=False):
            if version["kind"] != ResultKind.PLAYED:
                found.add((match.pk, digest_version(match.pk, version)))
    for match_id in sorted({match_id for match_id, _ in found - kept}):
        yield f"no event tells a version of the result of match {match_id}"
    for match_id in sorted({match_id for match_id, _ in kept - found}):
        yield f"an event tells a version of the result of match {match_id} that is not there"


def _audit_seeds(stage: Stage) -> Iterator[str]:
    """Matches that are not dealt from the tournament's seed: whoever changed a seed changed its commitment too."""
    seed, sheet = bytes(stage.tournament.seed or b""), make_sheet(stage.tournament, stage)
    links = FixtureMatch.objects.filter(stage=stage).order_by("match_id")
    columns = ("match_id", "fixture__matchday__number", "fixture__table", "number", "match__commitment", "match__deals")
    for match_id, day, table, number, kept, deals in links.values_list(*columns).iterator(chunk_size=CHUNK):
        own = derive_seed(seed, sheet.label_match(day, table, number))
        if commitment(own) != kept or name_deals(own) != deals:
            yield f"match {match_id} is not dealt from the tournament's seed"
    for match_id, ruleset in links.exclude(match__ruleset=stage.tournament.ruleset).values_list(
        "match_id", "match__ruleset"
    ):
        yield f"match {match_id} is of {ruleset}, and the tournament of {stage.tournament.ruleset}"


def _audit_seats(stage: Stage) -> Iterator[str]:
    """Matches whose seats are not those that their table was drawn for."""
    sheet, entrants, members = make_sheet(stage.tournament, stage), _read_tables(stage), _read_members(stage.tournament)
    links = (
        FixtureMatch.objects.filter(stage=stage)
        .select_related("match")
        .prefetch_related(Prefetch("match__seats", MatchSeat.objects.select_related("player").order_by("seat")))
    )
    for link in links.order_by("match_id").iterator(chunk_size=CHUNK):
        first = draw_first_seat(bytes(link.match.seed), len(link.entrants))
        seated = sheet.seat_entrants(entrants[link.fixture_id], link.number, first)
        if seated != link.entrants:
            yield f"match {link.match_id} has the entrants {link.entrants} by seat, and its table seats {seated}"
        for seat, entrant in zip(link.match.seats.all(), link.entrants, strict=True):
            if entrant != HOUSE and seat.player_id not in members[entrant]:
                yield f"player {seat.player_id} sits at match {link.match_id}, and not for entrant {entrant}"
            if not _is_own_agent(seat):
                yield f"player {seat.player_id} was played by {seat.agent} at match {link.match_id}"


def _is_own_agent(seat: MatchSeat) -> bool:
    """Whether what held a seat is its player's: a house bot's brain, a bot's own version or connection, a person."""
    kind, ref = seat.player.kind, seat.ref
    if kind == PlayerKind.HOUSE:
        return ref == agent_of(seat.player)
    if kind == PlayerKind.BOT and ref.is_version:
        return BotVersion.objects.filter(pk=ref.number, bot__player=seat.player_id).exists()
    return ref.is_connected if kind == PlayerKind.BOT else ref.is_person


def _read_tables(stage: Stage) -> dict[int, list[int]]:
    """Who sits at each table, by the positions it was drawn with."""
    tables: dict[int, list[int]] = defaultdict(list)
    seats = FixtureSeat.objects.filter(fixture__matchday__stage=stage).order_by("fixture_id", "position")
    for fixture_id, entrant_id in seats.values_list("fixture_id", "entrant_id"):
        tables[fixture_id].append(entrant_id or HOUSE)
    return tables


def _read_members(tournament: Tournament) -> dict[int, set[int]]:
    """Players who may have sat for an entrant: its own, and those of whom it replaced."""
    columns = ("id", "replaces_id", "player_id", "player__team__first_id", "player__team__second_id")
    rows = {entrant: told for entrant, *told in tournament.entrants.values_list(*columns)}
    members: dict[int, set[int]] = {}
    for entrant in rows:
        found, one = set(), entrant
        while one is not None:
            one, *players = rows[one]
            found.update(players)
        members[entrant] = found - {None}
    return members


def _audit_rules(tournament: Tournament, story: Story) -> Iterator[str]:
    yield from find_rule_faults(story, tell_rules(tournament, tournament.stages.order_by("number")))
    if tournament.seed is not None:
        yield from find_lot_faults(story, bytes(tournament.seed))


def _audit_field(stage: Stage, story: Story) -> Iterator[str]:
    """Who is in a stage, who met at its tables and who rested, as the draws told it."""
    yield from find_field_faults(story, stage.number, stage.field, stage.options.get("divisions"))
    entrants = _read_tables(stage)
    links = FixtureMatch.objects.filter(stage=stage).order_by("fixture", "-match__is_rated").distinct("fixture")
    columns = ("fixture", "fixture__matchday__number", "fixture__table", "fixture__slot", "match__is_rated")
    tables = {
        (day, table): (slot, entrants[fixture], is_rated)
        for fixture, day, table, slot, is_rated in links.values_list(*columns)
    }
    byes = Bye.objects.filter(matchday__stage=stage).exclude(matchday__state=MatchdayState.DRAWN)
    yield from find_table_faults(story, stage.number, tables, byes.values_list("matchday__number", "entrant_id"))
    if stage.state == StageState.FINISHED:
        yield from find_played_faults(story, stage.number, digest_stage(stage))


def _audit_fresh(story: Story) -> Iterator[str]:
    """New matches that are not on the deals that were committed to when they were begun."""
    begun = [event["detail"] for event in story if event["kind"] == "fresh_begun"]
    kept = dict(Match.objects.filter(pk__in=[one["fresh"] for one in begun]).values_list("pk", "commitment"))
    for one in begun:
        if kept.get(one["fresh"]) != one["commitment"]:
            yield f"match {one['fresh']} is not on the deals that it was begun with"


def _audit_states(tournament: Tournament, told: TournamentStory, kinds: set[str]) -> Iterator[str]:
    """The tournament's state and everybody's, and who plays for whom, as the chain tells them."""
    for state in (TournamentState.FINISHED, TournamentState.CANCELLED):
        if (tournament.state == state) != (state.value in kinds):
            yield f"it is {tournament.state}, and the chain does not say so"
    columns = ("id", "state", "replaces_id", "player_id", "left_on", "entered_on")
    entrants: list[dict[str, Any]] = [{**row} for row in tournament.entrants.order_by("id").values(*columns)]
    replaced = {entrant["replaces_id"] for entrant in entrants}
    for entrant in entrants:
        number = entrant["id"]
        right: dict[str, Any] = {"state": "replaced" if number in replaced else told.states.get(number)}
        if number not in replaced:
            right |= {"player_id": told.players.get(number, entrant["player_id"])}
        if number not in replaced and told.is_whole:
            right |= {"left_on": told.left_on.get(number), "entered_on": told.entered_on.get(number, 1)}
        for name, value in right.items():
            if entrant[name] != value:
                yield f"entrant {number} has {name} {entrant[name]}, and the chain says {value}"


def _audit_voids(tournament: Tournament, told: TournamentStory) -> Iterator[str]:
    """Tables that nobody made void, and those that somebody did and that count."""
    if not told.is_whole:
        return
    void = Fixture.objects.filter(matchday__stage__tournament=tournament, state=FixtureState.VOID)
    kept = {tuple(row) for row in list_tables(void)}
    for stage, day, table in sorted(kept ^ told.void_tables):
        is_void = "is void" if (stage, day, table) in kept else "is not void"
        yield f"table {table} of matchday {day} in stage {stage} {is_void}, and the chain does not say so"
    links = FixtureMatch.objects.filter(stage__tournament=tournament, match__state=MatchState.VOID)
    for match_id in links.exclude(fixture__state=FixtureState.VOID).values_list("match_id", flat=True):
        yield f"match {match_id} is void, and its table is not"


def _audit_fixtures(stage: Stage) -> Iterator[str]:
    tournament, sheet = stage.tournament, make_sheet(stage.tournament, stage)
    settled = Fixture.objects.filter(matchday__stage=stage, state=FixtureState.SETTLED).order_by("id")
    fixtures = {fixture.id: fixture for fixture in settled.select_related("matchday")}
    results = read_fixture_results(list(fixtures), TableKind(tournament.table_kind))
    entrants: dict[int, list[int]] = {fixture_id: [] for fixture_id in fixtures}
    seats = FixtureSeat.objects.filter(fixture_id__in=fixtures).order_by("fixture_id", "position")
    for fixture_id, entrant_id in seats.values_list("fixture_id", "entrant_id"):
        entrants[fixture_id].append(entrant_id or HOUSE)
    for fixture in fixtures.values():
        about = f"table {fixture.table} of matchday {fixture.matchday.number}"
        if not results[fixture.id]:
            yield f"{about} is settled and has no results"
            continue
        places = place_entrants(entrants[fixture.id], results[fixture.id], scoring_of(stage))
        if ["lots", []] in fixture.why:
            purpose = sheet.label_lots(fixture.matchday.number, fixture.table)
            places = part_by_lots(entrants[fixture.id], places, seed_of(tournament), purpose)
        if list(places) != fixture.places:
            yield f"{about} has the places {fixture.places}, and its matches give {list(places)}"


def _audit_standings(stage: Stage) -> Iterator[str]:
    stored = StageStandings.objects.filter(stage=stage, version=stage.results_version).first()
    if stored is None:
        return
    computed = json.loads(json.dumps(compute_stage_standings(stage.tournament, stage)))
    kept = [{name: value for name, value in row.items() if name != "certainty"} for row in stored.rows]
    if len(kept) != len(computed):
        yield f"its standings have {len(kept)} rows, and its results give {len(computed)}"
        return
    for row, right in zip(kept, computed, strict=True):
        for name in right:
            if row.get(name) != right[name]:
                yield f"entrant {row['entrant']} has {name} {row.get(name)}, and the results give {right[name]}"
