"""People who enter by themselves: with an account, and agreeing first where they would be rated against bots."""

from django.contrib.auth.models import User
from django.db import transaction

from aurum_league.common.errors import LeagueError
from games.services.people import ensure_person
from tournaments.models import Entrant, Tournament
from tournaments.selectors.own_entry import needs_agreement
from tournaments.services.departures import withdraw_entrant
from tournaments.services.entries import GONE, enter_player


def require_agreement(tournament: Tournament, *, agrees: bool) -> None:
    if needs_agreement(tournament) and not agrees:
        raise LeagueError(
            "agreement_needed",
            "Bots play in this rated tournament.",
            "Say that you agree to be rated against them.",
            409,
        )


@transaction.atomic
def enter_oneself(*, tournament: Tournament, user: User, agrees: bool = False) -> Entrant:
    """Enter as the person one is; on the waiting list where the tournament is full."""
    require_agreement(tournament, agrees=agrees)
    return enter_player(tournament_id=tournament.pk, player=ensure_person(user), actor=user)


@transaction.atomic
def leave_by_oneself(*, tournament: Tournament, user: User) -> None:
    """Take oneself out; nothing where one is not in."""
    own = tournament.entrants.filter(player=ensure_person(user)).exclude(state__in=GONE).first()
    if own is not None:
        withdraw_entrant(entrant_id=own.pk, actor=user)
