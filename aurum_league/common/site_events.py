"""The site's own chain of events: acts of staff and moderators that belong to no tournament."""

import json
from collections.abc import Iterator
from datetime import UTC
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from aurum_league.common.proofs import SITE_START, find_breaks, link_event, tell_event
from aurum_league.models import SiteEvent

LOCK = 0x41555255
"""Held until the transaction ends by whoever adds an event, so that numbers have no gaps and no doubles."""


def lock_site_chain() -> None:
    """Until the caller's transaction ends nobody else adds an event; taken twice it is one lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def record_site_event(kind: str, *, actor: User | None, reason: str = "", **detail: Any) -> SiteEvent:
    """Add the next event, within the transaction of what it tells; `detail` is plain JSON and holds nothing secret."""
    with transaction.atomic():
        lock_site_chain()
        last = SiteEvent.objects.order_by("-number").first()
        event = SiteEvent(
            number=last.number + 1 if last else 1,
            kind=kind,
            actor=actor,
            reason=reason[:400],
            detail=json.loads(json.dumps(detail)),
            at=timezone.now(),
            previous=last.digest if last else SITE_START,
        )
        event.digest = link_event(event.previous, tell_event(event))
        event.save(force_insert=True)
    return event


def read_site_chain() -> Iterator[dict[str, Any]]:
    """Every event of the site in the order of their numbers."""
    for event in SiteEvent.objects.order_by("number").iterator(chunk_size=500):
        yield tell_event(event)


def find_site_breaks() -> list[str]:
    """A sentence for every place where the site's chain does not follow from itself."""
    return list(find_breaks(SITE_START, read_site_chain()))


def find_site_head() -> tuple[int, str | None]:
    """The number and digest of the newest event; 0 and None before the first."""
    newest = SiteEvent.objects.order_by("-number").first()
    return (newest.number, newest.digest) if newest else (0, None)


def has_site_digest(digest: str) -> bool:
    return SiteEvent.objects.filter(digest=digest).exists()


HEADS, SIGNING_KEY = "heads", "signing_key"
HEADS_SHOWN = 7


def list_heads() -> list[SiteEvent]:
    """The heads of all chains as they were published day by day, newest first."""
    return list(SiteEvent.objects.filter(kind=HEADS).order_by("-number")[:HEADS_SHOWN])


def list_told_results(newest: int | None = None) -> list[dict[str, str]]:
    """Since when, until when and with which digest results were told day by day, newest first."""
    told = SiteEvent.objects.filter(kind=HEADS, detail__has_key="results").order_by("-number")[:newest]
    return [event.detail["results"] for event in told]


def list_signing_keys() -> list[dict[str, Any]]:
    """Every key that the site has signed with, oldest first, and since when."""
    events = SiteEvent.objects.filter(kind=SIGNING_KEY).order_by("number")
    return [{"key": event.detail["key"], "since": event.at.astimezone(UTC).isoformat()} for event in events]
