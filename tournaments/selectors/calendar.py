"""What happens when: moments of tournaments for a month, a tournament, a league or a player."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from tournaments.models import Matchday, Stage, Tournament, TournamentState
from tournaments.selectors.leagues import GONE, list_tournaments
from tournaments.selectors.timetable import MOMENTS, Rhythm, Timetable

MOST_EVENTS = 500
MOST_MATCHDAYS = 60


@dataclass(frozen=True, slots=True)
class Moment:
    """`what` is a name of the timetable, or `matchday` with its number."""

    at: datetime
    what: str
    tournament: Tournament
    stage: Stage | None = None
    matchday: int = 0


def timetable_of(tournament: Tournament) -> Timetable:
    return Timetable(**{name: getattr(tournament, name) for name in (*MOMENTS, "runs_itself")})


def rhythm_of(stage: Stage) -> Rhythm:
    moved = {int(number): datetime.fromisoformat(at) for number, at in stage.moved.items()}
    return Rhythm(stage.first_at, timedelta(minutes=stage.every_minutes), moved)


def list_moments(tournaments: Iterable[Tournament]) -> list[Moment]:
    """Every moment that is set, in order of time; matchdays as far as they are drawn, and the first of each stage."""
    shown = list(tournaments)[:MOST_EVENTS]
    moments = [
        Moment(at, name, tournament)
        for tournament in shown
        for name in MOMENTS
        if (at := getattr(tournament, name)) is not None
    ]
    by_id = {tournament.pk: tournament for tournament in shown}
    stages = Stage.objects.filter(tournament__in=by_id).filter(Q(first_at__isnull=False) | ~Q(moved={}))
    drawn: dict[int, list[int]] = {}
    for stage_id, number in Matchday.objects.filter(stage__in=stages).values_list("stage_id", "number"):
        drawn.setdefault(stage_id, []).append(number)
    for stage in stages.order_by("pk"):
        moments += _list_matchdays(stage, by_id[stage.tournament_id], sorted(drawn.get(stage.pk, [1])))
    return sorted(moments, key=lambda moment: (moment.at, moment.tournament.pk))


def _list_matchdays(stage: Stage, tournament: Tournament, numbers: list[int]) -> Iterable[Moment]:
    rhythm = rhythm_of(stage)
    for number in numbers[:MOST_MATCHDAYS]:
        at = rhythm.find_time(number, tournament.time_zone)
        if at is not None:
            yield Moment(at, "matchday", tournament, stage, number)


def list_dated(since: datetime, until: datetime) -> QuerySet[Tournament]:
    """Public tournaments of which something may happen in a span of time."""
    within = Q()
    for name in MOMENTS:
        within |= Q(**{f"{name}__gte": since, f"{name}__lt": until})
    has_matchdays = Q(stages__first_at__lt=until, stages__first_at__gte=since - timedelta(days=366))
    shown = list_tournaments().exclude(state=TournamentState.CANCELLED)
    return shown.filter(within | has_matchdays).order_by("pk").distinct()


def list_of_player(player_id: int) -> QuerySet[Tournament]:
    """Public tournaments that a player takes part in."""
    own = Q(entrants__player_id=player_id) | Q(entrants__player__team__first_id=player_id)
    own |= Q(entrants__player__team__second_id=player_id)
    shown = Tournament.objects.exclude(state__in=(TournamentState.DRAFT, TournamentState.CANCELLED)).defer("seed")
    return shown.filter(own).exclude(entrants__state__in=GONE).order_by("-pk").distinct()
