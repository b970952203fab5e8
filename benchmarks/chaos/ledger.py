"""The checker: reads the whole database after the chaos and names everything that is not as promised.

Triggers of its own note each change of a match's state, whoever makes it: that history is read beside the ledger.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db import connection
from django.db.models import Count, F, Q

from aurum_league.common.errors import LeagueError
from games.models import Match, MatchKind, MatchResult, MatchState
from games.play.table import summarise
from games.rules.errors import IllegalAction, RecordFault
from games.rules.record import read_record
from games.selectors.matches import record_of, replay_match
from games.services.lease import MOST_ATTEMPTS
from tournaments.models import Fixture, FixtureState, RatingChange, RatingPool, Stage, StageStandings, Tournament
from tournaments.models.tournament import TournamentState
from tournaments.selectors.standings import compute_stage_standings
from tournaments.services.rebuild import audit_pool

PLAYED = Q(kind=MatchKind.TOURNAMENT)
BREACHES_SHOWN = 5
_INSTALL = """
    CREATE TABLE chaos_history (
        id bigserial PRIMARY KEY, match_id bigint, state text, attempt int, leased_until timestamptz,
        at timestamptz DEFAULT clock_timestamp()
    );
    CREATE FUNCTION chaos_note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO chaos_history (match_id, state, attempt, leased_until)
        VALUES (NEW.id, NEW.state, NEW.attempt, COALESCE(NEW.lease_until, OLD.lease_until));
        RETURN NULL;
    END $$;
    CREATE TRIGGER chaos_created AFTER INSERT ON games_match FOR EACH ROW EXECUTE FUNCTION chaos_note();
    CREATE TRIGGER chaos_changed AFTER UPDATE OF state ON games_match
    FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION chaos_note();
"""
_READ = """
    SELECT match_id, state, attempt, extract(epoch FROM leased_until)::float, extract(epoch FROM at)::float
    FROM chaos_history ORDER BY match_id, id
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """The promise, what was measured of it, and where it was broken."""

    promise: str
    measured: str
    breaches: tuple[str, ...] = ()

    def list_lines(self) -> list[str]:
        """The first breaches, as sentences, and how many more there are."""
        shown = list(self.breaches[:BREACHES_SHOWN])
        hidden = len(self.breaches) - len(shown)
        return [*shown, f"… and {hidden} more"] if hidden else shown


@dataclass(frozen=True, slots=True)
class MatchChange:
    """A match became this; `leased_until` is the lease it has now or had last. Times are seconds since 1970."""

    match_id: int
    state: str
    attempt: int
    leased_until: float | None
    at: float


def install_history() -> None:
    with connection.cursor() as cursor:
        cursor.execute(_INSTALL)


def read_history() -> dict[int, list[MatchChange]]:
    with connection.cursor() as cursor:
        cursor.execute(_READ)
        changes = [MatchChange(*row) for row in cursor.fetchall()]
    return {match_id: list(group) for match_id, group in groupby(changes, key=lambda change: change.match_id)}


def check_ledger(
    tournament: Tournament, matches: int, poisonous: list[int], history: dict[int, list[MatchChange]]
) -> list[Finding]:
    """Every promise about what is stored, kept or broken."""
    played = Match.objects.filter(PLAYED)
    rated = RatingChange.objects.count()
    return [
        Finding("the tournament finishes", str(tournament), tuple(_check_tournament(tournament))),
        Finding(
            f"all {matches} matches end, once each", f"{played.count()} ended", tuple(_check_ends(matches, history))
        ),
        Finding("every match has one result", f"{_count_results()} results", tuple(_check_results())),
        Finding(
            f"poison is set aside after {MOST_ATTEMPTS} attempts, with its reason",
            f"{len(poisonous)} poisonous matches",
            tuple(_check_poison(poisonous, history)),
        ),
        Finding("every match is rated once; a rebuild agrees", f"{rated} rating changes", tuple(_check_ratings())),
        Finding(
            "standings are what the results give",
            f"{tournament.stages.count()} stages",
            tuple(_check_standings(tournament)),
        ),
        Finding("every record verifies", f"{played.count()} read", tuple(_check_records())),
    ]


def _check_tournament(tournament: Tournament) -> Iterator[str]:
    tournament.refresh_from_db()
    if tournament.state != TournamentState.FINISHED:
        yield f"the tournament is {tournament.state}, not finished"
    fixtures = Fixture.objects.filter(matchday__stage__tournament=tournament)
    pending = fixtures.filter(Q(state=FixtureState.PENDING) | Q(open_matches__gt=0)).count()
    if pending:
        yield f"{pending} fixtures are still open"


def _check_ends(matches: int, history: dict[int, list[MatchChange]]) -> Iterator[str]:
    played = dict(Match.objects.filter(PLAYED).values_list("id", "state"))
    if len(played) != matches:
        yield f"{len(played)} matches are there instead of {matches}"
    for state, count in Counter(played.values()).items():
        if state != MatchState.FINISHED:
            yield f"{count} matches are {state}"
    for match_id in played:
        ends = [change.state for change in history.get(match_id, ())].count(MatchState.FINISHED)
        if ends != 1:
            yield f"match {match_id} ended {ends} times"
    leased = Match.objects.filter(lease_token__isnull=False).count()
    if leased:
        yield f"{leased} leases are left over"


def _count_results() -> int:
    return MatchResult.objects.filter(match__kind=MatchKind.TOURNAMENT).count()


def _check_results() -> Iterator[str]:
    missing = Match.objects.filter(state=MatchState.FINISHED, result__isnull=True)
    yield from (f"match {match_id} has no result" for match_id in missing.values_list("id", flat=True))
    early = MatchResult.objects.exclude(match__state=MatchState.FINISHED)
    yield from (f"match {match_id} has a result and has not ended" for match_id in early.values_list("pk", flat=True))


def _check_poison(poisonous: Iterable[int], history: dict[int, list[MatchChange]]) -> Iterator[str]:
    """Each attempt alone at most so often; the first may have been among others, who are not to blame."""
    for match in Match.objects.filter(pk__in=poisonous):
        if match.state != MatchState.QUARANTINED:
            yield f"poisonous match {match.pk} is {match.state}"
        if not match.trouble:
            yield f"poisonous match {match.pk} is set aside without a reason"
        claims = sum(change.state == MatchState.PLAYING for change in history.get(match.pk, ()))
        if claims > MOST_ATTEMPTS:
            yield f"poisonous match {match.pk} was tried {claims} times"


def _check_ratings() -> Iterator[str]:
    finished = Match.objects.filter(PLAYED, state=MatchState.FINISHED, is_rated=True)
    wrong = finished.annotate(steps=Count("rating_changes")).exclude(steps=F("players"))
    yield from (f"match {match.pk} has {match.steps} rating changes" for match in wrong)
    for pool in RatingPool.objects.all():
        rated = RatingChange.objects.filter(pool=pool).values("sequence").distinct().count()
        if rated != pool.sequence:
            yield f"pool {pool} has rated {rated} matches and numbered {pool.sequence}"
        report = audit_pool(pool_id=pool.pk)
        if not report.is_clean:
            yield f"a rebuild of pool {pool} differs: {report.counts}, {report.misnumbered} misnumbered"


def _check_standings(tournament: Tournament) -> Iterator[str]:
    stored = {one.stage_id: one for one in StageStandings.objects.filter(stage__tournament=tournament)}
    for stage in Stage.objects.filter(tournament=tournament):
        if stage.pk not in stored:
            yield f"{stage} has no standings"
        elif stored[stage.pk].version != stage.results_version:
            yield f"standings of {stage} are of version {stored[stage.pk].version}, not {stage.results_version}"
        elif not _is_computed(stored[stage.pk].rows, compute_stage_standings(tournament, stage)):
            yield f"standings of {stage} are not what its results give"


def _is_computed(stored: list[dict[str, Any]], computed: list[dict[str, Any]]) -> bool:
    """Row by row; stored rows may hold more, such as estimates that were drawn by chance."""
    expected = json.loads(json.dumps(computed))
    return len(stored) == len(expected) and all(
        {**kept, **row} == kept for kept, row in zip(stored, expected, strict=True)
    )


def _check_records() -> Iterator[str]:
    finished = Match.objects.filter(PLAYED, state=MatchState.FINISHED, result__isnull=False).select_related("result")
    for match in finished.iterator(chunk_size=500):
        try:
            read_record(record_of(match))
            summary = summarise(replay_match(match), match.result.forfeits)
        except (RecordFault, IllegalAction, LeagueError, ValueError) as fault:
            yield f"record of match {match.pk}: {fault}"
            continue
        wrong = [
            name for name in ("places", "nuggets", "totals") if getattr(match.result, name) != getattr(summary, name)
        ]
        if wrong:
            yield f"the result of match {match.pk} is not what its record gives: {', '.join(wrong)}"
