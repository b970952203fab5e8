"""What happened to a tournament, recorded and told to open pages; and nudges to move its stages on."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from aurum_league.common.broker import publish, send_nudge
from tournaments.models import Tournament, TournamentEvent
from tournaments.rules.chain import first_link, link_event
from tournaments.selectors.chain import tell_event


def record_event(
    tournament: Tournament,
    kind: str,
    *,
    actor: User | None = None,
    reason: str = "",
    detail: dict[str, Any] | None = None,
) -> TournamentEvent:
    """Add the next event to the chain; the caller holds the tournament's lock, so that numbers have no gaps."""
    last = TournamentEvent.objects.filter(tournament=tournament).order_by("-number").first()
    event = TournamentEvent(
        tournament=tournament,
        number=last.number + 1 if last else 1,
        kind=kind,
        actor=actor,
        reason=reason[:400],
        detail=json.loads(json.dumps(detail or {})),
        at=timezone.now(),
        previous=last.digest if last else first_link(tournament.pk, tournament.commitment),
    )
    event.digest = link_event(event.previous, tell_event(event))
    event.save(force_insert=True)
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
