"""Leagues and tournaments that everybody may see: drafts are their organiser's alone."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Q, QuerySet

from tournaments.models import EntrantState, League, Stage, Tournament, TournamentState

GONE = (EntrantState.WITHDRAWN, EntrantState.DISQUALIFIED, EntrantState.REPLACED, EntrantState.WAITING)
"""States in which an entrant does not take part."""

RUNNING = (TournamentState.PLAYING, TournamentState.PAUSED)


def list_leagues() -> QuerySet[League]:
    """Every league with the number of its tournaments that are public."""
    public = Count("tournaments", filter=~Q(tournaments__state=TournamentState.DRAFT))
    return League.objects.annotate(tournament_count=public).order_by("name")


def find_league(slug: str) -> League | None:
    return League.objects.filter(slug=slug).select_related("organiser").first()


def list_tournaments(*, league: League | None = None, states: tuple[str, ...] = ()) -> QuerySet[Tournament]:
    """Public tournaments, newest first, each with its league and the number of those who take part."""
    shown = Tournament.objects.exclude(state=TournamentState.DRAFT).select_related("league").defer("seed")
    if league is not None:
        shown = shown.filter(league=league)
    if states:
        shown = shown.filter(state__in=states)
    return shown.annotate(entrant_count=Count("entrants", filter=~Q(entrants__state__in=GONE))).order_by("-id")


def find_tournament(slug: str, user: User | AnonymousUser) -> Tournament | None:
    """A tournament this user may see, or None."""
    found = Tournament.objects.filter(slug=slug).select_related("league", "organiser").defer("seed").first()
    if found is None or (found.state == TournamentState.DRAFT and not is_in_charge(user, found)):
        return None
    return found


def is_in_charge(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Whether the tournament is theirs to run."""
    return user.is_staff or (user.is_authenticated and tournament.organiser_id == user.pk)


def list_stages(tournament: Tournament) -> list[Stage]:
    """The stages in order, each knowing its tournament."""
    stages = list(tournament.stages.order_by("number"))
    for stage in stages:
        stage.tournament = tournament
    return stages
