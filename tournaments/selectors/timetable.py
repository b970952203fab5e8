"""When things happen: the times an organiser sets and what is due; the moments of a month, an event or a player."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

from django.db.models import Q, QuerySet

from aurum_league.common.errors import N_, LeagueError, Word
from tournaments.models import FixtureMatch, Matchday, Stage, Tournament, TournamentState
from tournaments.rules.lifecycle import State, Step
from tournaments.selectors.leagues import GONE, list_tournaments

USUAL_ZONE = "UTC"
MOST_DAYS_BETWEEN = 366


@dataclass(frozen=True, slots=True)
class Timetable:
    """Moments in their order; None where none is set. `runs_itself`: the site takes the steps when they are due."""

    entries_open_at: datetime | None = None
    entries_close_at: datetime | None = None
    check_in_opens_at: datetime | None = None
    check_in_ends_at: datetime | None = None
    draws_at: datetime | None = None
    starts_at: datetime | None = None
    runs_itself: bool = False


MOMENT_LABELS = {
    "entries_open_at": N_("Entries open"),
    "entries_close_at": N_("Entries close"),
    "check_in_opens_at": N_("Check-in opens"),
    "check_in_ends_at": N_("Check-in ends"),
    "draws_at": N_("Draw"),
    "starts_at": N_("Start"),
}
MOMENTS = tuple(one.name for one in fields(Timetable) if one.name != "runs_itself")


@dataclass(frozen=True, slots=True)
class Rhythm:
    """When the matchdays of a stage are played: the first, and each so long after the one before.

    `moved` holds moments by matchday that an organiser set apart from it.
    """

    first_at: datetime | None = None
    every: timedelta = timedelta(0)
    moved: Mapping[int, datetime] | None = None

    def find_time(self, matchday: int, zone: str) -> datetime | None:
        """The clock on the wall stays the same where summer time comes or goes between two matchdays."""
        if self.moved and matchday in self.moved:
            return self.moved[matchday]
        if self.first_at is None or (matchday > 1 and not self.every):
            return None
        return self.first_at.astimezone(ZoneInfo(zone)) + (matchday - 1) * self.every


def list_zones() -> list[str]:
    """Names of time zones as one would look for them, UTC first."""
    return [USUAL_ZONE, *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))]


def read_zones(match_ids: Sequence[int]) -> dict[int, str]:
    """The time zone of the event that each match belongs to; those outside of any are missing."""
    links = FixtureMatch.objects.filter(match__in=match_ids)
    return dict(links.values_list("match_id", "stage__tournament__time_zone"))


def check_zone(name: str) -> None:
    if name not in available_timezones():
        raise LeagueError(
            "bad_times", N_("There is no time zone %(name)s."), N_("Name one such as Europe/Berlin."), name=repr(name)
        )


def check_timetable(timetable: Timetable) -> None:
    """A coded error where two moments stand in the wrong order, or too little is set to run by itself."""
    set_ones = [(name, at) for name in MOMENTS if (at := getattr(timetable, name)) is not None]
    for (earlier, before), (later, after) in pairwise(set_ones):
        if after < before:
            raise LeagueError(
                "bad_times",
                N_("The times are not in order: %(earlier)s comes after %(later)s."),
                N_("Entries open and close, check-in opens and ends, then it is drawn, then it starts."),
                earlier=Word(earlier, MOMENT_LABELS[earlier]),
                later=Word(later, MOMENT_LABELS[later]),
            )
    if timetable.runs_itself and timetable.draws_at is None and timetable.starts_at is None:
        raise LeagueError(
            "bad_times",
            N_("To run by itself it needs the time of the draw or of the start."),
            N_("Set one, or run it by hand."),
        )


def find_due_step(state: str, timetable: Timetable, now: datetime) -> Step | None:
    """What the site is to do next of its own; None where nothing is due. Late is as good as on time."""
    if not timetable.runs_itself:
        return None
    # Without a time of its own the draw is made when it starts.
    drawn_at = timetable.draws_at or timetable.starts_at
    due = {
        State.DRAFT: (timetable.entries_open_at, Step.OPEN),
        State.OPEN: (drawn_at, Step.DRAW),
        State.DRAWN: (timetable.starts_at, Step.START),
    }
    at, step = due.get(State(state), (None, None))
    return step if at is not None and at <= now else None


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
    shown = Tournament.objects.exclude(state__in=(TournamentState.DRAFT, TournamentState.CANCELLED)).defer(
        "seed", "secret"
    )
    return shown.filter(own).exclude(entrants__state__in=GONE).order_by("-pk").distinct()
