"""The audit: results from records, fixtures, standings, ratings and the chain computed again; differences in sentences.

It writes nothing and believes nothing but seeds and logs.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q

from aurum_league.common.proofs import digest_version
from aurum_league.common.site_events import find_site_breaks, has_site_digest
from aurum_league.common.sql import one_snapshot
from games.models import Match, MatchResult, MatchSeat, MatchState, ResultKind, ResultVersion
from games.play.table import Summary, summarise
from games.rules.deal import commitment, derive_seed, draw_first_seat
from games.rules.errors import IllegalAction
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.selectors.matches import tell_versions
from tournaments.models import (
    EntryKind,
    Fixture,
    FixtureMatch,
    FixtureSeat,
    FixtureState,
    RatingPool,
    Stage,
    StageStandings,
    Tournament,
    TournamentEvent,
    TournamentState,
)
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.listing import OFFICIAL_COLUMNS, rate_officially
from tournaments.rules.stage_sheet import part_by_lots, place_entrants
from tournaments.selectors.chance import find_seed_faults, seed_of
from tournaments.selectors.exports import find_chain_breaks, read_chain
from tournaments.selectors.leagues import make_sheet, scoring_of
from tournaments.selectors.rated_matches import find_anchor, read_pool_tables
from tournaments.selectors.standings import compute_stage_standings, read_fixture_results
from tournaments.services.rebuild import audit_pool

CHUNK = 500
CLOSE = 1e-6
COLUMNS = tuple(name for name in Summary.__dataclass_fields__ if name not in ("forfeits", "log"))
"""What a log and a seed decide; forfeits are no actions, so that no log tells them."""


def audit_all(newest: int | None = None) -> Iterator[str]:
    """Every difference there is; of matches only the newest so many, where a number is given."""
    yield from audit_results(newest)
    for tournament in Tournament.objects.order_by("id").iterator(chunk_size=CHUNK):
        yield from audit_tournament(tournament)
    yield from audit_ratings()
    yield from (f"The site's chain: {fault}." for fault in find_site_breaks())


def audit_results(newest: int | None = None) -> Iterator[str]:
    """Results that are not what their seeds and logs give, and seeds that are not those committed to."""
    finished = Match.objects.filter(state=MatchState.FINISHED)
    ids = list(finished.order_by("-pk").values_list("pk", flat=True)[:newest])
    for start in range(0, len(ids), CHUNK):
        chunk = Match.objects.filter(pk__in=ids[start : start + CHUNK]).select_related("result__record_match")
        for match in chunk.order_by("pk"):
            yield from (f"Match {match.pk}: {fault}." for fault in _audit_match(match))
    without = MatchResult.objects.exclude(match__state=MatchState.FINISHED).order_by("pk")
    for match_id in without.values_list("pk", flat=True):
        yield f"Match {match_id}: it has a result and is not finished."


def _audit_match(match: Match) -> Iterator[str]:
    if commitment(bytes(match.seed)) != match.commitment:
        yield "its seed is not the one that was committed to"
    result: MatchResult | None = getattr(match, "result", None)
    if result is None:
        yield "it is finished and has no result"
        return
    if result.version > 1:
        yield from _audit_versions(match, result)
    if result.is_by_hand:
        if result.kind != ResultKind.VOID and not result.reason:
            yield "its result is by hand and gives no reason"
        return
    yield from _audit_log(match.ruleset, bytes((result.record_match or match).seed), bytes(result.log), result)


def _audit_log(ruleset: str, seed: bytes, log: bytes, result: Any) -> Iterator[str]:
    try:
        play = replay(Ruleset.from_code(ruleset), seed, unpack_log(log))
    except (IllegalAction, ValueError, IndexError) as error:
        yield f"its log cannot be played again ({error})"
        return
    if play.result is None:
        yield "its log ends before the match does"
        return
    made = summarise(play)
    for name in COLUMNS:
        stored, right = getattr(result, name), getattr(made, name)
        if stored != right:
            yield f"its {name.replace('_', ' ')} are stored as {stored}, and its record gives {right}"


def _audit_versions(match: Match, result: MatchResult) -> Iterator[str]:
    kept = list(ResultVersion.objects.filter(match=match).order_by("version").values_list("version", "content"))
    if [version for version, _ in kept] != list(range(1, result.version)):
        yield f"its result is version {result.version}, and the versions before it are not all kept"
    for version, content in kept:
        if content["version"] != version or content["match_id"] != match.pk:
            yield f"version {version} of its result is another one's"


def audit_tournament(tournament: Tournament) -> Iterator[str]:
    """Fixtures, standings and the chain of one tournament."""
    name = f"Tournament {tournament.slug}"
    yield from (f"{name}: {fault}." for fault in find_seed_faults(tournament, read_chain(tournament)))
    yield from (f"{name}: {fault}." for fault in find_chain_breaks(tournament))
    yield from (f"{name}: {fault}." for fault in _audit_decisions(tournament))
    yield from (f"{name}: {fault}." for fault in _audit_states(tournament))
    for stage in Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number"):
        yield from (f"{name}, stage {stage.number}: {fault}." for fault in _audit_seeds(stage))
        yield from (f"{name}, stage {stage.number}: {fault}." for fault in _audit_seats(stage))
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


def find_lost_heads(heads: Iterable[str]) -> Iterator[str]:
    """Digests that somebody has kept, and that are in no chain any more: what they stood for was rewritten."""
    for head in heads:
        if not TournamentEvent.objects.filter(digest=head).exists() and not has_site_digest(head):
            yield f"The digest {head} is in no chain any more: what happened before it was rewritten."


def _audit_seeds(stage: Stage) -> Iterator[str]:
    """Matches that are not dealt from the tournament's seed: whoever changed a seed changed its commitment too."""
    seed, sheet = bytes(stage.tournament.seed or b""), make_sheet(stage.tournament, stage)
    links = FixtureMatch.objects.filter(stage=stage).order_by("match_id")
    columns = ("match_id", "fixture__matchday__number", "fixture__table", "number", "match__commitment")
    for match_id, day, table, number, kept in links.values_list(*columns).iterator(chunk_size=CHUNK):
        if commitment(derive_seed(seed, sheet.label_match(day, table, number))) != kept:
            yield f"match {match_id} is not dealt from the tournament's seed"


def _audit_seats(stage: Stage) -> Iterator[str]:
    """Matches whose seats are not those that their table was drawn for, and played tables that nobody made void."""
    sheet, entrants, members = make_sheet(stage.tournament, stage), _read_tables(stage), _read_members(stage.tournament)
    links = FixtureMatch.objects.filter(stage=stage).select_related("match").prefetch_related(
        Prefetch("match__seats", MatchSeat.objects.order_by("seat"))
    )
    for link in links.order_by("match_id").iterator(chunk_size=CHUNK):
        first = draw_first_seat(bytes(link.match.seed), len(link.entrants))
        seated = sheet.seat_entrants(entrants[link.fixture_id], link.number, first)
        if seated != link.entrants:
            yield f"match {link.match_id} has the entrants {link.entrants} by seat, and its table seats {seated}"
        for seat, entrant in zip(link.match.seats.all(), link.entrants, strict=True):
            if entrant != HOUSE and seat.player_id not in members[entrant]:
                yield f"player {seat.player_id} sits at match {link.match_id}, and not for entrant {entrant}"
    ended = FixtureMatch.objects.filter(fixture=OuterRef("pk"))
    made_void = Q(match__state=MatchState.VOID) | Q(match__result__kind=ResultKind.VOID)
    undone = Fixture.objects.filter(Exists(ended.filter(match__state=MatchState.FINISHED)), state=FixtureState.VOID)
    for fixture in undone.filter(~Exists(ended.filter(made_void)), matchday__stage=stage).select_related("matchday"):
        yield f"table {fixture.table} of matchday {fixture.matchday.number} is void, and was played"


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


def _audit_states(tournament: Tournament) -> Iterator[str]:
    """The tournament's state and everybody's, as the chain tells them."""
    told: dict[int, str] = {}
    events = tournament.events.order_by("number").values_list("kind", "detail")
    kinds = {kind for kind, _ in events}
    for kind, detail in events:
        if kind in ("entered", "checked_in", "withdrawn", "disqualified"):
            told[detail["entrant"]] = detail.get("state", kind)
    for state in (TournamentState.FINISHED, TournamentState.CANCELLED):
        if (tournament.state == state) != (state.value in kinds):
            yield f"it is {tournament.state}, and the chain does not say so"
    entrants = list(tournament.entrants.order_by("id").values_list("id", "state", "replaces_id"))
    replaced = {replaces for _, _, replaces in entrants}
    for entrant, stands, _ in entrants:
        right = "replaced" if entrant in replaced else told.get(entrant)
        if stands != right:
            yield f"entrant {entrant} is {stands}, and the chain says {right}"


def _audit_fixtures(stage: Stage) -> Iterator[str]:
    tournament = stage.tournament
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
            lots = (seed_of(tournament), f"table {fixture.slot} {fixture.id}")
            places = part_by_lots(entrants[fixture.id], places, *lots)
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


def audit_ratings() -> Iterator[str]:
    """Pools whose stored steps are not what their results give; those that wait to be rated again are passed over."""
    for pool_id in RatingPool.objects.filter(rebuild_from=None).order_by("id").values_list("id", flat=True):
        report = audit_pool(pool_id=pool_id)
        if not report.is_clean:
            count = sum(report.counts.values()) + report.misnumbered
            yield f"Ratings of {report.pool}: {count} steps are not what the results give."
        else:
            yield from (f"Ratings of {report.pool}: {fault}." for fault in _audit_official(pool_id))


def _audit_official(pool_id: int) -> Iterator[str]:
    """The last fit of a pool of bots made again; ratings that follow matches after it are live ones."""
    with one_snapshot():
        pool = RatingPool.objects.get(pk=pool_id)
        stored = {row.pop("player_id"): row for row in pool.ratings.values("player_id", *OFFICIAL_COLUMNS)}
        if pool.entry_kind != EntryKind.BOTS or not pool.fitted_sequence:
            return
        entities = read_pool_tables(pool, pool.fitted_sequence)
    right = rate_officially(fit_pool(entities.tables, entities.forerunners), entities.newest, find_anchor())
    for player, one in right.items():
        for name, value in one.columns.items():
            told = stored.get(player, {}).get(name)
            if value is None or told is None:
                is_right = told is value
            else:
                is_right = abs(told - value) <= CLOSE * max(1, abs(value))
            if not is_right:
                yield f"player {player} has {name} {told}, and the fit gives {value}"
