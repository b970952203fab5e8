"""The chain of events as it is stored: each event as its digest covers it, and the head that stands for all."""

import hashlib
from collections.abc import Iterator
from datetime import UTC
from typing import Any

from tournaments.models import Tournament, TournamentEvent
from tournaments.rules.chain import find_breaks, first_link


def tell_event(event: TournamentEvent) -> dict[str, Any]:
    """An event as its digest covers it, with the digest and the one before."""
    return {
        "number": event.number,
        "kind": event.kind,
        "actor": event.actor_id,
        "reason": event.reason,
        "detail": event.detail,
        "at": event.at.astimezone(UTC).isoformat(),
        "previous": event.previous,
        "digest": event.digest,
    }


def read_chain(tournament: Tournament) -> Iterator[dict[str, Any]]:
    """Every event of a tournament in the order of their numbers."""
    for event in TournamentEvent.objects.filter(tournament=tournament).order_by("number").iterator(chunk_size=500):
        yield tell_event(event)


def find_chain_breaks(tournament: Tournament) -> list[str]:
    return list(find_breaks(first_link(tournament.pk, tournament.commitment), read_chain(tournament)))


def read_site_head() -> str:
    """One digest over the newest event of every tournament, in the order of their numbers: kept by anybody, it binds
    the whole site to what had happened by then."""
    newest = TournamentEvent.objects.order_by("tournament_id", "-number").distinct("tournament_id")
    total = hashlib.sha256()
    for tournament_id, number, digest in newest.values_list("tournament_id", "number", "digest").iterator():
        total.update(f"{tournament_id} {number} {digest}\n".encode())
    return total.hexdigest()
