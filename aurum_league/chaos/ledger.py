"""The checker: reads the whole history after the chaos and lists everything that is not as promised."""

from collections import Counter
from collections.abc import Iterator

from django.db.models import Count, F, QuerySet

from games.models import Match, MatchKind, MatchResult, MatchState
from games.rules.faults import RecordFault
from games.rules.record import read_record
from games.selectors.records import record_of
from tournaments.models import Fixture, FixtureState, RatingChange, RatingPool, StageStandings, Tournament
from tournaments.models.tournament import TournamentState
from tournaments.services.rebuild import audit_pool


def find_losses(tournament: Tournament, matches: int, poisonous: list[int]) -> Iterator[str]:
    """Sentences, one a fault; none where nothing was lost or doubled."""
    tournament.refresh_from_db()
    if tournament.state != TournamentState.FINISHED:
        yield f"the tournament is {tournament.state}, not finished"
    played = Match.objects.filter(kind=MatchKind.TOURNAMENT)
    yield from _check_matches(played, matches)
    yield from _check_poison(poisonous)
    yield from _check_ratings(played)
    open_fixtures = Fixture.objects.filter(matchday__stage__tournament=tournament, state=FixtureState.PENDING).count()
    if open_fixtures:
        yield f"{open_fixtures} fixtures are still open"
    for standings in StageStandings.objects.filter(stage__tournament=tournament).select_related("stage"):
        if standings.version != standings.stage.results_version:
            yield f"standings of {standings.stage} are of version {standings.version}, not the last"
    yield from _check_records(played)


def _check_matches(played: QuerySet[Match], matches: int) -> Iterator[str]:
    states = Counter(played.values_list("state", flat=True))
    if sum(states.values()) != matches:
        yield f"{sum(states.values())} matches are there instead of {matches}"
    for state, count in states.items():
        if state != MatchState.FINISHED:
            yield f"{count} matches are {state}"
    results = MatchResult.objects.filter(match__in=played).count()
    if results != states[MatchState.FINISHED]:
        yield f"{results} results for {states[MatchState.FINISHED]} finished matches"


def _check_poison(poisonous: list[int]) -> Iterator[str]:
    for match in Match.objects.filter(pk__in=poisonous):
        if match.state != MatchState.QUARANTINED or not match.trouble or match.attempt > 3:
            yield f"poisonous match {match.pk} is {match.state} after {match.attempt} attempts"


def _check_ratings(played: QuerySet[Match]) -> Iterator[str]:
    wrong = played.filter(state=MatchState.FINISHED, is_rated=True).annotate(steps=Count("rating_changes"))
    wrong_count = wrong.exclude(steps=F("players")).count()
    if wrong_count:
        yield f"{wrong_count} matches have rating changes missing or doubled"
    for pool in RatingPool.objects.all():
        rated = RatingChange.objects.filter(pool=pool).values("sequence").distinct().count()
        if rated != pool.sequence:
            yield f"pool {pool} has rated {rated} matches and numbered {pool.sequence}"
        report = audit_pool(pool_id=pool.pk)
        if not report.is_clean:
            yield f"a rebuild of pool {pool} differs: {report}"


def _check_records(played: QuerySet[Match]) -> Iterator[str]:
    for match in played.filter(state=MatchState.FINISHED).select_related("result").iterator(chunk_size=500):
        try:
            read_record(record_of(match))
        except RecordFault as fault:
            yield f"record of match {match.pk}: {fault}"
