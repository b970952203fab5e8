"""A chain of events: each carries the hash of the one before and of its own canonical content.

The first link of a tournament is to its commitment, that of the site to a constant. Whoever keeps one digest can tell
later whether anything before it was changed, taken out or put in between.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC
from typing import Any

FIELDS = ("number", "kind", "actor", "reason", "detail", "at")
"""What a link covers beside the digest before it; `actor` is the number of an account, `at` is in UTC."""
OF_VERSION = (
    *("version", "kind", "at", "account", "reason", "places", "forfeits", "nuggets", "totals", "record_match"),
    "has_record",
)

SITE_START = hashlib.sha256(b"aurum chain of the site").hexdigest()
"""What the site's own first event names as the digest before it."""


def first_link(tournament: int, commitment: str) -> str:
    """What the first event names as the digest before it."""
    return hashlib.sha256(f"aurum chain {tournament} {commitment}".encode()).hexdigest()


def digest_version(match: int, version: Mapping[str, Any]) -> str:
    """What an event keeps of a version of a result that somebody decided: nobody can tell another story of it later."""
    content = {name: version[name] for name in OF_VERSION} | {"match": match}
    return hashlib.sha256(_write(content)).hexdigest()


def _write(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def tell_event(event: Any) -> dict[str, Any]:
    """A row of either chain as its digest covers it, with the digest and the one before."""
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


def link_event(previous: str, event: Mapping[str, Any]) -> str:
    """The digest of an event: SHA-256 over canonical JSON, that is sorted keys, no spaces, plain UTF-8."""
    content = {name: event[name] for name in FIELDS} | {"previous": previous}
    return hashlib.sha256(_write(content)).hexdigest()


def find_breaks(start: str, events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A sentence for every place where events, in the order of their numbers, do not follow from each other."""
    previous, expected = start, 1
    for event in events:
        if event["number"] != expected:
            yield f"event {event['number']} follows where event {expected} should"
        if event["previous"] != previous:
            yield f"event {event['number']} does not follow from the one before it"
        if event["digest"] != link_event(event["previous"], event):
            yield f"event {event['number']} is not what its digest says"
        previous, expected = event["digest"], event["number"] + 1
