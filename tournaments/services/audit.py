"""The audit: results from records, fixtures, standings, ratings and the chain computed again; differences in sentences.

It writes nothing and believes nothing but seeds and logs.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from aurum_league.common.errors import LeagueError
from aurum_league.common.site_events import find_site_breaks, has_site_digest, list_told_results
from aurum_league.common.sql import one_snapshot
from games.models import Match, MatchResult, MatchState, ResultKind, ResultVersion
from games.play.table import Summary, summarise
from games.rules.deal import commitment
from games.rules.errors import IllegalAction
from games.rules.match import replay, unpack_log
from games.rules.ruleset import Ruleset
from games.selectors.archives import read_log
from tournaments.models import (
    EntryKind,
    RatingPool,
    Tournament,
    TournamentEvent,
)
from tournaments.rules.ratings.fit import fit_pool
from tournaments.rules.ratings.listing import OFFICIAL_COLUMNS, rate_officially
from tournaments.selectors.exports import digest_results_between
from tournaments.selectors.rated_matches import find_anchor, read_pool_tables
from tournaments.services.audit_tournament import audit_tournament
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
    yield from audit_days(DAYS_OF_DOCTOR if newest is not None else None)


DAYS_OF_DOCTOR = 2


def audit_days(newest: int | None = None) -> Iterator[str]:
    """Days whose results are not those that the site told at their end; only the newest so many, where a number is."""
    for results in list_told_results(newest):
        if digest_results_between(results["since"], results["until"]) != results["digest"]:
            yield f"Results of {results['since']} to {results['until']} are not those that were played then."


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
    try:
        log = read_log(result)
    except LeagueError as error:
        yield str(error).rstrip(".")
        return
    yield from _audit_log(match.ruleset, bytes((result.record_match or match).seed), log, result)


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


def find_lost_heads(heads: Iterable[str]) -> Iterator[str]:
    """Digests that somebody has kept, and that are in no chain any more: what they stood for was rewritten."""
    for head in heads:
        if not TournamentEvent.objects.filter(digest=head).exists() and not has_site_digest(head):
            yield f"The digest {head} is in no chain any more: what happened before it was rewritten."


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
