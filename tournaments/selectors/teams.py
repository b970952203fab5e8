"""Teams: all of them, and those that somebody plays in or has made."""

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from aurum_league.common.errors import LeagueError
from games.models import Player, PlayerKind
from tournaments.models import Team


def list_teams() -> QuerySet[Team]:
    return Team.objects.select_related("player", "first", "second", "created_by")


def list_own_teams(user: User) -> QuerySet[Team]:
    own = Q(created_by=user) | Q(first__owner=user) | Q(second__owner=user)
    return list_teams().filter(own).order_by("player__name")


def require_team(slug: str) -> Team:
    team = list_teams().filter(player__slug=slug).first()
    if team is None:
        raise LeagueError("no_team", f"There is no team {slug}.", status=404)
    return team


def is_own_player(player: Player, user_id: int | None) -> bool:
    """Whether somebody speaks for this player: as its owner, or as one of the team."""
    if user_id is None:
        return False
    if player.kind != PlayerKind.TEAM:
        return player.owner_id == user_id
    return user_id in (player.owner_id, player.team.first.owner_id, player.team.second.owner_id)
