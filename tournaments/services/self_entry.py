"""People who enter by themselves: with an account, and agreeing first where they would be rated against bots."""

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import LeagueError
from games.models import Player
from games.services.people import agree_to_bots, ensure_person
from tournaments.models import Entrant, Tournament
from tournaments.selectors.own_entry import list_own_entrants, needs_agreement
from tournaments.selectors.teams import is_own_player, require_team
from tournaments.services.departures import withdraw_entrant
from tournaments.services.entries import enter_player


def require_agreement(tournament: Tournament, *, agrees: bool) -> None:
    if needs_agreement(tournament) and not agrees:
        raise LeagueError(
            "agreement_needed",
            "Bots play in this rated tournament.",
            "Say that you agree to be rated against them.",
            409,
        )


@transaction.atomic
def enter_oneself(*, tournament: Tournament, user: User, agrees: bool = False, team: str = "") -> Entrant:
    """Enter as the person one is, or as the team of this slug; on the waiting list where the tournament is full."""
    require_agreement(tournament, agrees=agrees)
    person = ensure_person(user)
    if agrees:
        agree_to_bots(user_id=user.pk)
    player = _require_own_team(team, user) if team else person
    return enter_player(tournament_id=tournament.pk, player=player, actor=user)


@transaction.atomic
def leave_by_oneself(*, tournament: Tournament, user: User) -> None:
    """Take oneself, or the team one plays in, out; nothing where one is not in."""
    own = list_own_entrants(tournament, user).first()
    if own is not None:
        withdraw_entrant(entrant_id=own.pk, actor=user)


def _require_own_team(slug: str, user: User) -> Player:
    team = require_team(slug)
    if not is_own_player(team.player, user.pk):
        raise LeagueError("not_yours", "This team is not yours.", status=403)
    return team.player
