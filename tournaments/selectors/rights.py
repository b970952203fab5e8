"""Who may organise: open leagues and tournaments, and run those that are theirs."""

from django.contrib.auth.models import AnonymousUser, User

from aurum_league.common.errors import LeagueError
from tournaments.models import League, Stage, Tournament, TournamentState
from tournaments.selectors.listing import find_league, find_tournament, is_in_charge

ORGANISERS = "organiser"
"""The group whose members may create leagues and tournaments."""


def is_organiser(user: User | AnonymousUser) -> bool:
    return user.is_staff or user.groups.filter(name=ORGANISERS).exists()


def require_organiser(user: User | AnonymousUser) -> None:
    if not is_organiser(user):
        raise LeagueError("not_an_organiser", "Only organisers may do this.", "Ask the staff to make you one.", 403)


def require_league(slug: str) -> League:
    league = find_league(slug)
    if league is None:
        raise LeagueError("no_league", f"There is no league {slug}.", status=404)
    return league


def require_own_league(slug: str, user: User | AnonymousUser) -> League:
    league = require_league(slug)
    if not user.is_staff and league.organiser_id != user.pk:
        raise LeagueError("not_yours", "This league is not yours to run.", status=403)
    return league


def require_tournament(slug: str, user: User | AnonymousUser) -> Tournament:
    """The tournament, or a coded error where there is none that this user may see."""
    tournament = find_tournament(slug, user)
    if tournament is None:
        raise LeagueError("no_tournament", f"There is no tournament {slug}.", status=404)
    return tournament


def require_stage(slug: str, number: int, user: User | AnonymousUser) -> Stage:
    """The stage with its tournament in one query; a coded error where there is none that this user may see."""
    stages = Stage.objects.select_related("tournament").defer("tournament__seed")
    stage = stages.filter(tournament__slug=slug, number=number).first()
    is_draft = stage is not None and stage.tournament.state == TournamentState.DRAFT
    if stage is None or (is_draft and not is_in_charge(user, stage.tournament)):
        require_tournament(slug, user)
        raise LeagueError("no_stage", f"There is no stage {number}.", status=404)
    return stage


def require_own_tournament(slug: str, user: User | AnonymousUser) -> Tournament:
    tournament = require_tournament(slug, user)
    if not is_in_charge(user, tournament):
        raise LeagueError("not_yours", "This tournament is not yours to run.", status=403)
    return tournament
