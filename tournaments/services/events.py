"""What happened to a tournament, recorded and told to open pages; and nudges to move its stages on."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from aurum_league.common.broker import publish, send_nudge
from tournaments.models import Tournament, TournamentEvent


def record_event(
    tournament: Tournament,
    kind: str,
    *,
    actor: User | None = None,
    reason: str = "",
    detail: dict[str, Any] | None = None,
) -> TournamentEvent:
    """Add the next event; the caller holds the tournament's lock, so that numbers have no gaps."""
    last = TournamentEvent.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    event = TournamentEvent.objects.create(
        tournament=tournament, number=last + 1, kind=kind, actor=actor, reason=reason[:400], detail=detail or {}
    )
    tell_on_commit(tournament.id, {"number": event.number, "kind": kind, **event.detail})
    return event


def tell_on_commit(tournament_id: int, payload: dict[str, Any]) -> None:
    """Tell open pages of a tournament something once it is true."""
    transaction.on_commit(lambda: publish(f"tournament:{tournament_id}", payload))


ADVANCE_TASK = "tournaments.advance_tournament"


def nudge_tournament_on_commit(tournament_id: int) -> None:
    """Have a worker move a tournament on, once the transaction has committed."""
    transaction.on_commit(lambda: nudge_tournament(tournament_id))


def nudge_tournament(tournament_id: int) -> None:
    """Send the message now. A broker that does not answer is noted and left to the sweep."""
    send_nudge(ADVANCE_TASK, args=[tournament_id])
