"""The chain of a tournament's events: each carries the hash of the one before and of its own canonical content.

The first link is to the tournament's commitment. Whoever keeps one digest can tell later whether anything before it
was changed, taken out or put in between.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

FIELDS = ("number", "kind", "actor", "reason", "detail", "at")
"""What a link covers beside the digest before it; `actor` is the number of an account, `at` is in UTC."""


def first_link(tournament: int, commitment: str) -> str:
    """What the first event names as the digest before it."""
    return hashlib.sha256(f"aurum chain {tournament} {commitment}".encode()).hexdigest()


def link_event(previous: str, event: Mapping[str, Any]) -> str:
    """The digest of an event: SHA-256 over canonical JSON, that is sorted keys, no spaces, plain UTF-8."""
    content = {name: event[name] for name in FIELDS} | {"previous": previous}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


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
