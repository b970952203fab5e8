"""The audit: results from records, fixtures, standings, ratings and the chain computed again; differences in sentences.

It writes nothing and believes nothing but seeds and logs.
"""

import json
from collections.abc import Iterator
from typing import Any

from games.models import Match, MatchResult, MatchState, ResultKind, ResultVersion
from games.play.table import Summary, summarise
from games.rules.deal import commitment
from games.rules.errors import IllegalAction
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from tournaments.models import Fixture, FixtureSeat, FixtureState, RatingPool, Stage, StageStandings, Tournament
from tournaments.rules.fixture_places import part_by_lots, place_entrants
from tournaments.rules.pairing import HOUSE, TableKind
from tournaments.selectors.chance import find_seed_faults, seed_of
from tournaments.selectors.exports import find_chain_breaks, read_chain
from tournaments.selectors.results import compute_stage_standings, read_fixture_results
from tournaments.selectors.stages import scoring_of
from tournaments.services.rebuild import audit_pool

CHUNK = 500
COLUMNS = tuple(name for name in Summary.__dataclass_fields__ if name not in ("forfeits", "log"))
"""What a log and a seed decide; forfeits are no actions, so that no log tells them."""


def audit_all(newest: int | None = None) -> Iterator[str]:
    """Every difference there is; of matches only the newest so many, where a number is given."""
    yield from audit_results(newest)
    for tournament in Tournament.objects.order_by("id").iterator(chunk_size=CHUNK):
        yield from audit_tournament(tournament)
    yield from audit_ratings()


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
    for stage in Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number"):
        yield from (f"{name}, stage {stage.number}: {fault}." for fault in _audit_fixtures(stage))
        yield from (f"{name}, stage {stage.number}: {fault}." for fault in _audit_standings(stage))


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
